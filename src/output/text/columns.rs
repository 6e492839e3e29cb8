//! The columns before the data: time, level, process, thread, event. Their widths are the same for the whole trace.

use std::borrow::Cow;
use std::io::Write as _;

use crate::decode::Event;
use crate::output::PerType;
use crate::output::file_labels::file_labels;
use crate::output::names::names_of_type;
use crate::render::time::TimeCache;
use crate::render::{Zone, terminal};
use crate::select::{HeaderField, HeaderValue, level_of};
use crate::trace::Trace;

use super::name::{beginning, share_heads, short_name};
use super::paint::Paint;

/// Characters that the columns before the data fit.
const LINE: usize = 80;
/// Widest name of an event, and the widest one that others make room for.
const WIDEST_EVENT: usize = 30;
const GOOD_EVENT: usize = 20;
/// Widest process with its id, and how narrow it may become.
const WIDEST_PROCESS: usize = 18;
const LEAST_PROCESS: usize = 10;
/// Widest label of a file.
const WIDEST_FILE: usize = 14;
/// Level, thread, and the blanks after time, level, process and thread.
const BETWEEN: usize = 5 + 6 + 4;
/// Names of levels that fit their column.
const LEVELS: [&str; 6] = ["-", "crit", "error", "warn", "info", "verb"];
/// Places in `2026-01-02T03:04:05.0000000Z`.
const YEAR: usize = 4;
const DATE: usize = 10;
const MONTH: usize = 5;
const HOUR: usize = 11;
const END: usize = 27;

/// Widths and titles, found once for all threads.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The place in a time from which on it is shown: later if all events are of one day or year.
    from: usize,
    title: String,
    time: usize,
    process: usize,
    event: usize,
    /// The most characters of an event's name.
    widest_event: usize,
    /// The first digits of GUIDs do not tell providers apart.
    tails: bool,
    /// The label of each file; empty if there is only one.
    files: Box<[Box<str>]>,
}

impl Layout {
    pub(super) fn new(trace: &Trace, zone: &Zone) -> Self {
        let times = trace.first_and_last();
        let is_local = trace.has_local_times();
        let text = |time| {
            let mut out = Vec::new();
            TimeCache::new(zone.clone()).push_of(&mut out, time, is_local);
            String::from_utf8_lossy(&out).into_owned()
        };
        let (first, last) = times.map(|(first, last)| (text(first), text(last))).unwrap_or_default();
        let dates = first.get(..DATE) != last.get(..DATE);
        let from = match (dates, first.get(..YEAR) == last.get(..YEAR)) {
            (true, false) => 0,
            (true, true) => MONTH,
            (false, _) => HOUR,
        };
        let offset = match first.get(END..).unwrap_or_default() {
            "Z" => " UTC",
            "" if is_local => " local",
            offset => offset,
        };
        let (title, time) = match (zone.start().is_some(), dates) {
            (true, _) => ("time".to_owned(), first.len().max(last.len())),
            (false, true) => (offset.trim().to_owned(), END - from),
            (false, false) => (format!("{}{offset}", first.get(..DATE).unwrap_or("time")), END - HOUR),
        };
        let names = trace.types().iter().map(|row| {
            let (provider, event) = names_of_type(row);
            provider.chars().count() + 1 + event.chars().count()
        });
        let wanted = names.max().unwrap_or(0).clamp("event".len(), WIDEST_EVENT);
        let processes = trace.systems().iter().flat_map(|system| system.processes.list()).map(|(_, process)| process);
        let process = processes.map(|process| process.file_name().chars().count() + ":12345".len()).max();
        let process = process.unwrap_or(0).clamp("process".len(), WIDEST_PROCESS);
        let files = file_labels(trace, WIDEST_FILE);
        let file = files.first().map_or(0, |label| label.chars().count() + 1);
        let room = LINE.saturating_sub(time + BETWEEN + file);
        let process = process.min(room.saturating_sub(wanted.min(GOOD_EVENT)).max(LEAST_PROCESS));
        let widest_event = WIDEST_EVENT.min(room.saturating_sub(process).max(GOOD_EVENT));
        let tails = share_heads(trace.types().iter().map(|row| names_of_type(row).0));
        Self { from, title, time, process, event: wanted.min(widest_event), widest_event, tails, files }
    }

