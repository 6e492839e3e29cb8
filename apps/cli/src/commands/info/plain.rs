//! The report for people.

use std::fmt::Write;

use etwkit::format::{ClockType, LogFileHeader, TimeZone};
use etwkit::render::terminal;
use etwkit::system::MachineFacts;
use etwkit::{Problem, ProblemKind, Severity};
use etwkit_windows_analyses::product;

use crate::problem_text::sentence;
use crate::stacks;
use crate::text::{counted, grouped, share, size};
use crate::time_text::{duration, rfc3339};

use super::groups;
use super::layout::{Align, BAD, HEADING, fact, heading, table};
use super::machines::TracedMachine;
use super::report::Report;
use super::schemas;
use super::uses::{Use, answered, uses};

/// The whole page.
pub(super) fn page(report: &Report) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{HEADING}{}{HEADING:#}", terminal::escaped(&report.name()));
    if let Some(log) = report.log() {
        system(&mut out, log, report);
        times(&mut out, log, report);
    }
    if report.is_together() {
        together(&mut out, report);
    }
    contents(&mut out, report);
    for_commands(&mut out, report);
    for_analyses(&mut out, report);
    schemas::sources(&mut out, report);
    schemas::undecoded(&mut out, report);
    providers(&mut out, report);
    counters(&mut out, report);
    kernel(&mut out, report);
    stacks(&mut out, report);
    problems(&mut out, report);
    out
}

fn system(out: &mut String, log: &LogFileHeader, report: &Report) {
    let session = if log.session.is_empty() { "(no name)".into() } else { terminal::escaped(&log.session) };
    fact(out, "Session", &session);
    if !log.log_file.is_empty() {
        fact(out, "Written to", &terminal::escaped(&log.log_file));
    }
    let [major, minor, ..] = log.version;
    let version = format!("{major}.{minor}, build {}, {} bit", log.os_build, u64::from(log.pointer_size) * 8);
    let product = product(log.os_build).map(|product| format!("{product} ({version})"));
    fact(out, "Windows", &product.unwrap_or(version));
    machine(out, report.machine());
    let seen = report.trace.processor_numbers().len();
    fact(out, "Processors", &format!("{}, events from {seen}", log.processors));
    fact(out, "Mode", &log.mode.to_string());
}

fn machine(out: &mut String, machine: &MachineFacts) {
    if let Some(build) = &machine.build {
        fact(out, "Build", &terminal::escaped(build));
    }
    if let Some(computer) = &machine.computer {
        fact(out, "Computer", &terminal::escaped(computer));
    }
    let speed = machine.megahertz.map(|speed| format!("{} MHz", grouped(speed)));
    let memory = machine.memory.map(|memory| format!("{} MB of memory", grouped(memory)));
    let hardware: Vec<String> = [speed, memory].into_iter().flatten().collect();
    if !hardware.is_empty() {
        fact(out, "Hardware", &hardware.join(", "));
    }
}

/// Which commands are for what is in it.
fn for_commands(out: &mut String, report: &Report) {
    for (number, Use { what, command, .. }) in uses(report).into_iter().enumerate() {
        fact(out, if number == 0 { "Contains" } else { "" }, &format!("{what}: `{command}`"));
    }
}

/// Columns of a line with names of analyses.
const NAMES: usize = 90;

/// Which analyses the trace can answer.
fn for_analyses(out: &mut String, report: &Report) {
    let mut lines: Vec<String> = Vec::new();
    for name in answered(report) {
        match lines.last_mut() {
            Some(line) if line.len() + name.len() < NAMES => line.extend([", ", name]),
            Some(line) => {
                line.push(',');
                lines.push(name.to_owned());
            }
            None => lines.push(name.to_owned()),
        }
    }
    for (number, line) in lines.iter().enumerate() {
        fact(out, if number == 0 { "Analyses" } else { "" }, line);
    }
}

