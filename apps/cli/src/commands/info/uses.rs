//! Which commands and analyses are for what is in a trace.

use etwkit_http_requests::has_server_events;
use etwkit_packets::packet_events;

use crate::analyses::analyses;
use crate::text::counted;

use super::report::Report;

/// What there is, and the command that shows it.
pub(super) struct Use {
    /// In one word.
    pub(super) word: &'static str,
    /// How much of what.
    pub(super) what: String,
    pub(super) command: &'static str,
}

/// Returns what is in a trace that a command of its own is for.
pub(super) fn uses(report: &Report) -> Vec<Use> {
    let mut uses = Vec::new();
    let mut add = |word, what, command| uses.push(Use { word, what, command });
    let packets = packet_events(&report.trace);
    if packets > 0 {
        add("packets", counted(packets, "event") + " with packets", "etwkit pcap FILE -o packets.pcapng");
    }
    if has_server_events(&report.trace) {
        add("requests", "HTTP requests".to_owned(), "etwkit requests FILE");
    }
    let samples = report.counters().samples();
    if samples > 0 {
        add("counters", counted(samples, "sample") + " of performance counters", "etwkit counters FILE");
    }
    let symbols = report.missing_symbols().len() as u64;
    if symbols > 0 {
        add("symbols", counted(symbols, "PDB file") + " wanted", "etwkit dump FILE --symbols FILE.pdb");
    }
    uses
}

/// Returns the names of the analyses that the trace can answer.
pub(super) fn answered(report: &Report) -> Vec<&'static str> {
    analyses().filter(|entry| (entry.is_answerable)(&report.trace)).map(|entry| entry.name).collect()
}
