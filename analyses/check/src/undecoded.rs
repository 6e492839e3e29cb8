//! Why events are not decoded, in words, and the option of the program that would supply what is missing.

use etwkit::event::Kind;
use etwkit::trace::UndecodedReason;

/// Returns why events are not decoded.
pub const fn why(kind: Kind, missing: UndecodedReason) -> &'static str {
    match (missing, kind) {
        (UndecodedReason::Limit, _) => "the trace has more kinds of events than are kept",
        (UndecodedReason::Broken, Kind::TraceLogging) => "the TraceLogging metadata in the events cannot be read",
        (UndecodedReason::Broken, _) => "what describes them cannot be read",
        (UndecodedReason::Fields, _) => "what they are called is known, what their payload holds is not",
        (_, Kind::TraceLogging) => "they should describe themselves, but their TraceLogging metadata is missing",
        (UndecodedReason::Event, Kind::Wpp) => "other messages of it are known, these numbers are not",
        (UndecodedReason::Event, Kind::Classic) => "the class is known, this opcode in this version is not",
        (UndecodedReason::Event, _) => "the provider is known, this id in this version or a lower one is not",
        (_, Kind::Wpp) => "WPP messages, whose texts are in the symbols of the program that wrote them",
        (_, Kind::Classic) => "no description of the class is known",
        _ => "no manifest is known",
    }
}

/// Returns what would supply the rest; nothing if no file can.
pub const fn supply(kind: Kind, missing: UndecodedReason) -> Option<&'static str> {
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
}
