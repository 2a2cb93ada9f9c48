//! `vacation`: a travel agency after the benchmark of the STAMP suite (Minh et al. 2008).
//!
//! Cars, flights and rooms are tables of what can be reserved; a fourth table has the customers with their reservations. Nine tasks of ten
//! look at four random offers and reserve the dearest free one of each kind; one of twenty sends a customer away, with all
//! reservations given back; the rest change stock and prices. A task is one section over up to four tables.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use pmem_runtime::{CreateFault, Durability, Fase, FaseError, Map, Persistent, Pool, Stack};

use super::{Group, Phase, Scale, Structure, Workload, pool_bytes};
use crate::contestant::{Contestant, sorted_rows};
use crate::operation::{Action, Draws, Op, Turn};
use crate::ours::{Medium, Ours, sections};

/// Cars, flights, rooms.
const KINDS: usize = 3;
/// Offers that a task looks at.
const QUERIES: usize = 4;
/// Rows of a table for each element of the scale: a tenth.
const ELEMENTS_PER_ROW: u64 = 10;
/// Rows that are filled in one section.
const FILL_BATCH: usize = 500;
/// Words of a row of the content: the table, the key, and four words.
pub(super) const ROW_WORDS: usize = 6;

#[derive(Persistent, Clone, Copy, Debug)]
#[repr(C)]
struct Resource {
    total: u64,
    used: u64,
    free: u64,
    price: u64,
}

impl Resource {
    fn new(kind: usize, id: u64) -> Resource {
        Resource { total: 100, used: 0, free: 100, price: 50 + (id * 7 + kind as u64) % 100 }
    }

    fn reserve(&mut self) {
        self.free -= 1;
        self.used += 1;
    }

    fn give_back(&mut self) {
        self.free += 1;
        self.used -= 1;
    }

    fn stock_up(&mut self, what: u64) {
        self.total += 100;
        self.free += 100;
        self.price = 50 + what / 2 % 100;
    }

    fn run_down(&mut self) {
        self.total -= 100;
        self.free -= 100;
    }
}

#[derive(Persistent, Clone, Copy, Debug)]
#[repr(C)]
struct Reservation {
    kind: u64,
    id: u64,
    price: u64,
}

#[derive(Persistent, Default)]
#[repr(C)]
struct Customer<'p> {
    reservations: Stack<'p, Reservation>,
}

#[derive(Persistent, Default)]
#[repr(C)]
struct Agency<'p> {
    rows: u64,
    tables: [Map<'p, u64, Resource>; KINDS],
    customers: Map<'p, u64, Customer<'p>>,
}

pub(super) struct Vacation {
    pub(super) scale: Scale,
}

impl Vacation {
    fn rows(&self) -> u64 {
        (self.scale.elements / ELEMENTS_PER_ROW).max(1)
    }
}

impl Workload for Vacation {
    fn name(&self) -> &'static str {
        "vacation"
    }

    fn structure(&self) -> (Structure, u64) {
        (Structure::Vacation, self.rows())
    }

    fn phases(&self) -> Vec<Phase> {
        vec![Phase::new("task", Action::Task, Group::Application).over(0, self.scale.ops)]
    }

    fn ops(&self, _phase: &Phase, numbers: Range<u64>) -> Vec<Op> {
        let at = |number| Op { key: Draws::at(7, number) % self.rows(), word: Draws::at(8, number) };
        numbers.map(at).collect()
    }

    fn ours(&self, folder: &Path, medium: Medium) -> Result<Box<dyn Contestant>, CreateFault> {
        let bytes = pool_bytes(4 * self.rows() + 3 * self.scale.ops, 300);
        let ours = Ours::<Agency<'static>>::new(folder, medium, bytes, run, content)?;
        fill(ours.pool(), self.rows());
        Ok(Box::new(ours))
    }

    fn twin(&self) -> Box<dyn Contestant> {
        Box::new(Twin::new(self.rows()))
    }

    fn peer_bytes(&self) -> u64 {
        pool_bytes(4 * self.rows() + 3 * self.scale.ops, 300)
    }
}