fn times(out: &mut String, log: &LogFileHeader, report: &Report) {
    let clock = report.clock().map_or(ClockType(0), etwkit::clock::Clock::kind);
    let rate = report.clock().map_or(0, etwkit::clock::Clock::frequency).try_into().unwrap_or(0);
    let what = match clock {
        ClockType::QPC => format!("performance counter, {} ticks per second", grouped(rate)),
        ClockType::SYSTEM => "system time, 100 ns".to_owned(),
        ClockType::CYCLES => format!("processor cycles, {} per second", grouped(rate)),
        ClockType(other) => format!("unknown ({other}): times are raw"),
    };
    fact(out, "Clock", &what);
    if let Some(start) = report.start().and_then(rfc3339) {
        fact(out, "Start", &format!("{start}  (local time there: {})", zones(&log.time_zone)));
    }
    if let Some(end) = report.end().and_then(rfc3339) {
        let stopped = if log.end_time.0 == 0 { "  (last event: the session was not stopped)" } else { "" };
        fact(out, "End", &format!("{end}{stopped}"));
    }
    if let Some(units) = report.duration() {
        fact(out, "Duration", &duration(units));
    }
    let is_local = report.has_local_times();
    if let Some((first, last)) = report.span().filter(|span| is_local || is_outside(*span, report)) {
        let why = if is_local {
            "local time there: a performance log has no other"
        } else {
            "not within the session's times: the file was rewritten or resumed"
        };
        let text = |time| report.event_time(time).unwrap_or_default();
        fact(out, "Events from", &format!("{}  ({why})", text(first)));
        fact(out, "To", &text(last));
    }
    if let Some(boot) = Some(log.boot_time).filter(|time| time.0 > 0).and_then(rfc3339) {
        fact(out, "Booted", &boot);
    }
}

/// What the files of a collection have in common.
fn together(out: &mut String, report: &Report) {
    for file in report.files() {
        fact(out, "File", &terminal::escaped(file));
    }
    let time = |time: Option<etwkit::FileTime>| time.and_then(rfc3339).unwrap_or_else(|| "not known".to_owned());
    fact(out, "Start", &time(report.start()));
    fact(out, "End", &time(report.end()));
    // From one machine's first boot to the other's last event is not a duration of anything.
    if let Some(units) = report.duration().filter(|_| report.machines().len() < 2) {
        fact(out, "Duration", &duration(units));
    }
    for machine in report.machines().iter().filter(|_| report.machines().len() > 1) {
        fact(out, "Machine", &terminal::escaped(&machine_of(machine)));
    }
}

