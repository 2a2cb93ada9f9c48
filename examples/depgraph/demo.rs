//! Everything at once: an import that is killed and goes on, questions, and a second version.

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::graph::ArchivePool;
use super::list::List;
use super::report;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/debian-packages.tsv");
const LABEL: &str = "bookworm";

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // Nobody misses it; the system cleans up its temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn run(batch: usize) -> Result<(), Box<dyn Error>> {
    let folder = Folder(std::env::temp_dir().join(format!("depgraph-{}", std::process::id())));
    fs::create_dir(&folder.0)?;
    let pool = folder.0.join("depgraph.pool");

    println!("-- importing {DATA}, and killing the import in the middle");
    let rows = List::read(DATA.as_ref())?.len();
    let durable = import_until_killed(&pool, batch, rows / 2)?;
    println!("killed after {durable} of {rows} rows had been reported durable");

    println!("\n-- importing again");
    report::import(&pool, DATA.as_ref(), LABEL, batch)?;

    println!("\n-- a second version: the same list without its games, and with a newer libc6");
    let edited = folder.0.join("edited.tsv");
    fs::write(&edited, edit(&fs::read_to_string(DATA)?))?;
    report::import(&pool, &edited, "edited", batch)?;

    let pool = ArchivePool::options().open(&pool)?;
    println!("\n-- stats");
    report::stats(&pool)?;
    println!("\n-- diff {LABEL} edited");
    report::diff(&pool, LABEL, "edited")?;
    println!("\n-- query git");
    report::query(&pool, "git")?;
    println!("\n-- why libreoffice zlib1g");
    report::why(&pool, "libreoffice", "zlib1g")?;
    println!("\n-- closure firefox-esr");
    report::closure(&pool, "firefox-esr")?;
    println!("\n-- top 5");
    report::top(&pool, 5)?;
    pool.close()?;
    Ok(())
}

/// Runs an import in a process of its own, and kills it once it has reported so many rows. Returns how many it had reported.
fn import_until_killed(pool: &Path, batch: usize, rows: usize) -> Result<usize, Box<dyn Error>> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg("--pool")
        .arg(pool)
        .args(["--batch", &batch.to_string(), "import", DATA, LABEL])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let lines = BufReader::new(child.stdout.take().expect("the child's output is a pipe")).lines();
    let mut durable = 0;
    for line in lines {
        let line = line?;
        let reported = line.split_once(" of ").and_then(|(number, _)| number.parse().ok());
        durable = reported.unwrap_or(durable);
        if durable >= rows {
            // SIGKILL: no handler runs, nothing is flushed.
            child.kill()?;
            break;
        }
    }
    child.wait()?;
    Ok(durable)
}

/// A list as a later release could be.
fn edit(list: &str) -> String {
    let mut edited = String::with_capacity(list.len());
    for line in list.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields.get(2) == Some(&"games") {
            continue;
        }
        match fields[..] {
            ["libc6", version, ref rest @ ..] => {
                edited.push_str(&format!("libc6\t{version}+1\t{}\n", rest.join("\t")));
            }
            _ => edited.extend([line, "\n"]),
        }
    }
    edited
}
