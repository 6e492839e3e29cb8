//! Lines of the log of IIS, which IIS writes as events where a site logs to ETW (Microsoft-Windows-IIS-Logging).
//!
//! The fields are called as in the W3C extended log file format. They are found by these names, so that any layout will
//! do: that of the trace itself or of a manifest.

use etwkit::bytes::Guid;
use etwkit::codes::Codes;
use etwkit::decode::Event;

use crate::request_key::RequestKey;
use crate::server_event::{ServerEvent, number, short_name, status, text};

/// Microsoft-Windows-IIS-Logging.
pub(crate) const PROVIDER: Guid = Guid::from_u128(0x7e8ad27f_b271_4ea2_a783_a47bde29143b);
/// The event with a line of the log.
const LINE: u16 = 6200;
/// What a line has in place of a value that is not there.
const NONE: &str = "-";

/// Reads an event of the provider; `None` if it is not a line of a log.
pub(crate) fn read(event: &Event<'_>) -> Option<ServerEvent> {
    if event.raw().id() != LINE {
        return None;
    }
    let activity = event.raw().activity_id();
    let key = RequestKey::of_log_line(activity, event.raw().place());
    let is_own = matches!(key, RequestKey::LogLine(_));
    let given = |name| text(event, name).filter(|text| text != NONE);
    let url = given("cs-uri-stem").map(|stem| match given("cs-uri-query") {
        Some(query) => format!("{stem}?{query}"),
        None => stem,
    });
    Some(ServerEvent {
        file: event.raw().place().file,
        machine: event.system().machine.number,
        key: Some(key),
        activity: activity.filter(|_| !is_own),
        is_request: true,
        stage: short_name(event),
        client: given("c-ip"),
        verb: given("cs-method"),
        url,
        status: status(event, "sc-status", "sc-substatus"),
        error: number(event, "sc-win32-status").filter(|code| *code != 0).map(win32),
        took: number(event, "time-taken"),
    })
}

/// Returns the name of a Win32 code; the number if it has none.
fn win32(code: u64) -> String {
    let name = u32::try_from(code).ok().and_then(|code| Codes::Win32.name(code));
    name.map_or_else(|| code.to_string(), str::to_owned)
}
