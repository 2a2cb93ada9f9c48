//! The tables, for a terminal.

use std::fmt::Write;

use super::{modelled_ns, way_name};
use crate::contestant::Cost;
use crate::measure::statistics::{Spread, geometric_mean};
use crate::measure::{PeerRow, Row};
use crate::operation::Way;
use crate::options::Options;
use crate::workload::Group;

/// Everything that a person wants to see of a run.
pub(crate) fn text(options: &Options, rows: &[Row], line_and_fence: Spread) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut out, options, rows, line_and_fence);
    out
}

fn write(out: &mut String, options: &Options, rows: &[Row], line_and_fence: Spread) -> std::fmt::Result {
    let (elements, ops) = (options.scale.elements, options.scale.ops);
    writeln!(out, "{elements} elements, {ops} operations a phase, pools in {}.", options.folder.display())?;
    writeln!(
        out,
        "Processor times: medians over rounds, in ns an operation; [8 of 10 rounds]. One line and one fence: {:.0} ns [{:.0} {:.0}].\n",
        line_and_fence.median, line_and_fence.low, line_and_fence.high
    )?;
    times(out, rows)?;
    limits(out, rows)?;
    costs(out, rows)?;
    means(out, rows)
}

fn times(out: &mut String, rows: &[Row]) -> std::fmt::Result {
    writeln!(out, "Time. Ratio: the peer's time over ours, of turns that followed each other.")?;
    writeln!(
        out,
        "{:26}{:>7} {:17}{:>12}{:>7} {:14}{:>10}{:>7} {:14}",
        "", "ours", "", "transaction", "ratio", "", "by hand", "ratio", ""
    )?;
    for row in rows {
        let ours = Spread::of(&row.ours_ns);
        write!(out, "{}{:>7.0} {:17}", title(row), ours.median, range(ours, 0))?;
        for (way, width) in [(Way::Transaction, 12), (Way::ByHand, 10)] {
            let Some(peer) = peer_of(row, way) else { continue };
            let (ns, ratio) = (Spread::of(&peer.ns), Spread::of(&peer.ratios));
            write!(out, "{:>width$.0}{:>7.2} {:14}", ns.median, ratio.median, range(ratio, 1))?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}

fn limits(out: &mut String, rows: &[Row]) -> std::fmt::Result {
    writeln!(
        out,
        "Limits. Bare: our lines written back side by side, and one fence. Append: one line, one fence."
    )?;
    writeln!(out, "Distance: our time over the sum of volatile and bare.")?;
    writeln!(
        out,
        "{:26}{:>7}{:>10}{:>10}{:>8}{:>8}{:>10}",
        "", "ours", "no w.b.", "volatile", "bare", "append", "distance"
    )?;
    for row in rows.iter().filter(|row| row.phase.group != Group::Lookup) {
        let [ours, without, volatile] =
            [&row.ours_ns, &row.without_write_backs_ns, &row.volatile_ns].map(|ns| Spread::of(ns).median);
        writeln!(
            out,
            "{}{ours:>7.0}{without:>10.0}{volatile:>10.0}{:>8.0}{:>8.0}{:>10.2}",
            title(row),
            row.bare_ns,
            row.append_ns,
            ours / (volatile + row.bare_ns)
        )?;
    }
    writeln!(out)
}

fn costs(out: &mut String, rows: &[Row]) -> std::fmt::Result {
    writeln!(
        out,
        "Costs of an operation: lines written back, fences, bytes written, bytes allocated, and the time on Optane"
    )?;
    writeln!(out, "after the paper's model (63.5 ns a line, 289.5 a fence, and the time without either).")?;
    writeln!(
        out,
        "{:26}{:15}{:>8}{:>8}{:>9}{:>11}{:>9}{:>7}",
        "", "", "lines", "fences", "written", "allocated", "Optane", "ratio"
    )?;
    for row in rows.iter().filter(|row| row.phase.group != Group::Lookup) {
        let ours_ns = modelled_ns(row.cost, Spread::of(&row.volatile_ns).median);
        writeln!(out, "{}{:15}{}{ours_ns:>9.0}", title(row), "ours", cost_columns(row.cost))?;
        for peer in &row.peers {
            let Some(counted) = peer.cost else { continue };
            let ns = modelled_ns(counted.cost, counted.volatile_ns);
            let columns = cost_columns(counted.cost);
            writeln!(out, "{:26}{:15}{columns}{ns:>9.0}{:>7.2}", "", way_name(peer.way), ns / ours_ns)?;
        }
    }
    writeln!(out)
}

fn cost_columns(cost: Cost) -> String {
    format!(
        "{:>8.2}{:>8.2}{:>9.0}{:>11.0}",
        cost.lines, cost.fences, cost.written_bytes, cost.allocated_bytes
    )
}

fn means(out: &mut String, rows: &[Row]) -> std::fmt::Result {
    if rows.iter().all(|row| row.peers.is_empty()) {
        return writeln!(out, "No peer: built without the feature `pmdk`.");
    }
    writeln!(out, "Geometric means of the ratios. Best: beside the peer's better way.")?;
    writeln!(out, "{:26}{:>12}{:>8}{:>20}{:>8}", "", "transaction", "best", "Optane transaction", "best")?;
    for group in Group::MEASURED {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.phase.group == group).collect();
        let mean = |ratio: fn(&Row, &PeerRow) -> Option<f64>, is_best: bool| {
            let of = |row: &&Row| {
                let transaction = peer_of(row, Way::Transaction).and_then(|peer| ratio(row, peer));
                let any = row.peers.iter().filter_map(|peer| ratio(row, peer)).min_by(f64::total_cmp);
                if is_best { any } else { transaction }
            };
            geometric_mean(rows.iter().filter_map(of)).map_or("-".to_owned(), |mean| format!("{mean:.2}"))
        };
        writeln!(
            out,
            "{:26}{:>12}{:>8}{:>20}{:>8}",
            group.name(),
            mean(measured, false),
            mean(measured, true),
            mean(modelled, false),
            mean(modelled, true)
        )?;
    }
    Ok(())
}

fn measured(_row: &Row, peer: &PeerRow) -> Option<f64> {
    Some(Spread::of(&peer.ratios).median)
}

fn modelled(row: &Row, peer: &PeerRow) -> Option<f64> {
    let counted = peer.cost?;
    let ours_ns = modelled_ns(row.cost, Spread::of(&row.volatile_ns).median);
    Some(modelled_ns(counted.cost, counted.volatile_ns) / ours_ns)
}

fn peer_of(row: &Row, way: Way) -> Option<&PeerRow> {
    row.peers.iter().find(|peer| peer.way == way)
}

fn title(row: &Row) -> String {
    format!("{:10}{:16}", row.workload, row.phase.name)
}

fn range(spread: Spread, digits: usize) -> String {
    format!("[{:.digits$} {:.digits$}]", spread.low, spread.high)
}
