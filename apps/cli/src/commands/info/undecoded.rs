//! What cannot be decoded, in words, and the option that would supply what is missing.

use etwkit::event::{EventKey, Kind};
use etwkit::trace::{UndecodedReason, UndecodedTypes};
pub(super) use etwkit_check::undecoded::{supply, why};

use crate::text::{counted, grouped};

/// Gaps that group the same thing.
#[derive(Debug)]
pub(super) struct UndecodedGroup<'g> {
    pub(super) kind: Kind,
    pub(super) missing: UndecodedReason,
    pub(super) events: u64,
    /// The most frequent first.
    pub(super) types: Vec<&'g UndecodedTypes>,
}

/// Gaps put together by what they group, the most frequent first.
pub(super) fn group(types: &[UndecodedTypes]) -> Vec<UndecodedGroup<'_>> {
    let mut groups: Vec<UndecodedGroup<'_>> = Vec::new();
    for each in types {
        let UndecodedTypes { kind, missing, events, .. } = *each;
        match groups.iter_mut().find(|group| (group.kind, group.missing) == (kind, missing)) {
            Some(group) => {
                group.events += events;
                group.types.push(each);
            }
            None => groups.push(UndecodedGroup { kind, missing, events, types: vec![each] }),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.events));
    groups
}

impl UndecodedGroup<'_> {
    /// How many events of how many providers group what.
    pub(super) fn sentence(&self) -> String {
        let (one, many) = whose(self.kind);
        let whose = match self.types.len() {
            1 => format!("one {one}"),
            number => format!("{} {many}", grouped(number as u64)),
        };
        format!("{} of {whose}: {}", counted(self.events, "event"), why(self.kind, self.missing))
    }
}

/// What its GUIDs are called: one, several.
const fn whose(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Classic => ("event class", "event classes"),
        Kind::Wpp => ("message GUID", "message GUIDs"),
        _ => ("provider", "providers"),
    }
}

/// Whether another file of a collection may contain what is missing: merging writes manifests into one of them.
pub(super) const fn may_be_elsewhere(gap: &UndecodedTypes) -> bool {
    matches!(gap.kind, Kind::Manifest | Kind::Classic)
        && !matches!(gap.missing, UndecodedReason::Limit | UndecodedReason::Broken)
}

/// The numbers that choose an event's schema.
pub(super) fn key(key: &EventKey) -> String {
    match key.kind {
        Kind::Classic => format!("opcode {} v{}", key.opcode, key.version),
        Kind::Manifest => format!("id {} v{}", key.id, key.version),
        Kind::Wpp => format!("message {}", key.id),
        _ => format!("opcode {}", key.opcode),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_that_lack_the_same_are_one() {
        let gap = UndecodedTypes::new;
        let types = [
            gap(Kind::Wpp, UndecodedReason::Provider, 5),
            gap(Kind::Manifest, UndecodedReason::Provider, 4),
            gap(Kind::Manifest, UndecodedReason::Event, 3),
            gap(Kind::Manifest, UndecodedReason::Provider, 2),
        ];
        let found: Vec<_> = group(&types).iter().map(|group| (group.events, group.types.len())).collect();
        assert_eq!(found, [(6, 2), (5, 1), (3, 1)]);
        let text = group(&types).first().map(UndecodedGroup::sentence);
        assert_eq!(text.as_deref(), Some("6 events of 2 providers: no manifest is known"));
    }
}
