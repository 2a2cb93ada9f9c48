//! Medians, and how far numbers lie apart.

/// The middle of some numbers, and the range of eight tenths of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Spread {
    /// Zeros for no numbers.
    pub(crate) fn of(numbers: &[f64]) -> Spread {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Spread { median: quantile(&sorted, 0.5), low: quantile(&sorted, 0.1), high: quantile(&sorted, 0.9) }
    }
}

/// Between two neighbours it is interpolated.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = share * last as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

/// `None` for no numbers.
pub(crate) fn geometric_mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for number in numbers {
        sum += number.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::{Spread, geometric_mean};

    /// If this failed, the table would call something a median that is none.
    #[test]
    fn the_median_lies_in_the_middle_and_the_mean_of_ratios_is_geometric() {
        let spread = Spread::of(&[9.0, 1.0, 5.0, 3.0, 7.0]);
        assert_eq!((spread.median, spread.low, spread.high), (5.0, 1.8, 8.2));
        assert_eq!(Spread::of(&[]).median, 0.0);
        assert!((geometric_mean([2.0, 8.0].into_iter()).unwrap() - 4.0).abs() < 1e-12);
        assert_eq!(geometric_mean(std::iter::empty()), None);
    }
}
