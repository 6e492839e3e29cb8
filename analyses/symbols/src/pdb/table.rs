//! The functions of a module.

use std::collections::HashMap;

use pdb_addr2line::pdb::{
    self, FallibleIterator as _, FileIndex, IdIndex, InlineSiteSymbol, Inlinee, LineProgram, ModuleInfo,
    PdbInternalSectionOffset, RawString, StringTable, SymbolData, SymbolIndex, TypeIndex,
};

use super::lines::Lines;
use crate::limits::MAX_INLINE_DEPTH;

/// The functions, inlined calls and lines of a module.
pub(super) struct Table<'a> {
    module: &'a ModuleInfo<'static>,
    /// Sorted by place.
    functions: Vec<Function<'a>>,
    inlinees: HashMap<IdIndex, Inlinee<'a>>,
    lines: Lines,
    program: Option<LineProgram<'a>>,
}

#[derive(Clone)]
pub(super) struct Function<'a> {
    pub(super) start: PdbInternalSectionOffset,
    len: u32,
    pub(super) name: RawString<'a>,
    pub(super) type_index: TypeIndex,
    /// Where its symbols begin and end.
    symbols: (SymbolIndex, SymbolIndex),
}

/// Where an inlined call ends, what is inlined, and the file and line if it covers an address.
type Call = (SymbolIndex, IdIndex, Option<(FileIndex, u32)>);

/// A file, and a line in it.
pub(super) type Place = (Option<String>, u32);

impl<'a> Table<'a> {
    pub(super) fn new(module: &'a ModuleInfo<'static>, line_tables: &[u8]) -> Self {
        let mut functions = Vec::new();
        // What was read before a damaged symbol is good.
        let _ = read_functions(module, &mut functions);
        // Of functions that were folded, the first one counts.
        functions.sort_by_key(|function| (function.start.section, function.start.offset));
        functions.dedup_by_key(|function| function.start);
        let inlinees = module.inlinees().and_then(|all| all.map(|inlinee| Ok((inlinee.index(), inlinee))).collect());
        let inlinees = inlinees.unwrap_or_default();
        Self { module, functions, inlinees, lines: Lines::new(line_tables), program: module.line_program().ok() }
    }

    pub(super) fn function(&self, at: PdbInternalSectionOffset) -> Option<&Function<'a>> {
        let place = |function: &Function<'_>| (function.start.section, function.start.offset);
        let before = self.functions.partition_point(|function| place(function) <= (at.section, at.offset));
        let function = self.functions.get(before.checked_sub(1)?)?;
        let covers = function.start.section == at.section && at.offset - function.start.offset < function.len;
        covers.then_some(function)
    }

    /// Returns the file and line of an address, in the function that is not inlined.
    pub(super) fn line(&self, at: PdbInternalSectionOffset, strings: Option<&StringTable<'_>>) -> Option<Place> {
        let line = self.lines.find(at)?;
        Some((self.file(FileIndex(line.file), strings), line.number))
    }

    /// Returns the functions that are inlined at an address, the outermost first: their ids and places.
    ///
    /// A call belongs to the one in whose symbols it is. One that does not cover the address, but has one that does in it,
    /// is part of the stack, and its line is unknown.
    pub(super) fn inlined(
        &self,
        function: &Function<'a>,
        at: PdbInternalSectionOffset,
        strings: Option<&StringTable<'_>>,
    ) -> pdb::Result<Vec<(IdIndex, Option<Place>)>> {
        let mut open: Vec<Call> = Vec::new();
        let mut deepest = Vec::new();
        let (first, end) = function.symbols;
        let mut symbols = self.module.symbols_at(first)?;
        let mut skipped_to = first;
        while let Some(symbol) = symbols.next()?.filter(|symbol| symbol.index() < end) {
            let at_symbol = symbol.index();
            if at_symbol < skipped_to || !READ.contains(&symbol.raw_kind()) {
                continue;
            }
            match symbol.parse() {
                // A function within the function.
                Ok(SymbolData::Procedure(inner)) if at_symbol != first => skipped_to = inner.end,
                Ok(SymbolData::InlineSite(site)) => {
                    while open.last().is_some_and(|(end, ..)| *end <= at_symbol) {
                        open.pop();
                    }
                    let place = self.covers(&site, function.start, at);
                    open.push((site.end, site.inlinee, place));
                    if place.is_some() && open.len() > deepest.len() && open.len() <= MAX_INLINE_DEPTH {
                        deepest.clone_from(&open);
                    }
                }
                _ => {}
            }
        }
        let resolve = |(file, line)| (self.file(file, strings), line);
        Ok(deepest.into_iter().map(|(_, id, place)| (id, place.map(resolve))).collect())
    }

    /// Returns the file and line of an inlined call at an address, if it covers the address.
    fn covers(
        &self,
        site: &InlineSiteSymbol<'a>,
        start: PdbInternalSectionOffset,
        at: PdbInternalSectionOffset,
    ) -> Option<(FileIndex, u32)> {
        let inlinee = self.inlinees.get(&site.inlinee)?;
        let mut lines = inlinee.lines(start, site);
        while let Ok(Some(line)) = lines.next() {
            let past = at.offset.checked_sub(line.offset.offset);
            if past.zip(line.length).is_some_and(|(past, len)| past < len) {
                return Some((line.file_index, line.line_start));
            }
        }
        None
    }

    fn file(&self, file: FileIndex, strings: Option<&StringTable<'_>>) -> Option<String> {
        let file = self.program.as_ref()?.get_file_info(file).ok()?;
        file.name.to_string_lossy(strings?).ok().map(std::borrow::Cow::into_owned)
    }
}

fn read_functions<'a>(module: &'a ModuleInfo<'static>, functions: &mut Vec<Function<'a>>) -> pdb::Result<()> {
    let mut symbols = module.symbols()?;
    while let Some(symbol) = symbols.next()? {
        if !READ.contains(&symbol.raw_kind()) {
            continue;
        }
        let at = symbol.index();
        let function = match symbol.parse() {
            Ok(SymbolData::Procedure(it)) => {
                let (name, type_index, symbols) = (it.name, it.type_index, (at, it.end));
                Function { start: it.offset, len: it.len, name, type_index, symbols }
            }
            Ok(SymbolData::Thunk(it)) => {
                let (type_index, symbols) = (TypeIndex(0), (at, it.end));
                Function { start: it.offset, len: it.len.into(), name: it.name, type_index, symbols }
            }
            // A part of the function before it that is somewhere else.
            Ok(SymbolData::SeparatedCode(it)) => match functions.last() {
                Some(parent) if parent.start == it.parent_offset => {
                    Function { start: it.offset, len: it.len, symbols: (at, it.end), ..parent.clone() }
                }
                _ => continue,
            },
            _ => continue,
        };
        functions.extend(Some(function).filter(|function| function.len != 0));
    }
    Ok(())
}

/// Symbols that are read: procedures, thunks, separated code, and inlined calls. Others are not parsed, because `pdb2`
/// takes the memory that they claim to need.
const READ: [u16; 13] =
    [0x0206, 0x100A, 0x100B, 0x1102, 0x110F, 0x1110, 0x1132, 0x1146, 0x1147, 0x114D, 0x1155, 0x1156, 0x115D];
