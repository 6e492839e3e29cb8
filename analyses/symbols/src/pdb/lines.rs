//! Source lines of addresses.
//!
//! They are read here because `pdb2` takes the code of functions that the linker folded for code after each other.
//!
//! Layout: "The Module Information Stream" of LLVM's documentation, and `cvinfo.h` of microsoft-pdb (`CV_Line_t`).

use etwkit::bytes::{u16_at, u32_at};
use pdb_addr2line::pdb::PdbInternalSectionOffset;

/// The lines of a module, sorted by section and start.
#[derive(Default)]
pub(super) struct Lines(Vec<Line>);

pub(super) struct Line {
    section: u16,
    start: u32,
    end: u32,
    /// Place of the file in the table of files.
    pub(super) file: u32,
    /// Line 0 is code that no line of the file made.
    pub(super) number: u32,
}

impl Lines {
    pub(super) fn new(tables: &[u8]) -> Self {
        let mut lines = Vec::new();
        // What was read before a damaged table is good.
        let _ = read(tables, &mut lines);
        lines.sort_by_key(|line| (line.section, line.start));
        Self(lines)
    }

    /// Returns the line of an address. Lines of functions that were folded overlap: the first one counts that covers the
    /// address. A line without code is the one of the address at which it is, as the head of a function before its first
    /// statement.
    pub(super) fn find(&self, at: PdbInternalSectionOffset) -> Option<&Line> {
        let (section, offset) = (at.section, at.offset);
        let end = self.0.partition_point(|line| (line.section, line.start) <= (section, offset));
        let mut found: Option<&Line> = None;
        for line in self.0.get(..end)?.iter().rev().take(MAX_OVERLAPPING) {
            if line.section != section || found.is_some_and(|found| found.start != line.start) {
                break;
            }
            if line.start == offset || offset < line.end {
                found = Some(line);
            }
        }
        found
    }
}

/// Reads the tables of a module: kind, length, content, padding to 4 bytes. What is damaged ends the reading.
fn read(mut tables: &[u8], lines: &mut Vec<Line>) -> Option<()> {
    while tables.len() >= 8 {
        let (kind, len) = (u32_at(tables, 0), u32_at(tables, 4) as usize);
        let table = tables.get(8..)?.get(..len)?;
        if kind == LINES {
            read_lines(table, lines)?;
        }
        tables = tables.get((8 + len).next_multiple_of(4)..)?;
    }
    Some(())
}

/// Reads the lines of a function: its place, then for each file a list of offsets and lines. A line ends where the next one
/// of the function begins.
fn read_lines(table: &[u8], lines: &mut Vec<Line>) -> Option<()> {
    let (start, section, size) = (u32_at(table, 0), u16_at(table, 4), u32_at(table, 8));
    let end = start.saturating_add(size);
    let first = lines.len();
    let mut blocks = table.get(12..)?;
    while blocks.len() >= 12 {
        let [file, count, len] = [0, 4, 8].map(|at| u32_at(blocks, at));
        let entries = blocks.get(12..)?.chunks_exact(8).take(count as usize);
        let lines_of = entries.map(|entry| (start.saturating_add(u32_at(entry, 0)), u32_at(entry, 4) & 0xFF_FFFF));
        let real = lines_of.filter(|(_, line)| !HIDDEN.contains(line));
        lines.extend(real.map(|(start, line)| Line { section, start, end, file, number: line }));
        blocks = blocks.get((len as usize).max(12)..)?;
    }
    let function = lines.get_mut(first..)?;
    function.sort_by_key(|line| line.start);
    let mut next = end;
    for place in (0..function.len()).rev() {
        let line = function.get_mut(place)?;
        line.end = next.max(line.start);
        next = line.start;
    }
    Some(())
}

/// `DEBUG_S_LINES`.
const LINES: u32 = 0xF2;
/// Lines of code that debuggers step over or into without showing it: it belongs to the line before.
const HIDDEN: [u32; 2] = [0xFE_EFEE, 0xF0_0F00];
/// Lines that are looked at for one that covers an offset.
const MAX_OVERLAPPING: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_covers_an_offset_counts() {
        // Two functions that were folded, the second of which begins within the first.
        let head = |start: u32, size: u32, entries: &[(u32, u32)]| {
            let words = [start, 1, size, 8, entries.len() as u32, 12 + 8 * entries.len() as u32];
            let entries = entries.iter().flat_map(|(offset, line)| [*offset, *line | 0x8000_0000]);
            words.into_iter().chain(entries).flat_map(u32::to_le_bytes).collect::<Vec<u8>>()
        };
        let one = head(0x10, 13, &[(0, 21), (0, 22), (4, 23), (5, 0xF0_0F00), (10, 24)]);
        let other = head(0x10, 13, &[(10, 81)]);
        let tables: Vec<u8> = [(LINES, &one), (0xF4, &other), (LINES, &other)]
            .iter()
            .flat_map(|(kind, table)| [&kind.to_le_bytes()[..], &(table.len() as u32).to_le_bytes(), table].concat())
            .collect();
        let lines = Lines::new(&tables);
        let found = |offset| lines.find(PdbInternalSectionOffset::new(1, offset)).map(|line| line.number);
        assert_eq!([0x10, 0x11, 0x14, 0x19, 0x1A, 0x1C].map(found), [21, 22, 23, 23, 24, 24].map(Some));
        assert_eq!([0x0F, 0x1D, 0x99].map(found), [None; 3]);
        assert_eq!(lines.0.iter().map(|line| line.file).max(), Some(8));
        assert!(lines.find(PdbInternalSectionOffset::new(2, 0x11)).is_none());
    }
}
