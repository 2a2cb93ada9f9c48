//! What a collection of a million elements costs: memory, lines written back, time; beside the standard library's and imbl's.
//!
//! ```text
//! cargo run --release --example footprint [-- ELEMENTS]
//! ```

#[path = "footprint/measure.rs"]
mod measure;
#[path = "footprint/pooled.rs"]
mod pooled;
#[path = "footprint/volatile.rs"]
mod volatile;

use std::error::Error;
use std::process::ExitCode;

use measure::Row;

/// Memory of the collections that are not in a pool is what the allocator gave out for them.
#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, usize::MAX);

const ELEMENTS: usize = 1_000_000;

fn main() -> ExitCode {
    let elements = match std::env::args().nth(1).map(|text| text.parse::<usize>()) {
        None => ELEMENTS,
        Some(Ok(elements)) if elements >= 1_000 => elements,
        Some(_) => {
            eprintln!("footprint: the number of elements is 1000 or more. Usage: footprint [ELEMENTS]");
            return ExitCode::from(2);
        }
    };
    match run(elements) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("footprint: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(elements: usize) -> Result<(), Box<dyn Error>> {
    println!(
        "{elements} elements of 8 bytes (maps: 8 + 8; Text and Bytes: single bytes), in random order where there is one."
    );
    println!("Pool: {}. One insertion is one section, durable when it returns.", pooled::medium());
    println!("bulk: ns per element of a load in sections of 1,000; insert, get, iterate: ns per element\n");
    println!("{}", Row::HEADER);
    for group in pooled::GROUPS {
        let pooled = (group.pooled)(elements)?;
        println!("{pooled}");
        for volatile in group.beside {
            println!("{}", volatile(elements));
        }
        println!();
    }
    Ok(())
}
