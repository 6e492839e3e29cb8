//! Facts at a glance.

use etwkit::FileTime;
use etwkit::trace::{Trace, TraceFile};
use etwkit_check::{Report, Verdict};
use etwkit_windows_analyses::{machine_facts, product};

use crate::model::{Tile, Tone};
use crate::tables::cut_text;

/// The tiles of a trace; `stacks` states how many events have a stack.
pub(crate) fn tiles(trace: &Trace, stacks: u64, check: Option<&Report>) -> Vec<Tile> {
    let mut tiles = machine(trace);
    tiles.extend(session(trace));
    tiles.push(duration(trace));
    tiles.push(number("events", "Events", trace.events_total(), Tone::Plain));
    tiles.push(lost(trace));
    tiles.push(undecoded(trace));
    tiles.push(number("stacks", "Events with stacks", stacks, Tone::Plain));
    tiles.extend(check.map(problems));
    tiles
}

fn tile(id: &'static str, label: &'static str, value: &str) -> Tile {
    Tile { id, label, value: cut_text(value), ..Tile::default() }
}

fn number(id: &'static str, label: &'static str, number: u64, tone: Tone) -> Tile {
    Tile { tone, ..tile(id, label, &number.to_string()) }
}

/// The computer, and the build of Windows.
fn machine(trace: &Trace) -> Vec<Tile> {
    let facts = machine_facts(trace);
    let machines = trace.systems().iter().filter(|system| !system.machine.files.is_empty()).count();
    let computer = match (machines, facts.computer.as_deref()) {
        (2.., _) => format!("{machines} machines"),
        (_, Some(name)) => name.to_owned(),
        (_, None) => "not recorded".to_owned(),
    };
    let hardware = [facts.megahertz.map(|mhz| format!("{mhz} MHz")), facts.memory.map(|mb| format!("{mb} MB"))];
    let processors = heads(trace).map(|file| file.head.log.processors).max().unwrap_or(0);
    let processors = Some(format!("{processors} processor{}", if processors == 1 { "" } else { "s" }));
    let detail = processors.into_iter().chain(hardware.into_iter().flatten()).collect::<Vec<_>>().join(", ");
    let mut tiles = vec![Tile { detail, ..tile("machine", "Machine", &computer) }];
    let mut builds: Vec<u32> = heads(trace).map(|file| file.head.log.os_build).filter(|build| *build > 0).collect();
    builds.sort_unstable();
    builds.dedup();
    if let Some(build) = builds.first() {
        let shown = product(*build).map_or_else(|| format!("build {build}"), str::to_owned);
        let all: Vec<String> = builds.iter().map(u32::to_string).collect();
        let detail = format!("build {}", facts.build.map_or_else(|| all.join(", "), String::from));
        tiles.push(Tile { detail: cut_text(&detail), ..tile("os", "System", &shown) });
    }
    tiles
}

fn session(trace: &Trace) -> Option<Tile> {
    let names: Vec<&str> = heads(trace).map(|file| &*file.head.log.session).filter(|name| !name.is_empty()).collect();
    let first = names.first()?;
    let detail = if names.len() > 1 { format!("and {} more", names.len() - 1) } else { String::new() };
    Some(Tile { detail, ..tile("session", "Session", first) })
}

/// From the start of the first session to the end of the last one.
fn duration(trace: &Trace) -> Tile {
    let start = heads(trace).filter_map(|file| file.head.clock.filetime(file.head.clock.zero())).min();
    let end = trace.files_with_ids().filter(|(_, file)| !file.head.is_missing());
    let end = end.filter_map(|(number, TraceFile { head, .. })| match head.log.end_time {
        FileTime(0) => head.clock.filetime(trace.counts(number)?.last_time?),
        end => Some(end),
    });
    let units = end.max().zip(start).and_then(|(end, start)| end.0.checked_sub(start.0)).filter(|units| *units >= 0);
    let value = units.map_or_else(
        || "not known".to_owned(),
        |units| format!("{:.7}", units as f64 / FileTime::UNITS_PER_SECOND as f64),
    );
    // As the heading has it; a date breaks at its hyphens.
    let from = |start: FileTime| format!("from {start}").replace('T', " ").replace('Z', " UTC");
    let detail = start.map_or_else(String::new, from);
    Tile { detail, about: DURATION, ..tile("duration", "Session lasted", &value) }
}

const DURATION: &str = "From the start of the session until it was stopped; until its last event, if it was not. Lanes \
                        end with the last event: before that, or after it where a trace was written anew.";

fn lost(trace: &Trace) -> Tile {
    let (events, buffers) = (trace.events_lost(), trace.buffers_lost());
    let is_open = trace.files().iter().any(|file| file.head.is_missing() || file.head.log.end_time.0 == 0);
    if is_open && events + buffers == 0 {
        let detail = "the session was not stopped, or its header cannot be read".to_owned();
        return Tile { detail, tone: Tone::Warn, ..tile("lost", "Lost events", "not known") };
    }
    let tone = if events + buffers > 0 { Tone::Bad } else { Tone::Good };
    let detail = match buffers {
        0 => String::new(),
        1 => "and a buffer".to_owned(),
        more => format!("and {more} buffers"),
    };
    Tile { detail, ..number("lost", "Lost events", events, tone) }
}

fn undecoded(trace: &Trace) -> Tile {
    let (_, undecoded) = trace.decoded();
    let share = undecoded as f64 * 100.0 / trace.events_total().max(1) as f64;
    let tone = if undecoded > 0 { Tone::Warn } else { Tone::Good };
    let detail =
        if undecoded > 0 { format!("{share:.2} % of all events") } else { "every event is decoded".to_owned() };
    Tile { detail, ..number("undecoded", "Undecoded events", undecoded, tone) }
}

fn problems(check: &Report) -> Tile {
    let verdict = check.verdict();
    let tone = match verdict {
        Verdict::Whole => Tone::Good,
        Verdict::Notes => Tone::Plain,
        Verdict::Incomplete => Tone::Warn,
        _ => Tone::Bad,
    };
    let count = check.findings.len() as u64 + check.unlisted;
    let detail = format!("{count} finding{}", if count == 1 { "" } else { "s" });
    Tile { detail, tone, ..tile("verdict", "The trace is", &verdict.to_string()) }
}

/// The files whose headers can be read.
fn heads(trace: &Trace) -> impl Iterator<Item = &TraceFile> {
    trace.files().iter().filter(|file| !file.head.is_missing())
}
