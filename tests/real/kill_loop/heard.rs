//! What is known of a process after its death.

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::place::Place;
use crate::shop::Word;
use crate::victim::Orders;

const SIGKILL: i32 = 9;

/// What a victim said.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) opened: Option<u64>,
    pub(crate) returned: Option<u64>,
    pub(crate) durable: Option<u64>,
    pub(crate) is_closed: bool,
    /// Where it died, if it did.
    pub(crate) death: Option<Place>,
    /// How often each kind of event happened, if it lived to the end.
    pub(crate) counts: Vec<(Place, u64)>,
}

impl Heard {
    /// Lets a process live and die. An error, a sentence, if it ended in any way but the two that were ordered.
    pub(crate) fn of(orders: &Orders<'_>) -> Result<Heard, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let output = Command::new(program)
            .args(orders.to_arguments())
            .output()
            .map_err(|error| format!("the victim cannot be started: {error}"))?;
        let mut heard = Heard::default();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            heard.hear(line).ok_or_else(|| format!("the victim said \"{line}\""))?;
        }
        let was_killed = output.status.signal() == Some(SIGKILL);
        if was_killed != heard.death.is_some() || !(was_killed || output.status.success()) {
            let complaint = String::from_utf8_lossy(&output.stderr);
            return Err(format!("the victim ended by itself: {}. {}", output.status, complaint.trim()));
        }
        Ok(heard)
    }

    fn hear(&mut self, line: &str) -> Option<()> {
        if let Some(place) = line.strip_prefix("dies ") {
            self.death = Some(place.parse().ok()?);
        } else if let Some(count) = line.strip_prefix("count ") {
            let (count, place) = count.split_once(' ')?;
            self.counts.push((place.parse().ok()?, count.parse().ok()?));
        } else {
            match line.parse().ok()? {
                Word::Opened(done) => self.opened = Some(done),
                Word::Returned(done) => self.returned = Some(done),
                Word::Durable(done) => self.durable = Some(done),
                Word::Closed => self.is_closed = true,
                Word::Begun(_) | Word::Syncing | Word::Closing => {}
            }
        }
        Some(())
    }
}
