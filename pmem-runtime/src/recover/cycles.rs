//! Nodes that lie below themselves: no section makes one, and whoever follows pointers through one does not come back.
//!
//! A cycle that the root reaches is entered somewhere, and the node where it is entered has two owners: the one outside and the
//! one on the cycle. So only what lies below nodes with several owners is walked a second time. That is nothing where no version is
//! kept, and everything where the root's first child is shared: half of the time of marking again, which is why it is done on
//! request.

use super::relocate::judged;
use super::{Image, MarkError, Marked, Starts};
use crate::persist::Registry;

/// What is next on the way: a node, or the end of all that lies below it.
enum Step {
    Enter(u64),
    Leave(u64),
}

/// Requires that no node of a graph lies below itself. It was found by marking this image.
///
/// Complexity: linear in the bytes of the nodes below shared ones. Memory: two bits a line of the heap, and the way down.
///
/// # Errors
/// [`MarkError::Cycle`].
pub(crate) fn refuse_cycles(
    image: &Image<'_>,
    registry: &Registry,
    marked: &Marked,
) -> Result<(), MarkError> {
    if marked.shared.is_empty() {
        return Ok(());
    }
    let heap = image.space().heap;
    let (entered, left) = (Starts::new(heap), Starts::new(heap));
    let mut steps: Vec<Step> = marked.shared.iter().map(|node| Step::Enter(*node)).collect();
    let mut edges = Vec::new();
    while let Some(step) = steps.pop() {
        let offset = match step {
            Step::Enter(offset) => offset,
            Step::Leave(offset) => {
                left.insert(offset);
                continue;
            }
        };
        if !entered.insert(offset) {
            if left.contains(offset) {
                continue;
            }
            return Err(MarkError::Cycle { offset });
        }
        judged(image, registry, offset, &mut edges)?;
        steps.push(Step::Leave(offset));
        steps.extend(edges.drain(..).map(|edge| Step::Enter(edge.target)));
    }
    Ok(())
}
