//! Starts and stops whose names differ by a slip of their manifest, such as `LoaderDeliverEventPhaseStart` and
//! `LoaderDeliverEventsPhaseStop`.

use std::collections::{HashMap, HashSet};

use etwkit::bytes::Guid;

use crate::family::{Families, FamilyId};

/// What a type of events is for spans.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) family: FamilyId,
    pub(crate) is_stop: bool,
    /// Provider, task, id and opcode of a manifest's event that is nothing else.
    pub(crate) number: Option<(Guid, u16, u16, u8)>,
}

/// Returns spans without a start, by what they are: spans without a stop whose start is the event and the opcode
/// before, of the same task, and whose name differs in one letter. Numbers alone do not state what belongs together: in
/// the runtime's manifest, the opcode after `RestartEEStart` is that of `SuspendEEStop`.
pub(crate) fn joined(ends: &[End], families: &Families) -> HashMap<FamilyId, FamilyId> {
    let has_start: HashSet<FamilyId> = ends.iter().filter(|end| !end.is_stop).map(|end| end.family).collect();
    let has_stop = |family| families.get(family).is_some_and(|family| family.can_end);
    let is_lone = |end: &&End| if end.is_stop { !has_start.contains(&end.family) } else { !has_stop(end.family) };
    let (stops, starts): (Vec<&End>, Vec<&End>) = ends.iter().filter(is_lone).partition(|end| end.is_stop);
    let starts: HashMap<_, FamilyId> = starts.iter().filter_map(|end| Some((end.number?, end.family))).collect();
    let start_of = |stop: &End| {
        let (provider, task, id, opcode) = stop.number?;
        let start = *starts.get(&(provider, task, id.checked_sub(1)?, opcode.checked_sub(1)?))?;
        is_one_edit(families.names(start).1, families.names(stop.family).1).then_some((stop.family, start))
    };
    stops.into_iter().filter_map(start_of).collect()
}

/// Returns whether two names differ in one letter: another one, or one more.
fn is_one_edit(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a.as_bytes(), b.as_bytes()) } else { (b.as_bytes(), a.as_bytes()) };
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short_rest, long_rest) = (short.get(same..).unwrap_or_default(), long.get(same + 1..).unwrap_or_default());
    match long.len() - short.len() {
        0 => short.len() > same && short_rest.get(1..) == Some(long_rest),
        1 => short_rest == long_rest,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_ends_with_a_slip_are_joined() {
        let provider = Guid::from_u128(7);
        let mut families = Families::default();
        let mut end = |name: &str, is_stop, (id, opcode)| {
            let family = families.add(provider, "P", name);
            if is_stop {
                families.can_end(family);
            }
            End { family, is_stop, number: Some((provider, 9, id, opcode)) }
        };
        let ends = [
            end("Binding/LoaderDeliverEventPhase", false, (175, 67)),
            end("Binding/LoaderDeliverEventsPhase", true, (176, 68)),
            // Not the next event.
            end("Binding/A", false, (1, 11)),
            end("Binding/B", true, (3, 12)),
            // A stop that has a start.
            end("Binding/C", false, (5, 13)),
            end("Binding/D", true, (6, 14)),
            end("Binding/D", false, (8, 15)),
            // Names that only share numbers.
            end("GC/RestartEE", false, (10, 136)),
            end("GC/SuspendEE", true, (11, 137)),
        ];
        let [start, stop, ..] = ends;
        assert_eq!(joined(&ends, &families), HashMap::from([(stop.family, start.family)]));
    }

    #[test]
    fn one_letter_is_a_slip() {
        for (a, b) in [("DeliverEvent", "DeliverEvents"), ("Loopup", "Lookup"), ("a", ""), ("ab", "b"), ("ab", "ac")] {
            assert!(is_one_edit(a, b) && is_one_edit(b, a), "{a} {b}");
        }
        for (a, b) in [("", ""), ("same", "same"), ("ab", "ba"), ("RestartEE", "SuspendEE"), ("abc", "a")] {
            assert!(!is_one_edit(a, b) && !is_one_edit(b, a), "{a} {b}");
        }
    }
}
