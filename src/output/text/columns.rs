//! The columns before the data: time, level, process, thread, event. Their widths are the same for the whole trace.

use crate::decode::Event;
use crate::event::RawEvent;
use crate::output::PerType;
use crate::output::file_labels::file_labels;
use crate::output::names::names_of_type;
use crate::render::pen::Pen;
use crate::render::time::TimeCache;
use crate::render::{Zone, terminal};
use crate::select::{HeaderField, HeaderValue, level_of};
use crate::time::{FileTime, RawTime};
use crate::trace::Trace;

use super::name::{push_beginning, share_heads, short_name};
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
/// Widths of level and thread.
const LEVEL: usize = 5;
const TID: usize = 6;
/// Level, thread, and the blanks after time, level, process and thread.
const BETWEEN: usize = LEVEL + TID + 4;
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
    /// The place up to which it is shown: before the offset from UTC if that of all is in the title.
    end: usize,
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
        // The time stamp of an event may be no date. Those of the others are shown whole then.
        let start = trace.start().filter(|_| times.is_none() && trace.events_total() > 0);
        let times = times.or_else(|| start.map(|start| (start, start)));
        let (first, last) = times.map(|(first, last)| (text(first), text(last))).unwrap_or_default();
        let dates = start.is_some() || first.get(..DATE) != last.get(..DATE);
        let from = match (dates, start.is_none() && first.get(..YEAR) == last.get(..YEAR)) {
            (true, false) => 0,
            (true, true) => MONTH,
            (false, _) => HOUR,
        };
        let is_span = zone.start().is_some();
        let offset_of = |text: &str| text.get(END..).unwrap_or_default().to_owned();
        let (own, other) = (offset_of(&first), offset_of(&last));
        let (offset, end) = match &*own {
            // Each time has its offset where the heading cannot state one for all.
            _ if !is_span && own != other => ("", END + own.len().max(other.len())),
            "Z" => (" UTC", END),
            "" if is_local => (" local", END),
            own => (own, END),
        };
        let (title, time) = match (is_span, dates) {
            (true, _) => ("time".to_owned(), first.len().max(last.len())),
            (false, true) => (offset.trim().to_owned(), end - from),
            (false, false) => (format!("{}{offset}", first.get(..DATE).unwrap_or("time")), end - HOUR),
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
        Self { from, end, title, time, process, event: wanted.min(widest_event), widest_event, tails, files }
    }

    /// The line with the names of the columns.
    pub(super) fn head(&self) -> String {
        let Self { title, time, process, event, files, .. } = self;
        let file = files.first().map_or(String::new(), |label| format!("{:<1$} ", "file", label.chars().count()));
        format!("{title:<time$} level {:<process$} {:>6} {file}{:<event$} data\n", "process", "tid", "event")
    }
}

/// What the columns of all events share.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) layout: Layout,
    pub(super) paint: &'static Paint,
}

impl Look {
    /// Appends the level, after a blank.
    pub(super) fn push_level(out: &mut Vec<u8>, event: &Event<'_>) {
        let level = level_of(event.raw(), event.schema());
        out.push(b' ');
        match level.map(|level| (level, LEVELS.get(usize::from(level)))) {
            None => push_padded(out, "-", LEVEL),
            Some((_, Some(name))) => push_padded(out, name, LEVEL),
            Some((level, None)) => push_padded(out, itoa::Buffer::new().format(level), LEVEL),
        }
    }

    /// Appends the process with its id, between two blanks.
    pub(super) fn push_process(&self, out: &mut Vec<u8>, pid: Option<u32>, name: Option<&str>) {
        let width = self.layout.process;
        out.push(b' ');
        let mut digits = itoa::Buffer::new();
        let pid = pid.map(|pid| digits.format(pid));
        match (pid, name) {
            (Some(pid), Some(name)) => {
                let room = width.saturating_sub(pid.len() + 1).max(1);
                let name = terminal::escaped(name);
                let len = push_beginning(out, &name, room) + 1 + pid.len();
                out.push(b':');
                out.extend_from_slice(pid.as_bytes());
                out.resize(out.len() + width.saturating_sub(len), b' ');
            }
            (pid, _) => push_padded(out, pid.unwrap_or("-"), width),
        }
        out.push(b' ');
    }

    /// Returns the label of an event's file; `None` if there is only one.
    pub(super) fn file(&self, raw: &RawEvent<'_>) -> Option<&str> {
        self.layout.files.get(raw.place().file.index()).map(|label| &**label)
    }