fn fill(pool: &Pool<Agency<'static>>, rows: u64) {
    let ids: Vec<u64> = (0..rows).collect();
    for slice in ids.chunks(FILL_BATCH) {
        let filled = pool.fase_once(Durability::Immediate, |tx, agency| {
            agency.rows = rows;
            for (kind, table) in agency.tables.iter_mut().enumerate() {
                table.extend(tx, slice.iter().map(|id| (*id, Resource::new(kind, *id))));
            }
            Ok::<(), FaseError>(())
        });
        filled.expect("a section of a pool in memory fails only for want of memory");
    }
}

/// What a task does, decided by its first draw; the second is the sequence that goes on.
enum Task {
    Reserve(Draws),
    Leave,
    Restock(Draws),
}

impl Task {
    fn of(op: &Op) -> Task {
        let mut draws = Draws(op.word);
        match draws.draw() % 100 {
            0..90 => Task::Reserve(draws),
            90..95 => Task::Leave,
            _ => Task::Restock(draws),
        }
    }
}

/// The dearest free offer of each kind among those that a task looks at: its number and price.
fn choose<'r>(
    mut draws: Draws,
    rows: u64,
    offer: impl Fn(usize, u64) -> Option<&'r Resource>,
) -> [Option<(u64, u64)>; KINDS] {
    let mut best = [None; KINDS];
    for _ in 0..QUERIES {
        let (kind, id) = ((draws.draw() % KINDS as u64) as usize, draws.draw() % rows);
        let free = offer(kind, id).filter(|offer| offer.free > 0);
        if let Some(offer) = free.filter(|offer| best[kind].is_none_or(|(_, price)| offer.price > price)) {
            best[kind] = Some((id, offer.price));
        }
    }
    best
}

fn task<'f>(tx: &'f Fase<'f>, agency: &mut Agency<'f>, op: &Op) -> u64 {
    match Task::of(op) {
        Task::Reserve(draws) => reserve(tx, agency, op.key, draws),
        Task::Leave => leave(tx, agency, op.key),
        Task::Restock(draws) => restock(tx, agency, draws),
    }
}

fn reserve<'f>(tx: &'f Fase<'f>, agency: &mut Agency<'f>, customer: u64, draws: Draws) -> u64 {
    let best = choose(draws, agency.rows, |kind, id| agency.tables[kind].get(&id));
    if best.iter().all(Option::is_none) {
        return 0;
    }
    let mut sum = 0;
    let reservations = &mut agency.customers.entry(tx, customer).or_default().reservations;
    for (kind, (id, price)) in best.into_iter().enumerate().filter_map(|(kind, best)| Some((kind, best?))) {
        agency.tables[kind].get_mut(tx, &id).expect("it was there").reserve();
        reservations.push(tx, Reservation { kind: kind as u64, id, price });
        sum += price;
    }
    sum
}

fn leave<'f>(tx: &'f Fase<'f>, agency: &mut Agency<'f>, customer: u64) -> u64 {
    let Some(customer) = agency.customers.remove(tx, &customer) else { return 0 };
    let mut bill = 0;
    for had in &customer.reservations {
        agency.tables[had.kind as usize].get_mut(tx, &had.id).expect("it was reserved").give_back();
        bill += had.price;
    }
    bill
}

fn restock<'f>(tx: &'f Fase<'f>, agency: &mut Agency<'f>, mut draws: Draws) -> u64 {
    for _ in 0..QUERIES {
        let (kind, id) = ((draws.draw() % KINDS as u64) as usize, draws.draw() % agency.rows);
        let what = draws.draw();
        let table = &mut agency.tables[kind];
        if what.is_multiple_of(2) {
            table.get_mut(tx, &id).expect("rows are never removed").stock_up(what);
        } else if table[&id].free >= 100 {
            table.get_mut(tx, &id).expect("rows are never removed").run_down();
        }
    }
    1
}

