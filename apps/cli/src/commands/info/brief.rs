//! The report in one line, below one line with the names of the columns; or as a short JSON object.

use etwkit::render::terminal;
use etwkit_windows_analyses::product;
use serde_json::{Map, Value, json};

use crate::text::{grouped, share};
use crate::time_text::clock_duration;

use super::json;
use super::report::Report;
use super::uses::uses;

/// Columns of a terminal on which all is shown.
const WIDE: usize = 120;
/// Names of files are not cut below this.
const LEAST_NAME: usize = 12;

/// A column: its name, its width, and whether it is filled from the left.
type Column = (&'static str, usize, bool);

/// Columns in every terminal; the name of the file follows.
const COLUMNS: [Column; 5] =
    [("events", 10, true), ("duration", 12, true), ("decoded", 7, true), ("lost", 8, true), ("notes", 10, false)];
/// Columns that a wide line also has.
const MORE: [Column; 2] = [("windows", 18, false), ("computer", 15, false)];
const FILE: &str = "file";

/// Members of the whole object that the short one has.
const MEMBERS: [&str; 16] = [
    "file",
    "files",
    "bytes",
    "events",
    "start",
    "end",
    "duration_s",
    "os_build",
    "product",
    "computer",
    "machines",
    "decoded_events",
    "undecoded_events",
    "events_lost",
    "buffers_lost",
    "commands",
];

/// How wide lines are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Width(Option<usize>);

impl Width {
    /// As wide as the terminal of stdout; without limit if stdout is not a terminal, so that names are whole.
    pub(super) fn of_stdout() -> Self {
        Self(terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0.into()))
    }

    fn columns(self) -> impl Iterator<Item = Column> {
        let is_wide = self.0.is_none_or(|width| width >= WIDE);
        COLUMNS.into_iter().chain(MORE.into_iter().filter(move |_| is_wide))
    }

    /// Returns the end of a name that fits after the columns.
    fn cut(self, name: &str) -> String {
        let used: usize = self.columns().map(|(_, width, _)| width + GAP.len()).sum();
        let (len, room) = (name.chars().count(), self.0.map(|width| width.saturating_sub(used).max(LEAST_NAME)));
        match room {
            Some(room) if len > room => "…".chars().chain(name.chars().skip(len + 1 - room)).collect(),
            _ => name.to_owned(),
        }
    }
}

/// Between columns.
const GAP: &str = "  ";

/// Returns the names of the columns.
pub(super) fn head(width: Width) -> String {
    join(width, &COLUMNS.map(|(name, ..)| name.to_owned()), &MORE.map(|(name, ..)| name.to_owned()), FILE)
}

/// Returns the line of a report.
pub(super) fn line(report: &Report, width: Width) -> String {
    let counts = report.counts();
    let (decoded, _) = report.trace.decoded();
    let duration = report.duration().filter(|_| report.machines().len() < 2);
    let cells = [
        grouped(counts.events),
        duration.map_or_else(|| "-".to_owned(), clock_duration),
        share(decoded, counts.events),
        lost(report),
        notes(report).join(","),
    ];
    let name = width.cut(&terminal::escaped(&report.name()));
    join(width, &cells, &[windows(report), computers(report)], &name)
}

/// Returns the short JSON object of a report: chosen members of the whole one, with `notes` and the extent of damage.
pub(super) fn object(report: &Report) -> Value {
    let mut object = Map::new();
    if let Value::Object(mut whole) = json::object(report) {
        object.extend(MEMBERS.into_iter().filter_map(|key| whole.remove_entry(key)));
    }
    let mut put = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
    put("losses_known", json!(report.losses_unknown().is_none()));
    if let (ranges @ 1.., bytes) = report.damage() {
        put("damaged_ranges", json!(ranges));
        put("damaged_bytes", json!(bytes));
    }
    put("notes", json!(notes(report)));
    Value::Object(object)
}

/// Returns lost events and buffers: `3`, `3+1b`, or `?` where the session did not record it.
fn lost(report: &Report) -> String {
    match (report.lost(), report.losses_unknown()) {
        ((0, 0), Some(_)) => "?".to_owned(),
        ((events, 0), _) => grouped(events),
        ((events, buffers), _) => format!("{}+{}b", grouped(events), grouped(buffers)),
    }
}

/// Returns what is special about a trace, in a word each.
fn notes(report: &Report) -> Vec<String> {
    let damage = (report.damage().0 > 0).then(|| "damage".to_owned());
    let machines = Some(report.machines().len()).filter(|count| *count > 1).map(|count| format!("{count} machines"));
    let uses = uses(report).into_iter().map(|found| found.word.to_owned());
    damage.into_iter().chain(machines).chain(uses).collect()
}

/// Returns the versions of Windows, without the words that all have: `10 22H2`, `8.1/2012 R2`.
fn windows(report: &Report) -> String {
    let mut builds: Vec<u32> = report.machines().iter().filter_map(|machine| machine.build).collect();
    builds.dedup();
    let name = |build: &u32| match product(*build) {
        Some(name) => short(name),
        None => format!("build {build}"),
    };
    builds.iter().map(name).collect::<Vec<_>>().join(",")
}

fn short(product: &str) -> String {
    product.trim_start_matches("Windows ").replace(" or Server ", "/").replace(" or ", "/")
}

/// Returns the names of the computers, without their domains.
fn computers(report: &Report) -> String {
    let host = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let mut names: Vec<String> = match report.machines() {
        [_] => report.machine().computer.as_deref().map(host).into_iter().collect(),
        several => several.iter().filter_map(|machine| machine.computer.as_deref()).map(host).collect(),
    };
    names.dedup();
    terminal::escaped(&names.join(",")).into_owned()
}

/// Joins cells and the name of the file.
fn join(width: Width, cells: &[String; COLUMNS.len()], more: &[String; MORE.len()], name: &str) -> String {
    let mut line = String::new();
    for ((_, width, is_right), cell) in width.columns().zip(cells.iter().chain(more)) {
        let fill = " ".repeat(width.saturating_sub(cell.chars().count()));
        let (before, after) = if is_right { (fill.as_str(), "") } else { ("", fill.as_str()) };
        line.extend([before, cell, after, GAP]);
    }
    line + name + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_terminals() {
        let name = "a/".repeat(60) + "trace.etl";
        for (width, columns) in [(80, 5), (119, 5), (120, 7), (200, 7)] {
            let width_of = Width(Some(width));
            let cut = width_of.cut(&name);
            assert_eq!(width_of.columns().count(), columns);
            let cells = COLUMNS.map(|(_, width, _)| "x".repeat(width));
            let line = join(width_of, &cells, &MORE.map(|(_, width, _)| "y".repeat(width)), &cut);
            assert_eq!(line.trim_end().chars().count(), width, "{line}");
            assert!(cut.ends_with("a/trace.etl"), "{cut}");
        }
        assert_eq!((Width(Some(80)).cut("b.etl"), Width(None).cut(&name)), ("b.etl".to_owned(), name));
        let head = "    events      duration  decoded      lost  notes       file\n";
        assert_eq!(super::head(Width(Some(80))), head);
    }

    #[test]
    fn products_are_short() {
        let names = ["Windows 10 22H2", "Windows 7 SP1 or Server 2008 R2 SP1", "Windows Server 2003 or XP x64"];
        assert_eq!(names.map(short), ["10 22H2", "7 SP1/2008 R2 SP1", "Server 2003/XP x64"]);
    }
}