    /// Returns the name of an event with its colour, and blanks after it.
    pub(super) fn name(&self, event: &Event<'_>) -> Vec<u8> {
        let Layout { widest_event, tails, event: width, .. } = self.layout;
        let level = level_of(event.raw(), event.schema());
        let name = short_name(event, widest_event, tails);
        let mut out = self.paint.name_of(level.unwrap_or(0).into()).as_bytes().to_vec();
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(self.paint.off.as_bytes());
        let missing = width.saturating_sub(name.chars().count());
        out.resize(out.len() + missing, b' ');
        out
    }
}

/// Appends text, with blanks after it up to a width.
fn push_padded(out: &mut Vec<u8>, text: &str, width: usize) {
    out.extend_from_slice(text.as_bytes());
    out.resize(out.len() + width.saturating_sub(text.chars().count()), b' ');
}

/// Appends the thread and a blank.
pub(super) fn push_thread(out: &mut Vec<u8>, tid: Option<u32>) {
    let mut digits = itoa::Buffer::new();
    let tid = tid.map_or("-", |tid| digits.format(tid));
    out.resize(out.len() + TID.saturating_sub(tid.len()), b' ');
    out.extend_from_slice(tid.as_bytes());
    out.push(b' ');
}

/// What a thread keeps for the columns.
#[derive(Debug)]
pub(super) struct Columns {
    zone_time: TimeCache,
    is_relative: bool,
    names: PerType<Vec<u8>>,
    text: Vec<u8>,
}

impl Columns {
    pub(super) fn new(zone: &Zone) -> Self {
        let (names, text) = <_>::default();
        Self { zone_time: TimeCache::new(zone.clone()), is_relative: zone.start().is_some(), names, text }
    }

    /// Appends all columns of an event; without blanks at the end.
    pub(super) fn push(&mut self, out: &mut Vec<u8>, look: &Look, event: &Event<'_>) {
        out.extend_from_slice(look.paint.time.as_bytes());
        let time = event.time().map(|time| (time, event.is_local_time()));
        self.push_time(out, look, time, event.raw().time());
        out.extend_from_slice(look.paint.off.as_bytes());
        Look::push_level(out, event);
        let found = event.attribution();
        let name = HeaderField::Process.of_attribution(found, event);
        let name = if let Some(HeaderValue::Text(name)) = &name { Some(&**name) } else { None };
        look.push_process(out, found.pid, name);
        push_thread(out, found.tid);
        if let Some(file) = look.file(event.raw()) {
            out.extend_from_slice(file.as_bytes());
            out.push(b' ');
        }
        out.extend_from_slice(self.names.of(event, |_| look.name(event)));
    }

    /// Writes the time as [`Columns::push_time`] appends it.
    #[inline]
    pub(super) fn write_time(&mut self, pen: &mut Pen, look: &Look, time: Option<(FileTime, bool)>, raw: RawTime) {
        let from = look.layout.from;
        if let Some((time, false)) = time
            && !self.is_relative
            && END == look.layout.end
            && END - from == look.layout.time
            && let Some((mut head, units)) = self.zone_time.second_and_units(time)
        {
            if let Some(between) = head.get_mut(DATE) {
                *between = b' ';
            }
            pen.bytes(head.get(from..).unwrap_or_default());
            return pen.decimal7(units);
        }
        pen.with_vec(|out| self.push_time(out, look, time, raw));
    }

    fn push_time(&mut self, out: &mut Vec<u8>, look: &Look, time: Option<(FileTime, bool)>, raw: RawTime) {
        self.text.clear();
        let written = if let Some((time, is_local)) = time {
            self.zone_time.push_of(&mut self.text, time, is_local)
        } else {
            self.text.extend_from_slice(itoa::Buffer::new().format(raw.0).as_bytes());
            false
        };
        let Layout { from, end, .. } = look.layout;
        let shown = match self.text.get(from..end.min(self.text.len())).filter(|_| written && !self.is_relative) {
            Some(short) => short,
            None => &self.text,
        };
        let start = out.len();
        out.extend_from_slice(shown);
        if let Some(between) = out.get_mut(start + DATE.saturating_sub(from)).filter(|byte| **byte == b'T') {
            *between = b' ';
        }
        out.resize(out.len().max(start + look.layout.time), b' ');
    }
}