/// Name, system and boot of a machine, and how many files are of it.
fn machine_of(machine: &TracedMachine) -> String {
    let build = || machine.build.map(|build| format!("build {build}"));
    let parts = [
        machine.computer.clone(),
        machine.product().map(str::to_owned).or_else(build),
        machine.booted.and_then(rfc3339).map(|time| format!("booted {time}")),
        Some(counted(machine.files.len() as u64, "file")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Whether events lie more than a second before the session's start or after its end.
fn is_outside((first, last): (etwkit::FileTime, etwkit::FileTime), report: &Report) -> bool {
    const SECOND: i64 = etwkit::FileTime::UNITS_PER_SECOND;
    report.start().is_some_and(|start| first.0 < start.0.saturating_sub(SECOND))
        || report.end().is_some_and(|end| last.0 > end.0.saturating_add(SECOND))
}

/// The offset of a zone, and the one that its daylight saving time has, if it has a date for that.
fn zones(rule: &TimeZone) -> String {
    match rule.offsets() {
        None => "not known, the header states an impossible zone".to_owned(),
        Some((standard, Some(daylight))) if daylight != standard => {
            format!("{}, with daylight saving {}", zone(standard), zone(daylight))
        }
        Some((standard, _)) => zone(standard),
    }
}

/// The offset of a zone whose local time is so many minutes ahead of UTC.
fn zone(offset: i32) -> String {
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
    format!("UTC{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

fn contents(out: &mut String, report: &Report) {
    let counts = report.counts();
    fact(out, "Size", &counted(report.bytes(), "byte"));
    if let Some(hash) = &report.sha256 {
        fact(out, "SHA-256", hash);
    }
    let size = report.log().map(|log| format!(" of {}", size(log.buffer_size.into()))).unwrap_or_default();
    let packed = match counts.compressed_buffers {
        0 => String::new(),
        packed => format!(", {} compressed", grouped(packed)),
    };
    fact(out, "Buffers", &format!("{}{size}{packed}", grouped(counts.buffers)));
    let (decoded, _) = report.trace.decoded();
    fact(out, "Events", &format!("{}, decoded {}", grouped(counts.events), share(decoded, counts.events)));
    match (report.lost(), report.losses_unknown()) {
        ((0, 0), Some(why)) => fact(out, "Lost", &format!("not known: {why}")),
        ((0, 0), None) => fact(out, "Lost", "nothing, as the session reports"),
        ((events, buffers), _) => {
            let lost = format!("{}, {}", counted(events, "event"), counted(buffers, "buffer"));
            fact(out, "Lost", &format!("{BAD}{lost}{BAD:#}"));
        }
    }
    match report.damage() {
        (0, _) => fact(out, "Damage", "none"),
        (ranges, bytes) => {
            let damage = format!("{}, {}", counted(ranges, "range"), counted(bytes, "byte"));
            fact(out, "Damage", &format!("{BAD}{damage}{BAD:#}"));
        }
    }
}

fn providers(out: &mut String, report: &Report) {
    let mut providers: Vec<_> = report.trace.by_provider().into_iter().collect();
    if providers.is_empty() {
        return;
    }
    providers.sort_by_key(|(guid, count)| (std::cmp::Reverse(count.events), *guid));
    let rows: Vec<_> = providers
        .iter()
        .map(|(guid, count)| {
            let name = count.name.as_deref().map_or("(no name)".into(), terminal::escaped);
            [grouped(count.events), share(count.decoded, count.events), name.into_owned(), guid.to_string()]
        })
        .collect();
    heading(out, "Providers");
    let columns = [("Events", Align::Right), ("Decoded", Align::Right), ("Name", Align::Left), ("GUID", Align::Left)];
    table(out, columns, &rows);
}

/// The counters of a performance log.
fn counters(out: &mut String, report: &Report) {
    const SHOWN: usize = 40;
    let (paths, samples) = (report.counters().paths(), report.counters().samples());
    let unreadable = report.counters().unreadable();
    if paths.len() == 0 && samples + unreadable == 0 {
        return;
    }
    heading(out, "Performance counters");
    let _ = writeln!(out, "  {} of each; times are local to the recording machine", counted(samples, "sample"));
    let unshown = paths.len().saturating_sub(SHOWN);
    for path in paths.take(SHOWN) {
        let _ = writeln!(out, "  {}", terminal::escaped(path));
    }
    if unshown > 0 {
        let _ = writeln!(out, "  and {} more; --json lists them", grouped(unshown as u64));
    }
    let unlisted = report.counters().unlisted();
    if unlisted > 0 {
        let _ = writeln!(out, "  {BAD}{} more had no room{BAD:#}", counted(unlisted, "path"));
    }
    if unreadable > 0 {
        let _ = writeln!(out, "  {BAD}{} could not be read{BAD:#}", counted(unreadable, "event"));
    }
}

fn kernel(out: &mut String, report: &Report) {
    let mut groups: Vec<_> = report.groups().into_iter().collect();
    if groups.is_empty() {
        return;
    }
    groups.sort_by_key(|(number, group)| (std::cmp::Reverse(group.events), *number));
    let rows: Vec<_> = groups
        .iter()
        .map(|(number, group)| [grouped(group.events), groups::name(*number), names(&group.names)])
        .collect();
    heading(out, "Kernel events");
    table(out, [("Events", Align::Right), ("Group", Align::Left), ("Names", Align::Left)], &rows);
}

/// How stacks and events were joined.
fn stacks(out: &mut String, report: &Report) {
    let Some(joins) = report.stacks() else { return };
    heading(out, "Stacks");
    for line in stacks::in_words(joins, report.trace.stack_counts()) {
        let _ = writeln!(out, "  {line}");
    }
}

/// The first few names.
fn names(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let text: Vec<_> = names.iter().take(SHOWN).map(|name| terminal::escaped(name)).collect();
    let more = names.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    text.join(", ") + &more
}

fn problems(out: &mut String, report: &Report) {
    const SHOWN: usize = 20;
    let (_, undecoded) = report.trace.decoded();
    if report.problems().is_empty() && undecoded == 0 {
        return;
    }
    heading(out, "Problems");
    let mut problems: Vec<&Problem> = report.problems().iter().collect();
    problems.sort_by_key(|problem| std::cmp::Reverse(problem.severity));
    for problem in problems.iter().take(SHOWN) {
        let style = if problem.severity == Severity::Note { anstyle::Style::new() } else { BAD };
        let (severity, text) = (problem.severity.name(), place(problem, report) + &sentence(problem));
        let _ = writeln!(out, "  {style}{severity:<8}{style:#}{}", terminal::escaped(&text));
    }
    let more = problems.len().saturating_sub(SHOWN) as u64 + report.trace.unlisted_problems();
    if more > 0 {
        let _ = writeln!(out, "  and {} more; --json lists them", grouped(more));
    }
    if undecoded > 0 {
        let events = counted(undecoded, "event");
        let _ =
            writeln!(out, "  note    {events} without a schema: dump gives their header, and their payload as bytes");
    }
    let mut advice: Vec<&str> = problems.iter().filter_map(|problem| advice(problem.kind)).collect();
    advice.dedup();
    let mut said = Vec::new();
    for text in advice {
        if !said.contains(&text) {
            let _ = writeln!(out, "  hint: {text}");
            said.push(text);
        }
    }
}

/// Which of several files a problem is of.
fn place(problem: &Problem, report: &Report) -> String {
    let name = report.files().nth(problem.file.index()).filter(|_| report.is_together());
    name.map(|name| format!("{name}: ")).unwrap_or_default()
}

/// What one can do about a kind of problem.
const fn advice(kind: ProblemKind) -> Option<&'static str> {
    Some(match kind {
        ProblemKind::Truncated => {
            "the file was cut off, by a copy that broke off or a full disk: fetch it again if the original is there"
        }
        ProblemKind::BadArchive => "the archive is incomplete or damaged: fetch it again",
        ProblemKind::BadBuffer
        | ProblemKind::BadEvent
        | ProblemKind::BadCompression
        | ProblemKind::BadHeader
        | ProblemKind::Slack => {
            "the file was damaged after it was written: compare its size and hash with the original; all other events are good"
        }
        ProblemKind::ZeroTail => {
            "the session did not close the file (a crash, or it was copied while recording): what was written is here"
        }
        ProblemKind::EventsLost | ProblemKind::BuffersLost => {
            "record with more or larger buffers (logman -nb, -bs; wpr -start with a larger profile) or with fewer keywords"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use etwkit::format::SystemTime;

    use super::*;

    #[test]
    fn a_zone_is_told_with_its_daylight_saving() {
        let date = |month| SystemTime { month, day: 2, hour: 2, ..SystemTime::default() };
        let (standard_date, daylight_date) = (date(11), date(3));
        let pacific = TimeZone { bias: 480, daylight_bias: -60, standard_date, daylight_date, ..TimeZone::default() };
        assert_eq!(zones(&pacific), "UTC-08:00, with daylight saving UTC-07:00");
        let india = TimeZone { bias: -330, daylight_bias: -60, ..TimeZone::default() };
        assert_eq!(zones(&india), "UTC+05:30");
        let impossible = TimeZone { bias: i32::MIN, ..TimeZone::default() };
        assert_eq!(zones(&impossible), "not known, the header states an impossible zone");
    }
}
