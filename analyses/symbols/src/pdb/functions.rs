//! The functions of a PDB file.
//!
//! `pdb-addr2line` has a `Context` for this. It keeps names of inlined functions by ids that mean something else in each
//! module, refuses files whose modules overlap, and finds the lines of one of several functions that were folded. What it
//! makes of types is used here.

use std::cell::RefCell;
use std::collections::HashMap;

use pdb_addr2line::TypeFormatter;
use pdb_addr2line::pdb::{
    self, AddressMap, DebugInformation, FallibleIterator as _, IdIndex, MachineType, PdbInternalSectionOffset,
    RawString, Rva, StringTable, SymbolData, SymbolTable, TypeIndex,
};

use super::guard::Guard;
use super::modules::Modules;
use super::table::{Function, Place, Table};
use crate::decorated::Undecorate;
use crate::frame::Found;
use crate::options::Options;

/// What functions are looked up in.
pub(super) struct Functions<'a> {
    pub(super) modules: &'a Modules,
    pub(super) formatter: TypeFormatter<'a, 'static>,
    pub(super) guard: RefCell<Guard>,
    pub(super) address_map: &'a AddressMap<'static>,
    pub(super) strings: Option<&'a StringTable<'static>>,
    pub(super) parts: Vec<Part>,
    pub(super) publics: Vec<(PdbInternalSectionOffset, RawString<'a>)>,
    pub(super) options: Options,
    pub(super) is_x86: bool,
    pub(super) tables: HashMap<usize, Option<Table<'a>>>,
}

/// A part of a section that a module has.
pub(super) struct Part {
    start: PdbInternalSectionOffset,
    end: u32,
    module: usize,
}

/// Returns the parts of sections that modules have, sorted.
pub(super) fn parts(information: &DebugInformation<'_>) -> pdb::Result<Vec<Part>> {
    let mut parts = Vec::new();
    let mut contributions = information.section_contributions()?;
    while let Some(part) = contributions.next()? {
        let end = part.offset.offset.saturating_add(part.size);
        parts.push(Part { start: part.offset, end, module: part.module });
    }
    parts.sort_by_key(|part| (part.start.section, part.start.offset));
    Ok(parts)
}

/// Returns the public symbols, sorted. Of several at a place the first one counts.
pub(super) fn publics<'p>(symbols: &'p SymbolTable<'_>) -> pdb::Result<Vec<(PdbInternalSectionOffset, RawString<'p>)>> {
    let mut found = Vec::new();
    let mut symbols = symbols.iter();
    while let Some(symbol) = symbols.next()? {
        if S_PUB32.contains(&symbol.raw_kind())
            && let Ok(SymbolData::Public(public)) = symbol.parse()
        {
            found.push((public.offset, public.name));
        }
    }
    found.sort_by_key(|(at, _)| (at.section, at.offset));
    found.dedup_by_key(|(at, _)| *at);
    Ok(found)
}

/// Whether the machine is one whose calling conventions decorate names of C functions.
pub(super) fn is_x86(information: &DebugInformation<'_>) -> bool {
    matches!(information.machine_type(), Ok(MachineType::X86))
}

impl<'a> Functions<'a> {
    /// Returns the frames at an address, the innermost inlined function first.
    pub(super) fn find(&mut self, rva: u32) -> Vec<Found> {
        let Some(at) = Rva(rva).to_internal_offset(self.address_map) else { return Vec::new() };
        let last =
            self.parts.partition_point(|part| (part.start.section, part.start.offset) <= (at.section, at.offset));
        let part = last.checked_sub(1).and_then(|last| self.parts.get(last));
        let part = part.filter(|part| part.start.section == at.section && at.offset < part.end);
        let part = part.map(|part| (part.start, part.module));
        if let Some((_, module)) = part {
            self.read(module);
            if let Some(table) = self.tables.get(&module).and_then(Option::as_ref)
                && let Some(function) = table.function(at)
            {
                return self.frames(module, table, function, at);
            }
        }
        self.public(at, part).into_iter().collect()
    }

    fn read(&mut self, module: usize) {
        let Self { formatter, modules, tables, .. } = self;
        tables.entry(module).or_insert_with(|| {
            let (info, lines) = modules.get(module, formatter.modules().get(module)?)?;
            Some(Table::new(info, lines))
        });
    }

    fn frames(
        &self,
        module: usize,
        table: &Table<'a>,
        function: &Function<'a>,
        at: PdbInternalSectionOffset,
    ) -> Vec<Found> {
        let offset = at.offset - function.start.offset;
        let frame = |function, place: Option<Place>, is_inlined| {
            let (file, line) = place.unwrap_or_default();
            // Line 0 is code of no line.
            Found { function, offset, file, line: Some(line).filter(|line| *line != 0), is_inlined }
        };
        let mut frames = vec![frame(Some(self.name(module, function)), table.line(at, self.strings), false)];
        for (id, place) in table.inlined(function, at, self.strings).unwrap_or_default() {
            frames.push(frame(self.inlined_name(module, id), place, true));
        }
        frames.reverse();
        frames
    }

    fn name(&self, module: usize, function: &Function<'_>) -> String {
        let name = function.name.to_string();
        if function.type_index == TypeIndex(0) && self.options.arguments {
            // Without a type only a public name has the arguments.
            let public = self.publics.binary_search_by_key(&place(function.start), |(at, _)| place(*at));
            let public = public.ok().and_then(|found| self.publics.get(found)).map(|(_, name)| name.to_string());
            if let Some(public) = public.filter(|public| public.starts_with('?')) {
                return self.undecorate(false).name(public.into_owned());
            }
        }
        let is_good = !self.options.arguments || self.guard.borrow_mut().is_good_type(function.type_index.0);
        let written = is_good.then(|| self.formatter.format_function(&name, module, function.type_index).ok());
        let name = written.flatten().unwrap_or_else(|| name.into_owned());
        self.undecorate(false).name(name)
    }

    fn inlined_name(&self, module: usize, id: IdIndex) -> Option<String> {
        let is_good = self.guard.borrow_mut().is_good_id(id.0);
        is_good.then(|| self.formatter.format_id(module, id).ok()).flatten()
    }

    /// Returns the last public symbol before an address, in the same part of a section.
    fn public(&self, at: PdbInternalSectionOffset, part: Option<(PdbInternalSectionOffset, usize)>) -> Option<Found> {
        let before = self.publics.partition_point(|(public, _)| place(*public) <= place(at));
        let (start, name) = self.publics.get(before.checked_sub(1)?)?;
        let is_in_part = part.is_none_or(|(part, _)| start.offset >= part.offset);
        if start.section != at.section || !is_in_part {
            return None;
        }
        let table = part.and_then(|(_, module)| self.tables.get(&module)?.as_ref());
        let (file, line) = table.and_then(|table| table.line(at, self.strings)).unwrap_or_default();
        Some(Found {
            function: Some(self.undecorate(self.is_x86).name(name.to_string().into_owned())),
            offset: at.offset - start.offset,
            file,
            line: Some(line).filter(|line| *line != 0),
            is_inlined: false,
        })
    }

    /// Only public names have the decoration of C functions on x86; a procedure may well be named `_f`.
    fn undecorate(&self, is_x86: bool) -> Undecorate {
        Undecorate { is_x86, arguments: self.options.arguments }
    }
}

fn place(at: PdbInternalSectionOffset) -> (u16, u32) {
    (at.section, at.offset)
}

/// `S_PUB32_ST` and `S_PUB32`.
const S_PUB32: [u16; 2] = [0x1009, 0x110E];
