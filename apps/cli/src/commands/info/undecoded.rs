//! What cannot be decoded, in words, and the option that would supply what is missing.

use etwkit::event::{EventKey, Kind};
use etwkit::trace::{UndecodedReason, UndecodedTypes};

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

/// Why events are not decoded.
pub(super) const fn why(kind: Kind, missing: UndecodedReason) -> &'static str {
    match (missing, kind) {
        (UndecodedReason::Limit, _) => "the trace has more kinds of events than are kept",
        (UndecodedReason::Broken, Kind::TraceLogging) => "the TraceLogging metadata in the events cannot be read",
        (UndecodedReason::Broken, _) => "what describes them cannot be read",
        (UndecodedReason::Fields, _) => "what they are called is known, what their payload holds is not",
        (_, Kind::Error) => "the kernel's mark for an event that it could not write; nothing is in it",
        (_, Kind::TraceLogging) => "they should describe themselves, but their TraceLogging metadata is missing",
        (UndecodedReason::Event, Kind::Wpp) => "other messages of it are known, these numbers are not",
        (UndecodedReason::Event, Kind::Classic) => "the class is known, this opcode in this version is not",
        (UndecodedReason::Event, _) => "the provider is known, this id in this version or a lower one is not",
        (_, Kind::Wpp) => "WPP messages, whose texts are in the symbols of the program that wrote them",
        (_, Kind::Classic) => "no description of the class is known",
        _ => "no manifest is known",
    }
}

/// What would supply the rest; nothing if no file can.
pub(super) const fn supply(kind: Kind, missing: UndecodedReason) -> Option<&'static str> {
    match (missing, kind) {
        (UndecodedReason::Limit, _) | (_, Kind::TraceLogging | Kind::Error | Kind::StringOnly) => None,
        (UndecodedReason::Provider, Kind::Wpp) => {
            Some("--symbols with the program's .pdb or .tmf files, or a folder of them")
        }
        (_, Kind::Wpp) => Some("--symbols with the .pdb of the very build that was traced"),
        (_, Kind::Classic) => Some("--schemas with a .mof or .schema file that describes the class"),
        (UndecodedReason::Provider, _) => {
            Some("--schemas with the provider's manifest (.man) or its .dll, .exe or .sys")
        }
        (_, _) => Some("--schemas with the manifest (.man), .dll, .exe or .sys of the traced machine's build"),
    }
}

/// Whether another file of a collection may hold what is missing: merging writes manifests into one of them.
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

/// Its name in JSON.
pub(super) const fn name(missing: UndecodedReason) -> &'static str {
    match missing {
        UndecodedReason::Provider => "provider",
        UndecodedReason::Event => "event",
        UndecodedReason::Fields => "fields",
        UndecodedReason::Broken => "broken",
        _ => "limit",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [UndecodedReason; 5] = [
        UndecodedReason::Provider,
        UndecodedReason::Event,
        UndecodedReason::Fields,
        UndecodedReason::Broken,
        UndecodedReason::Limit,
    ];

    #[test]
    fn an_option_is_named_wherever_a_file_could_help() {
        for missing in ALL {
            for kind in [Kind::Classic, Kind::Manifest, Kind::Wpp] {
                let wanted = if kind == Kind::Wpp { "--symbols" } else { "--schemas" };
                let found = supply(kind, missing);
                assert_eq!(found.is_some(), missing != UndecodedReason::Limit, "{kind:?} {missing:?}");
                assert!(found.is_none_or(|text| text.starts_with(wanted)), "{kind:?} {missing:?}: {found:?}");
            }
            assert_eq!(supply(Kind::TraceLogging, missing), None);
        }
    }

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
