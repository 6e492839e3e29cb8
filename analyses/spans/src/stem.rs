//! What names of events state about spans: a stem that start and stop share, and the side.

/// The side of a span that an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Start,
    Stop,
}

const WORDS: [(&str, Side); 4] =
    [("Start", Side::Start), ("Begin", Side::Start), ("Stop", Side::Stop), ("End", Side::Stop)];
/// Events with this before the word list what is there at the begin or the end of a session.
const RUNDOWN: &str = "DC";

/// What the names of an event's type state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stem {
    /// What start and stop have in common.
    pub(crate) text: String,
    /// Its side; `None` if only its number can decide.
    pub(crate) side: Option<Side>,
}

impl Stem {
    /// Reads the names of a task and an opcode; `None` for events of a rundown.
    pub(crate) fn of(task: &str, opcode: Option<&str>) -> Option<Self> {
        if let Some((before, side)) = opcode.and_then(cut) {
            if before.ends_with(RUNDOWN) {
                return None;
            }
            let text = if before.is_empty() { task_of(task, side) } else { format!("{task}/{before}") };
            return Some(Self { text, side: Some(side) });
        }
        match cut(task) {
            Some((before, _)) if before.ends_with(RUNDOWN) => None,
            // An opcode of its own states more than the name of the task.
            Some((before, side)) if !before.is_empty() => {
                Some(Self { text: tidy(before).to_owned(), side: Some(side) })
            }
            _ => Some(Self { text: task.to_owned(), side: None }),
        }
    }
}

/// The name of a task without the side that its opcode has, too: `ProcessStart` of `ProcessStart/Start`.
fn task_of(task: &str, side: Side) -> String {
    let own = cut(task).filter(|(before, own)| *own == side && !before.is_empty());
    own.map_or(task, |(before, _)| tidy(before)).to_owned()
}

/// Returns what is before the word at the end of a name, and the side that it means.
fn cut(name: &str) -> Option<(&str, Side)> {
    WORDS.iter().find_map(|(word, side)| {
        if name.eq_ignore_ascii_case(word) {
            return Some(("", *side));
        }
        name.strip_suffix(word).map(|before| (before, *side))
    })
}

fn tidy(name: &str) -> &str {
    let tidy = name.trim_end_matches(['.', '_', '-', ':', ' ']);
    if tidy.is_empty() { name } else { tidy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_and_stop_share_a_stem() {
        let of = |task, opcode| Stem::of(task, opcode).map(|stem| (stem.text, stem.side));
        let both = |text: &str| {
            let with = |side| Some((text.to_owned(), Some(side)));
            (with(Side::Start), with(Side::Stop))
        };
        assert_eq!((of("GC", Some("Start")), of("GC", Some("Stop"))), both("GC"));
        assert_eq!((of("GC", Some("SuspendEEStart")), of("GC", Some("SuspendEEStop"))), both("GC/SuspendEE"));
        assert_eq!((of("ProcessStart", Some("Start")), of("ProcessStop", Some("Stop"))), both("Process"));
        assert_eq!((of("NDF.Start", Some("Start")), of("NDF.Stop", Some("Stop"))), both("NDF"));
        assert_eq!((of("CommandStart", None), of("CommandStop", None)), both("Command"));
        assert_eq!((of("TraceOperationBegin", None), of("TraceOperationEnd", None)), both("TraceOperation"));
        assert_eq!((of("Image", Some("DCStart")), of("ILToNativeMapDCStop", None)), (None, None));
        assert_eq!(of("Method", Some("ILToNativeMapDCStop")), None);
        assert_eq!(of("Backend", Some("Restart")), Some(("Backend".to_owned(), None)));
        assert_eq!(of("Anfrage", Some("Starten")), Some(("Anfrage".to_owned(), None)));
    }
}
