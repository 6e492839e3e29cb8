//! What a trace is: session, machine, extent, losses.

use etwkit::FileId;
use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::format::LogFileHeader;
use etwkit::system::MachineFacts;
use etwkit::trace::{Losses, Trace, TraceFile};
use etwkit_analysis::{Analysis, Interest, Need, milliseconds};

use crate::machine_facts::{machine_facts, product};

etwkit_analysis::row! {
    /// A property of a file of a trace.
    pub struct SummaryRow {
        /// Name of the property.
        name: &'static str as Text,
        /// Its value. Numbers are decimal, times are UTC.
        value: String as Text,
        /// File of the trace, if there are several.
        file: Option<String> as Text,
    }
}

/// Lists properties of a trace. No event is read but those that name the machine.
#[derive(Clone, Debug)]
pub struct Summary {
    machine: MachineFacts,
}

impl Analysis for Summary {
    type Fact = ();
    type Row = SummaryRow;

    const READS_EVENTS: bool = false;

    fn interest() -> Interest {
        Interest { manifest: &[], classic: &[], need: Need::Keywords("anything") }
    }

    fn events(trace: &Trace) -> u64 {
        trace.events_total()
    }

    fn begin(trace: &Trace) -> Result<Self> {
        Ok(Self { machine: machine_facts(trace) })
    }

    fn is_answerable(_: &Trace) -> bool {
        true
    }

    fn fact(_: &Event<'_>) -> Option<()> {
        None
    }

    fn step(&mut self, (): (), _: &Trace) {}

    fn finish(self, trace: &Trace) -> Vec<SummaryRow> {
        let is_one = trace.files().len() == 1;
        let mut rows = Vec::new();
        for (id, file) in trace.files_with_ids() {
            let name = (!is_one).then(|| file.source.name().to_owned());
            let properties = session(file, trace.losses(id)).into_iter().chain(extent(trace, id, file));
            // Which machine it is that the events name is not known if there are several files.
            let properties = properties.chain(if is_one { machine(&self.machine) } else { Vec::new() });
            let row =
                |(property, value): Property| Some(SummaryRow { name: property, value: value?, file: name.clone() });
            rows.extend(properties.filter_map(row));
        }
        rows
    }
}

type Property = (&'static str, Option<String>);

fn number(name: &'static str, value: impl Into<u64>) -> Property {
    (name, Some(value.into().to_string()))
}

fn text(value: &str) -> Option<String> {
    Some(value.to_owned()).filter(|value| !value.is_empty())
}

fn time(time: Option<FileTime>) -> Option<String> {
    Some(time.filter(|time| time.0 > 0)?.to_string())
}

/// Returns what the header of a file states about its session, and what that lost.
fn session(TraceFile { head, .. }: &TraceFile, losses: Losses) -> Vec<Property> {
    if head.is_missing() {
        return Vec::new();
    }
    let log = &head.log;
    let [major, minor, ..] = log.version;
    vec![
        ("session", text(&log.session)),
        ("log_file", text(&log.log_file)),
        ("product", product(log.os_build).map(str::to_owned)),
        ("os_version", Some(format!("{major}.{minor}"))),
        number("os_build", log.os_build),
        number("pointer_bits", u64::from(log.pointer_size) * 8),
        number("processors", log.processors),
        ("boot_time", time(Some(log.boot_time))),
        ("mode", text(&log.mode.to_string())),
        number("clock_frequency", head.clock.frequency().unsigned_abs()),
        number("buffer_size", log.buffer_size),
        ("events_lost", lost(losses.events, log)),
        ("buffers_lost", lost(losses.buffers, log)),
    ]
}

/// Returns a number of losses. The header states it when the session is stopped; before that 0 is not known.
fn lost(count: u64, log: &LogFileHeader) -> Option<String> {
    (log.end_time.0 != 0 || count > 0).then(|| count.to_string())
}

/// Returns how long a file is, in bytes, events and time.
fn extent(trace: &Trace, id: FileId, TraceFile { source, head, .. }: &TraceFile) -> Vec<Property> {
    let Some(counts) = trace.counts(id) else { return Vec::new() };
    let clock = &head.clock;
    let start = clock.filetime(clock.zero());
    let last = counts.last_time.and_then(|raw| clock.filetime(raw));
    let end = Some(head.log.end_time).filter(|end| end.0 != 0).or(last);
    // Local times of the machine have no zone.
    let is_local = trace.has_local_times();
    let of_event = |at| time(at).map(|text| if is_local { text.trim_end_matches('Z').to_owned() } else { text });
    let seconds = start.zip(end).map(|(start, end)| format!("{:.7}", milliseconds(start, end) / 1000.0));
    vec![
        ("start", time(start)),
        ("end", time(end)),
        ("duration_s", seconds),
        ("first_event", of_event(counts.first_time.and_then(|raw| clock.filetime(raw)))),
        ("last_event", of_event(last)),
        number("size_bytes", source.len()),
        number("buffers", counts.buffers),
        number("events", counts.events),
        number("payload_bytes", counts.payload_bytes),
    ]
}

/// Returns what events state about the machine.
fn machine(machine: &MachineFacts) -> Vec<Property> {
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    let text = |text: &Option<Box<str>>| text.as_deref().map(str::to_owned);
    vec![
        ("computer", text(&machine.computer)),
        ("product_name", text(&machine.product)),
        ("build", text(&machine.build)),
        ("mhz", number(machine.megahertz)),
        ("memory_mb", number(machine.memory)),
    ]
}
