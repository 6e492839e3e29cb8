//! What a file states about the trace: which session it was, and what is missing.

use etwkit::Problem;
use etwkit::format::LogFileHeader;
use serde_json::Value;

use crate::problem_text;
use crate::session::Session;
use crate::time_text::rfc3339;

/// Problems that are listed.
const PROBLEMS: usize = 100;

/// Returns keys and texts. What is not known is absent.
pub(super) fn of(session: &Session) -> Vec<(String, String)> {
    let trace = session.trace();
    let logs = || trace.files().iter().filter(|file| !file.head.is_missing()).map(|file| &file.head.log);
    let joined = |text: fn(&LogFileHeader) -> &str| {
        let all: Vec<&str> = logs().map(text).filter(|text| !text.is_empty()).collect();
        (!all.is_empty()).then(|| all.join(", "))
    };
    let (_, undecoded) = trace.decoded();
    // Of one file, it is obvious.
    let several = Some(trace.files()).filter(|files| files.len() > 1);
    let file_of = |found: &Problem| several?.get(found.file.index()).map(|file| file.source.name());
    let known = || session.archive_problems().iter().chain(trace.problems());
    let problems: Vec<Value> =
        known().take(PROBLEMS).map(|found| problem_text::json_of(found, file_of(found))).collect();
    let unlisted = known().skip(PROBLEMS).count() as u64 + trace.unlisted_problems();
    let mut builds: Vec<u32> = logs().map(|log| log.os_build).collect();
    builds.sort_unstable();
    builds.dedup();
    let os_build = <[u32; 1]>::try_from(builds).ok().map(|[build]| build.to_string());
    let rows = [
        ("version", Some(env!("CARGO_PKG_VERSION").to_owned())),
        ("files", Some(trace.files().iter().map(|file| file.source.name()).collect::<Vec<_>>().join(", "))),
        ("session", joined(|log| &log.session)),
        ("computer", Some(trace.computers().join(", ")).filter(|names| !names.is_empty())),
        ("os_build", os_build),
        ("start", trace.session_start().and_then(rfc3339)),
        ("end", trace.session_end().and_then(rfc3339)),
        ("events", Some(trace.events_total().to_string())),
        ("events_undecoded", Some(undecoded.to_string())),
        ("events_lost", Some(trace.events_lost().to_string())),
        ("buffers_lost", Some(trace.buffers_lost().to_string())),
        ("problems", Some(Value::from(problems).to_string())),
        ("problems_unlisted", Some(unlisted.to_string())),
    ];
    rows.into_iter().filter_map(|(key, text)| Some((format!("etwkit.{key}"), text?))).collect()
}
