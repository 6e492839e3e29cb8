//! Source lines of addresses.
//!
//! `pdb-addr2line` takes the lines of the function at an address. Where the linker folded equal functions, these may be
//! the lines of another one that has none at the address. Here all lines of a module count. They are read here, too,
//! because `pdb2` takes the code of folded functions for code after each other.
//!
//! Layout: "The Module Information Stream" of LLVM's documentation, and `cvinfo.h` of microsoft-pdb (`CV_Line_t`).

use std::collections::HashMap;

use etwkit::bytes::{u16_at, u32_at};
use pdb_addr2line::ModuleProvider as _;
use pdb_addr2line::pdb::{
    self, DebugInformation, FallibleIterator as _, FileIndex, LineProgram, Module, PdbInternalSectionOffset,
    StringTable,
};

use super::modules::Modules;

/// The lines of modules, each of which is read when an address in it is looked up.
pub(super) struct Lines<'a> {
    provider: &'a Modules,
    modules: &'a [Module<'a>],
    strings: Option<&'a StringTable<'static>>,
    /// The parts of sections that modules have, sorted.
    parts: Vec<Part>,
    tables: HashMap<usize, Option<Table<'a>>>,
}

struct Part {
    section: u16,
    start: u32,
    end: u32,
    module: usize,
}

/// The lines of a module.
struct Table<'a> {
    program: LineProgram<'a>,
    /// Sorted by section and start.
    lines: Vec<Line>,
}

struct Line {
    section: u16,
    start: u32,
    end: u32,
    /// Place of the file in the table of files.
    file: u32,
    line: u32,
}

impl<'a> Lines<'a> {
    pub(super) fn new(
        provider: &'a Modules,
        modules: &'a [Module<'a>],
        strings: Option<&'a StringTable<'static>>,
        information: &DebugInformation<'_>,
    ) -> pdb::Result<Self> {
        let mut parts = Vec::new();
        let mut contributions = information.section_contributions()?;
        while let Some(part) = contributions.next()? {
            let (section, start) = (part.offset.section, part.offset.offset);
            parts.push(Part { section, start, end: start.saturating_add(part.size), module: part.module });
        }
        parts.sort_by_key(|part| (part.section, part.start));
        Ok(Self { provider, modules, strings, parts, tables: HashMap::new() })
    }

    /// Returns the file and line of an address; line 0 is code that no line of the file made.
    pub(super) fn find(&mut self, at: PdbInternalSectionOffset) -> Option<(Option<String>, u32)> {
        let before = self.parts.partition_point(|part| (part.section, part.start) <= (at.section, at.offset));
        let part = self.parts.get(before.checked_sub(1)?)?;
        if part.section != at.section || part.end <= at.offset {
            return None;
        }
        let number = part.module;
        let Self { provider, modules, .. } = *self;
        let table = self.tables.entry(number).or_insert_with(|| {
            let module = modules.get(number)?;
            let program = provider.get_module_info(number, module).ok()??.line_program().ok()?;
            let mut lines = Vec::new();
            let read = provider.line_tables(number, module).map(|tables| read(tables, &mut lines));
            lines.sort_by_key(|line| (line.section, line.start));
            read.map(|_| Table { program, lines })
        });
        let table = table.as_ref()?;
        let line = table.find(at)?;
        let file = table.program.get_file_info(FileIndex(line.file)).ok();
        let name = file.zip(self.strings).and_then(|(file, strings)| file.name.to_string_lossy(strings).ok());
        Some((name.map(std::borrow::Cow::into_owned), line.line))
    }
}

impl Table<'_> {
    fn find(&self, at: PdbInternalSectionOffset) -> Option<&Line> {
        covering(&self.lines, at.section, at.offset)
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
        lines.extend(real.map(|(start, line)| Line { section, start, end, file, line }));
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

/// Returns the line of an offset. Lines of functions that were folded overlap: the first one counts that covers the
/// offset. A line without code is the one of the offset at which it is, as the head of a function before its first
/// statement.
fn covering(lines: &[Line], section: u16, offset: u32) -> Option<&Line> {
    let end = lines.partition_point(|line| (line.section, line.start) <= (section, offset));
    let covers = |line: &Line| line.start == offset || offset < line.end;
    let mut found: Option<&Line> = None;
    for line in lines.get(..end)?.iter().rev().take(MAX_OVERLAPPING) {
        if line.section != section || found.is_some_and(|found| found.start != line.start) {
            break;
        }
        if covers(line) {
            found = Some(line);
        }
    }
    found
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
        let mut lines = Vec::new();
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
        assert_eq!(read(&tables, &mut lines), Some(()));
        lines.sort_by_key(|line| (line.section, line.start));
        let found = |offset| covering(&lines, 1, offset).map(|line| line.line);
        assert_eq!([0x10, 0x11, 0x14, 0x19, 0x1A, 0x1C].map(found), [21, 22, 23, 23, 24, 24].map(Some));
        assert_eq!([0x0F, 0x1D, 0x99].map(found), [None; 3]);
        assert_eq!(lines.iter().map(|line| line.file).max(), Some(8));
        assert!(covering(&lines, 2, 0x11).is_none());
    }
}
