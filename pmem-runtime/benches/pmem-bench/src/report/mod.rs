//! What is printed, and what is written as JSON.

pub(crate) mod plot;
mod table;

use std::fmt::Write;

use serde_json::{Value, json};

pub(crate) use table::text;

use crate::contestant::Cost;
use crate::measure::statistics::Spread;
use crate::measure::{PeerRow, Row};
use crate::operation::Way;
use crate::options::Options;

/// Nanoseconds of a line written back and of a fence on Optane, after the paper's model: 353 ns for one of each, 82 % of which are
/// not shared by lines that are written back together.
const OPTANE_LINE_NS: f64 = 63.5;
const OPTANE_FENCE_NS: f64 = 289.5;

/// What an operation would take on Optane: its time without write-backs, and the model's for those.
fn modelled_ns(cost: Cost, volatile_ns: f64) -> f64 {
    volatile_ns + OPTANE_LINE_NS * cost.lines + OPTANE_FENCE_NS * cost.fences
}

fn way_name(way: Way) -> &'static str {
    match way {
        Way::Transaction => "transaction",
        Way::ByHand => "by hand",
    }
}

/// Every number of a run, one object a phase.
pub(crate) fn json(options: &Options, rows: &[Row]) -> String {
    let rows: Vec<Value> = rows.iter().map(row_json).collect();
    let all = json!({ "elements": options.scale.elements, "ops": options.scale.ops, "rows": rows });
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "{all:#}");
    text
}

fn row_json(row: &Row) -> Value {
    json!({
        "workload": row.workload,
        "phase": row.phase.name,
        "group": row.phase.group.name(),
        "batch": row.phase.batch,
        "ours_ns": row.ours_ns,
        "without_write_backs_ns": row.without_write_backs_ns,
        "volatile_ns": row.volatile_ns,
        "bare_ns": row.bare_ns,
        "append_ns": row.append_ns,
        "cost": cost_json(row.cost),
        "optane_ns": modelled_ns(row.cost, Spread::of(&row.volatile_ns).median),
        "peers": row.peers.iter().map(peer_json).collect::<Vec<Value>>(),
    })
}

fn peer_json(peer: &PeerRow) -> Value {
    let counted = peer.cost.map(|counted| {
        json!({
            "cost": cost_json(counted.cost),
            "volatile_ns": counted.volatile_ns,
            "optane_ns": modelled_ns(counted.cost, counted.volatile_ns),
        })
    });
    json!({ "way": way_name(peer.way), "ns": peer.ns, "ratios": peer.ratios, "counted": counted })
}

fn cost_json(cost: Cost) -> Value {
    json!({
        "lines": cost.lines,
        "fences": cost.fences,
        "written_bytes": cost.written_bytes,
        "allocated_bytes": cost.allocated_bytes,
    })
}
