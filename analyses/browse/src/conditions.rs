//! Conditions of filters that pick the events of a facet.

use etwkit::EventType;
use etwkit::event::Kind;

/// Returns text in quotes, as filters have it.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Events without a provider are listed by the null GUID.
pub(crate) fn of_provider(name: &str) -> String {
    if name == NONE {
        return "not has header.provider".to_owned();
    }
    format!("header.provider == {}", quoted(name))
}

/// Events of types without a name are picked by their numbers.
pub(crate) fn of_event(row: &EventType) -> String {
    let key = row.key();
    let event = match (row.name(), key.kind) {
        (Some(name), _) => format!("header.event == {}", quoted(name)),
        (None, Kind::Classic) => format!("header.opcode == {} and not has header.event", key.opcode),
        (None, Kind::Error) => "header.kind == \"error\"".to_owned(),
        (None, _) => format!("header.id == {} and not has header.event", key.id),
    };
    format!("{} and {event}", of_provider(row.provider()))
}

/// Events of the kernel have no level, which counts as 0.
pub(crate) fn of_level(level: &str) -> String {
    match level {
        "0" => "(header.level == 0 or not has header.level)".to_owned(),
        _ => format!("header.level == {level}"),
    }
}

pub(crate) fn of_process(pid: &str) -> String {
    format!("header.pid == {pid}")
}

pub(crate) const NONE: &str = "00000000-0000-0000-0000-000000000000";
