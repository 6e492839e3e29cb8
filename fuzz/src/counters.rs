//! Counters of performance logs (`.blg`).

use etwkit::FileTime;
use etwkit_pdh::{Catalog, Sample, Table, Zone};

use crate::pieces::pieces;

/// Reads the first piece as a list of counters, the others as samples of them, and prints the table: each row must have
/// a cell for each path.
pub fn counters(data: &[u8]) {
    let (pieces, rest) = pieces(data, 64);
    let mut payloads = pieces.iter().map(|(_, piece)| *piece).chain([rest]);
    let Some(Ok(catalog)) = payloads.next().map(Catalog::parse) else { return };
    let mut table = Table::new(catalog);
    for (time, payload) in (0..).zip(payloads) {
        let Ok(sample) = Sample::parse(payload) else { continue };
        let _ = table.add(FileTime(time), &sample);
    }
    let paths = table.paths().count();
    assert!(table.rows().all(|(_, cells)| cells.len() == paths));
    let mut text = Vec::new();
    assert!(table.print(&mut text, ',', Zone::new("UTC", 0)).is_ok(), "memory takes everything");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(false).from_reader(&text[..]);
    assert!(reader.byte_records().all(|row| row.is_ok_and(|row| row.len() == paths + 1)), "the table has a gap");
}
