//! Which commands are for what is in a trace.

use etwkit_http_requests::has_server_events;
use etwkit_packets::packet_events;

use crate::text::counted;

use super::report::Report;

/// What there is, and the command that shows it.
pub(super) fn uses(report: &Report) -> Vec<(String, &'static str)> {
    let mut uses = Vec::new();
    let packets = packet_events(&report.trace);
    if packets > 0 {
        uses.push((counted(packets, "event") + " with packets", "etwkit pcap FILE -o packets.pcapng"));
    }
    if has_server_events(&report.trace) {
        uses.push(("HTTP requests".to_owned(), "etwkit requests FILE"));
    }
    let samples = report.counters().samples();
    if samples > 0 {
        uses.push((counted(samples, "sample") + " of performance counters", "etwkit counters FILE"));
    }
    let symbols = report.missing_symbols().len() as u64;
    if symbols > 0 {
        uses.push((counted(symbols, "PDB file") + " wanted", "etwkit dump FILE --symbols FILE.pdb"));
    }
    uses
}