    /// The line with the names of the columns.
    pub(super) fn head(&self) -> String {
        let Self { title, time, process, event, files, .. } = self;
        let file = files.first().map_or(String::new(), |label| format!("{:<1$} ", "file", label.chars().count()));
        format!("{title:<time$} level {:<process$} {:>6} {file}{:<event$} data\n", "process", "tid", "event")
    }
}

/// What a thread keeps for the columns.
#[derive(Debug)]
pub(super) struct Columns {
    layout: Layout,
    zone_time: TimeCache,
    is_relative: bool,
    names: PerType<String>,
    text: Vec<u8>,
}

impl Columns {
    pub(super) fn new(layout: Layout, zone: &Zone) -> Self {
        let (names, text) = <_>::default();
        Self { layout, zone_time: TimeCache::new(zone.clone()), is_relative: zone.start().is_some(), names, text }
    }

    /// Appends all columns of an event; without blanks at the end.
    pub(super) fn push(&mut self, out: &mut Vec<u8>, paint: &Paint, event: &Event<'_>) {
        out.extend_from_slice(paint.time.as_bytes());
        self.push_time(out, event);
        out.extend_from_slice(paint.off.as_bytes());
        let level = level_of(event.raw(), event.schema());
        let name = level.map_or("-".into(), |level| match LEVELS.get(usize::from(level)) {
            Some(name) => Cow::Borrowed(*name),
            None => Cow::Owned(level.to_string()),
        });
        let (process, tid) = self.whose(event);
        let width = self.layout.process;
        // Writing to a vector cannot fail.
        let _ = write!(out, " {name:<5} {process:<width$} {tid:>6} ");
        if let Some(file) = self.layout.files.get(usize::from(event.raw().place().file)) {
            let _ = write!(out, "{file} ");
        }
        out.extend_from_slice(paint.name_of(level.unwrap_or(0).into()).as_bytes());
        let Layout { widest_event, tails, .. } = self.layout;
        let name = self.names.of(event, |_| short_name(event, widest_event, tails));
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(paint.off.as_bytes());
        let missing = self.layout.event.saturating_sub(name.chars().count());
        out.resize(out.len() + missing, b' ');
    }

    fn push_time(&mut self, out: &mut Vec<u8>, event: &Event<'_>) {
        self.text.clear();
        let written = if let Some(HeaderValue::Time { time, is_local }) = HeaderField::Time.value(event) {
            self.zone_time.push_of(&mut self.text, time, is_local)
        } else {
            let _ = write!(self.text, "{}", event.raw().time().0);
            false
        };
        let from = self.layout.from;
        let shown = match self.text.get(from..END).filter(|_| written && !self.is_relative) {
            Some(short) => short,
            None => &self.text,
        };
        let start = out.len();
        out.extend_from_slice(shown);
        if let Some(between) = out.get_mut(start + DATE.saturating_sub(from)).filter(|byte| **byte == b'T') {
            *between = b' ';
        }
        out.resize(out.len().max(start + self.layout.time), b' ');
    }

    /// Process with its id, and thread.
    fn whose(&self, event: &Event<'_>) -> (String, String) {
        let found = event.attribution();
        let tid = found.tid.map_or("-".into(), |tid| tid.to_string());
        let Some(pid) = found.pid.map(|pid| pid.to_string()) else { return ("-".into(), tid) };
        let Some(HeaderValue::Text(name)) = HeaderField::Process.of_attribution(found, event) else {
            return (pid, tid);
        };
        let room = self.layout.process.saturating_sub(pid.len() + 1).max(1);
        (format!("{}:{pid}", beginning(&terminal::escaped(&name), room)), tid)
    }
}
