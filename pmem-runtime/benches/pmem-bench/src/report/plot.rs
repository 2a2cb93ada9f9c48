//! Charts as SVG.

use std::error::Error;
use std::path::Path;

use plotters::prelude::{
    BLACK, ChartBuilder, Circle, Color, IntoDrawingArea, IntoLogRange, LineSeries, Palette, Palette99,
    PathElement, Rectangle, SVGBackend, SeriesLabelPosition, WHITE,
};

use crate::measure::Row;
use crate::measure::statistics::Spread;
use crate::operation::Way;

const SIZE: (u32, u32) = (1_100, 700);
const FONT: (&str, u32) = ("sans-serif", 22);
const SMALL_FONT: (&str, u32) = ("sans-serif", 14);
/// How much of an axis lies beyond the numbers on either side, as a factor.
const MARGIN: f64 = 1.3;

/// What stands around a chart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chart<'t> {
    pub(crate) title: &'t str,
    pub(crate) x_label: &'t str,
    pub(crate) y_label: &'t str,
}

/// A line with its name.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines over two logarithmic axes.
pub(crate) fn lines(path: &Path, chart: Chart<'_>, all: &[Series]) -> Result<(), Box<dyn Error>> {
    let points = || all.iter().flat_map(|series| &series.points);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let low = points().map(of).fold(f64::INFINITY, f64::min);
        let high = points().map(of).fold(0.0, f64::max);
        (low / MARGIN..high * MARGIN).log_scale()
    };
    if points().next().is_none() {
        return Ok(());
    }
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut built = ChartBuilder::on(&area)
        .caption(chart.title, FONT)
        .margin(15)
        .x_label_area_size(45)
        .y_label_area_size(80)
        .build_cartesian_2d(range(|point| point.0), range(|point| point.1))?;
    built
        .configure_mesh()
        .x_desc(chart.x_label)
        .y_desc(chart.y_label)
        .label_style(SMALL_FONT)
        .light_line_style(WHITE)
        .draw()?;
    for (number, series) in all.iter().enumerate() {
        let color = Palette99::pick(number).to_rgba();
        let drawn = LineSeries::new(series.points.iter().copied(), color.stroke_width(2));
        built
            .draw_series(drawn)?
            .label(&series.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
        built.draw_series(series.points.iter().map(|point| Circle::new(*point, 3, color.filled())))?;
    }
    built
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .label_font(SMALL_FONT)
        .draw()?;
    area.present()?;
    Ok(())
}

/// A bar for each phase and way of the peer: its time over ours.
pub(crate) fn ratios(path: &Path, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    let rows: Vec<&Row> = rows.iter().filter(|row| !row.peers.is_empty()).collect();
    let medians =
        |row: &&Row| row.peers.iter().map(|peer| Spread::of(&peer.ratios).median).collect::<Vec<f64>>();
    let all: Vec<f64> = rows.iter().flat_map(medians).collect();
    if all.is_empty() {
        return Ok(());
    }
    let low = all.iter().copied().fold(1.0, f64::min) / MARGIN;
    let high = all.iter().copied().fold(1.0, f64::max) * MARGIN;
    let count = rows.len();
    let area = SVGBackend::new(path, (SIZE.0, 60 + 26 * count as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut built = ChartBuilder::on(&area)
        .caption("libpmemobj's time over ours: the line is one", FONT)
        .margin(15)
        .x_label_area_size(40)
        .y_label_area_size(170)
        .build_cartesian_2d((low..high).log_scale(), -0.6..count as f64 - 0.4)?;
    let name = |place: &f64| {
        // Labels are asked for at whole numbers, counted from below.
        let row = (count - 1).checked_sub(place.round() as usize).and_then(|index| rows.get(index));
        row.map_or(String::new(), |row| format!("{} {}", row.workload, row.phase.name))
    };
    built
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(count + 1)
        .y_label_formatter(&name)
        .x_desc("ratio")
        .label_style(SMALL_FONT)
        .light_line_style(WHITE)
        .draw()?;
    for (number, (way, label)) in
        [(Way::Transaction, "transaction"), (Way::ByHand, "by hand")].into_iter().enumerate()
    {
        let color = Palette99::pick(number).to_rgba();
        let bars = rows.iter().enumerate().flat_map(|(index, row)| {
            let bottom = (count - 1 - index) as f64 - 0.4 * number as f64;
            let peers = row.peers.iter().filter(move |peer| peer.way == way);
            peers.map(move |peer| {
                let ratio = Spread::of(&peer.ratios).median;
                Rectangle::new([(ratio.min(1.0), bottom), (ratio.max(1.0), bottom + 0.35)], color.filled())
            })
        });
        built
            .draw_series(bars)?
            .label(label)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], color.filled()));
    }
    built.draw_series(LineSeries::new([(1.0, -0.6), (1.0, count as f64 - 0.4)], BLACK.stroke_width(1)))?;
    built
        .configure_series_labels()
        .background_style(WHITE)
        .border_style(BLACK)
        .label_font(SMALL_FONT)
        .draw()?;
    area.present()?;
    Ok(())
}
