//! From a wrong state to the fewest missing chunks that are still wrong (Zeller and Hildebrandt, "Simplifying and isolating
//! failure-inducing input", TSE 2002).

use crate::hw::sim::Choices;

/// States tried at most: each is opened and judged.
const TRIES_MAX: u32 = 400;

/// Takes away from `choices` what it can be wrong without.
pub(super) fn shrink(choices: &Choices, mut is_wrong: impl FnMut(&Choices) -> bool) -> Choices {
    let mut tries = 0;
    let mut is_wrong = |choices: &Choices| {
        tries += 1;
        tries <= TRIES_MAX && is_wrong(choices)
    };
    let mut best = choices.clone();
    let grown = Choices { keeps_growth: true, ..choices.clone() };
    if !choices.keeps_growth && is_wrong(&grown) {
        best = grown;
    }
    let nothing_missing = Choices { kept: Default::default(), ..best.clone() };
    if is_wrong(&nothing_missing) {
        return nothing_missing;
    }
    let mut parts = 2;
    while best.kept.len() > 1 {
        let units: Vec<(u64, usize)> = best.kept.iter().map(|(unit, kept)| (*unit, *kept)).collect();
        let part_len = units.len().div_ceil(parts);
        let smaller = units.chunks(part_len).enumerate().find_map(|(index, part)| {
            let alone = Choices { kept: part.iter().copied().collect(), ..best.clone() };
            let rest = units.chunks(part_len).enumerate().filter(|(other, _)| *other != index);
            let without = rest.flat_map(|(_, part)| part.iter().copied()).collect();
            let without = Choices { kept: without, ..best.clone() };
            [alone, without].into_iter().find(|fewer| fewer.kept.len() < units.len() && is_wrong(fewer))
        });
        match smaller {
            Some(smaller) => {
                best = smaller;
                parts = 2;
            }
            None if parts >= units.len() => break,
            None => parts = (parts * 2).min(units.len()),
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{Choices, shrink};

    fn of(units: impl IntoIterator<Item = u64>) -> Choices {
        Choices { kept: units.into_iter().map(|unit| (unit, 0)).collect(), keeps_growth: false }
    }

    /// If this failed, a failure would be printed with chunks that have nothing to do with it.
    #[test]
    fn what_does_not_matter_is_left_out() {
        let needs_two = |choices: &Choices| choices.kept.contains_key(&7) && choices.kept.contains_key(&31);
        assert_eq!(shrink(&of(0..64), needs_two).kept, of([7, 31]).kept);
        let needs_one = |choices: &Choices| choices.kept.contains_key(&5);
        assert_eq!(shrink(&of(0..9), needs_one).kept, of([5]).kept);
        assert_eq!(shrink(&of(0..64), |_| true).kept, of([]).kept, "nothing need be missing");
    }
}