fn run(pool: &Pool<Agency<'static>>, turn: &Turn<'_>) -> u64 {
    sections(pool, turn, task)
}

fn content(agency: &Agency<'static>) -> Vec<u64> {
    let tables = agency.tables.iter().map(|table| table.iter().collect());
    let customers =
        agency.customers.iter().map(|(id, customer)| (*id, customer.reservations.iter().collect()));
    rows(tables.collect(), customers.collect())
}

/// Customers are given with their reservations, the newest first.
fn rows(tables: Vec<Vec<(&u64, &Resource)>>, customers: Vec<(u64, Vec<&Reservation>)>) -> Vec<u64> {
    let mut words = Vec::new();
    for (kind, table) in tables.iter().enumerate() {
        for (id, row) in table {
            words.extend([kind as u64, **id, row.total, row.used, row.free, row.price]);
        }
    }
    for (id, reservations) in customers {
        let mut digest = [reservations.len() as u64, 0, 0, 0];
        for had in reservations {
            for (word, part) in digest[1..].iter_mut().zip([had.kind, had.id, had.price]) {
                *word = word.wrapping_mul(31).wrapping_add(part);
            }
        }
        words.extend([KINDS as u64, id]);
        words.extend(digest);
    }
    sorted_rows(&words, ROW_WORDS, 1)
}

struct Twin {
    rows: u64,
    tables: [HashMap<u64, Resource>; KINDS],
    customers: HashMap<u64, Vec<Reservation>>,
}

impl Twin {
    fn new(rows: u64) -> Twin {
        let table = |kind| (0..rows).map(|id| (id, Resource::new(kind, id))).collect();
        Twin { rows, tables: std::array::from_fn(table), customers: HashMap::new() }
    }

    fn row(&mut self, kind: u64, id: u64) -> &mut Resource {
        self.tables[kind as usize].get_mut(&id).expect("rows are never removed")
    }

    fn reserve(&mut self, customer: u64, draws: Draws) -> u64 {
        let best = choose(draws, self.rows, |kind, id| self.tables[kind].get(&id));
        let mut sum = 0;
        for (kind, (id, price)) in (0..).zip(best).filter_map(|(kind, best)| Some((kind, best?))) {
            self.row(kind, id).reserve();
            self.customers.entry(customer).or_default().push(Reservation { kind, id, price });
            sum += price;
        }
        sum
    }

    fn leave(&mut self, customer: u64) -> u64 {
        let reservations = self.customers.remove(&customer).unwrap_or_default();
        for had in &reservations {
            self.row(had.kind, had.id).give_back();
        }
        reservations.iter().map(|had| had.price).sum()
    }

    fn restock(&mut self, mut draws: Draws) -> u64 {
        for _ in 0..QUERIES {
            let (kind, id, what) = (draws.draw() % KINDS as u64, draws.draw() % self.rows, draws.draw());
            let row = self.row(kind, id);
            if what.is_multiple_of(2) {
                row.stock_up(what);
            } else if row.free >= 100 {
                row.run_down();
            }
        }
        1
    }
}

impl Contestant for Twin {
    fn run(&mut self, turn: &Turn<'_>) -> u64 {
        let mut each = |op: &Op| match Task::of(op) {
            Task::Reserve(draws) => self.reserve(op.key, draws),
            Task::Leave => self.leave(op.key),
            Task::Restock(draws) => self.restock(draws),
        };
        turn.ops.iter().map(&mut each).fold(0, u64::wrapping_add)
    }

    fn content(&self) -> Vec<u64> {
        let tables = self.tables.iter().map(|table| table.iter().collect());
        let customers = self.customers.iter().map(|(id, had)| (*id, had.iter().rev().collect()));
        rows(tables.collect(), customers.collect())
    }
}
