//! Growth: what an operation costs in structures of different sizes and in sections of different lengths, what an element
//! takes, and how long opening takes.
//!
//! The first three are runs of the ordinary workloads at other scales, so all of it is checked against the twins, too.

mod recovery;
mod sections;

use std::error::Error;

use serde_json::{Value, json};

use crate::bare::Bare;
use crate::measure::statistics::Spread;
use crate::measure::{Row, measure};
use crate::operation::Way;
use crate::options::Options;
use crate::report::plot::{self, Chart, Series};
use crate::workload::{self, Group, Scale, Workload};

/// The subcommand.
pub(crate) const SUBCOMMAND: &str = "growth";
/// The structures whose sizes vary.
const STRUCTURES: &[&str] = &["map", "set", "stack", "queue", "vector"];
/// The smallest size.
const ELEMENTS_MIN: u64 = 1_000;

/// One number of a curve.
#[derive(Clone, Debug)]
struct Point {
    curve: &'static str,
    series: String,
    x: f64,
    ours_ns: f64,
    transaction_ns: Option<f64>,
    lines: f64,
}

/// Measures all curves, prints them, and writes what is asked for.
///
/// # Errors
/// As [`measure`]; a file that cannot be written.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let bare = Bare::new(&options.folder)?;
    let (sizes, memory) = sizes(options, &bare)?;
    let sections = section_lengths(options, &bare)?;
    let recovery = recovery::measure(options)?;
    print_points("Elements", &sizes);
    print_points("Operations in a section", &sections);
    println!("Memory: bytes of nodes an element");
    memory.iter().for_each(|(name, elements, bytes)| println!("{name:10}{elements:>12}{bytes:>10.1}"));
    println!("\nOpening: live MiB, ms with one thread, ms with two");
    recovery.iter().for_each(|[mib, one, two]| println!("{mib:>10.1}{one:>10.1}{two:>10.1}"));
    if let Some(path) = &options.json {
        let points = |points: &[Point]| points.iter().map(point_json).collect::<Vec<Value>>();
        let all = json!({
            "sizes": points(&sizes), "sections": points(&sections), "memory": memory, "recovery": recovery,
        });
        std::fs::write(path, format!("{all:#}\n"))?;
    }
    if let Some(folder) = &options.plot {
        std::fs::create_dir_all(folder)?;
        let chart = |title, x| Chart { title, x_label: x, y_label: "ns an operation" };
        plot::lines(&folder.join("sizes.svg"), chart("One change a section", "elements"), &series(&sizes))?;
        let title = "Changes of a structure of a million elements";
        plot::lines(
            &folder.join("sections.svg"),
            chart(title, "operations in a section"),
            &series(&sections),
        )?;
        let threads = |name: &str, column: usize| Series {
            name: name.to_owned(),
            points: recovery.iter().map(|row| (row[0], row[column])).collect(),
        };
        let chart = Chart { title: "Opening", x_label: "live MiB", y_label: "ms" };
        plot::lines(
            &folder.join("recovery.svg"),
            chart,
            &[threads("one thread", 1), threads("two threads", 2)],
        )?;
    }
    Ok(())
}

/// Curves over the number of elements, and the bytes of nodes of each size.
#[expect(clippy::type_complexity, reason = "two tables, used once")]
fn sizes(
    options: &Options,
    bare: &Bare,
) -> Result<(Vec<Point>, Vec<(&'static str, u64, f64)>), Box<dyn Error>> {
    let (mut points, mut memory) = (Vec::new(), Vec::new());
    let mut elements = ELEMENTS_MIN;
    while elements <= options.scale.elements {
        let scale = Scale { elements, ops: options.scale.ops };
        for workload in workload::all(scale).iter().filter(|workload| STRUCTURES.contains(&workload.name())) {
            eprintln!("{}, {elements} elements", workload.name());
            let rows = measure(workload.as_ref(), options, bare)?;
            let changes = rows.iter().filter(|row| row.phase.batch == 1 && row.phase.group != Group::Lookup);
            points.extend(changes.map(|row| point("elements", row, &row.phase.name, elements as f64)));
            memory.push((workload.name(), elements, loaded_bytes(workload.as_ref(), options)?));
        }
        elements *= 10;
    }
    Ok((points, memory))
}

/// Bytes of nodes for each element of a structure that was just loaded.
fn loaded_bytes(workload: &dyn Workload, options: &Options) -> Result<f64, Box<dyn Error>> {
    use crate::operation::Turn;
    let mut ours = workload.ours(&options.folder, crate::ours::Medium::Volatile)?;
    let phase = workload.phases().remove(0);
    let ops = workload.ops(&phase, phase.first..phase.first + phase.count);
    let (action, batch) = (phase.action, phase.batch);
    ours.run(&Turn { action, way: Way::Transaction, roots: phase.roots, batch, ops: &ops });
    Ok(ours.live_bytes().unwrap_or_default() / phase.count as f64)
}

/// Curves over the number of operations in a section.
fn section_lengths(options: &Options, bare: &Bare) -> Result<Vec<Point>, Box<dyn Error>> {
    let mut points = Vec::new();
    for workload in workload::all(options.scale) {
        let Some(action) = sections::action_of(workload.name()) else { continue };
        let workload = sections::Lengths { inner: workload, action, ops: options.scale.ops };
        eprintln!("{}, sections of different lengths", workload.name());
        let rows = measure(&workload, options, bare)?;
        let name = |row: &Row| row.phase.name.split(' ').next().unwrap_or_default().to_owned();
        points.extend(rows.iter().map(|row| point("section", row, &name(row), row.phase.batch as f64)));
    }
    Ok(points)
}

fn point(curve: &'static str, row: &Row, phase: &str, x: f64) -> Point {
    let transaction = row.peers.iter().find(|peer| peer.way == Way::Transaction);
    Point {
        curve,
        series: format!("{} {phase}", row.workload),
        x,
        ours_ns: Spread::of(&row.ours_ns).median,
        transaction_ns: transaction.map(|peer| Spread::of(&peer.ns).median),
        lines: row.cost.lines,
    }
}

fn point_json(point: &Point) -> Value {
    json!({
        "curve": point.curve, "series": point.series, "x": point.x, "ours_ns": point.ours_ns,
        "transaction_ns": point.transaction_ns, "lines": point.lines,
    })
}

fn print_points(title: &str, points: &[Point]) {
    println!("{title}: ours ns, lines, transaction ns");
    for point in points {
        let transaction = point.transaction_ns.map_or("-".to_owned(), |ns| format!("{ns:.0}"));
        println!(
            "{:20}{:>12}{:>10.0}{:>8.2}{transaction:>10}",
            point.series, point.x, point.ours_ns, point.lines
        );
    }
    println!();
}

/// One line for each kind of operation, and one for the peer's transaction.
fn series(points: &[Point]) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    let mut add = |name: String, x: f64, y: f64| match all.iter_mut().find(|series| series.name == name) {
        Some(series) => series.points.push((x, y)),
        None => all.push(Series { name, points: vec![(x, y)] }),
    };
    for point in points {
        add(point.series.clone(), point.x, point.ours_ns);
        if let Some(ns) = point.transaction_ns {
            add(format!("{}, PMDK", point.series), point.x, ns);
        }
    }
    all
}
