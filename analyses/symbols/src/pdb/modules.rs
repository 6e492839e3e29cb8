//! The modules (object files) of a PDB file, each of which is checked before `pdb-addr2line` works with it.

use std::sync::{Arc, Mutex, OnceLock};

use pdb_addr2line::ModuleProvider;
use pdb_addr2line::pdb::{self, FallibleIterator as _, Module, ModuleInfo, PDB, SymbolData, SymbolIndex};

use super::guard::Guard;
use super::source::{LastView, Limited, lock};
use crate::limits::{MAX_INLINE_DEPTH, MAX_INLINE_WORK};

/// Modules that have been read. Each is read when an address in it is looked up.
pub(crate) struct Modules {
    pdb: Mutex<PDB<'static, Limited>>,
    guard: Mutex<Guard>,
    /// Whether arguments are written, too.
    arguments: bool,
    /// What was read; `None`: it has no symbols, or is refused.
    read: Vec<OnceLock<Option<Read>>>,
    last: LastView,
}

/// A module that was read.
struct Read {
    info: ModuleInfo<'static>,
    /// All of its stream.
    bytes: Arc<Vec<u8>>,
}

impl Modules {
    pub(crate) fn new(pdb: PDB<'static, Limited>, last: LastView, guard: Guard, arguments: bool, count: usize) -> Self {
        let read = std::iter::repeat_with(OnceLock::new).take(count).collect();
        Self { pdb: Mutex::new(pdb), guard: Mutex::new(guard), arguments, read, last }
    }

    /// Returns the tables of lines of a module, which follow its symbols.
    pub(crate) fn line_tables(&self, index: usize, module: &Module<'_>) -> Option<&[u8]> {
        let bytes = &self.get(index, module)?.bytes;
        let size = |size: u32| size as usize;
        let info = module.info();
        bytes.get(size(info.symbols_size)..)?.get(..size(info.c13_lines_size))
    }

    fn get(&self, index: usize, module: &Module<'_>) -> Option<&Read> {
        self.read.get(index)?.get_or_init(|| self.read(module)).as_ref()
    }

    fn read(&self, module: &Module<'_>) -> Option<Read> {
        let info = lock(&self.pdb).module_info(module).ok()??;
        let bytes = self.last.bytes();
        self.is_good(&info).ok()?.then_some(Read { info, bytes })
    }

    /// Returns whether work on a module ends, with bounded memory and stack.
    fn is_good(&self, module: &ModuleInfo<'_>) -> pdb::Result<bool> {
        let mut guard = lock(&self.guard);
        let mut nesting = Nesting::default();
        let mut symbols = module.symbols()?;
        while let Some(symbol) = symbols.next()? {
            let at = symbol.index();
            nesting.starts.push(at);
            if !READ_KINDS.contains(&symbol.raw_kind()) {
                continue;
            }
            let good = match symbol.parse() {
                Ok(SymbolData::Procedure(procedure)) => {
                    nesting.procedure(at, procedure.end);
                    !self.arguments || guard.is_good_type(procedure.type_index.0)
                }
                Ok(SymbolData::Thunk(thunk)) => {
                    nesting.procedure(at, thunk.end);
                    true
                }
                Ok(SymbolData::SeparatedCode(code)) => {
                    nesting.procedure(at, code.end);
                    true
                }
                Ok(SymbolData::InlineSite(site)) => {
                    let bytes = symbol.raw_bytes().len();
                    nesting.site(at, site.end, bytes) <= MAX_INLINE_DEPTH && guard.is_good_id(site.inlinee.0)
                }
                _ => true,
            };
            if !good {
                return Ok(false);
            }
        }
        Ok(nesting.is_good())
    }
}

impl ModuleProvider<'static> for Modules {
    fn get_module_info(&self, index: usize, module: &Module<'_>) -> pdb::Result<Option<&ModuleInfo<'static>>> {
        Ok(self.get(index, module).map(|read| &read.info))
    }
}

/// The procedures and inlined calls of a module.
#[derive(Default)]
struct Nesting {
    /// Where symbols begin.
    starts: Vec<SymbolIndex>,
    /// The end of the procedure or call that ends last.
    reach: Option<SymbolIndex>,
    /// Where the calls end in which the current symbol is.
    open: Vec<SymbolIndex>,
    /// Of each call: its place, and the bytes of all calls up to it.
    sites: Vec<(SymbolIndex, u64)>,
    /// Where procedures begin and end.
    procedures: Vec<(SymbolIndex, SymbolIndex)>,
    /// Where procedures within others begin and end.
    inner: Vec<(SymbolIndex, SymbolIndex)>,
}

impl Nesting {
    fn procedure(&mut self, at: SymbolIndex, end: SymbolIndex) {
        self.procedures.push((at, end));
        if Some(at) < self.reach {
            self.inner.push((at, end));
        }
        self.reach = self.reach.max(Some(end));
    }

    /// Adds a call. Returns its depth.
    fn site(&mut self, at: SymbolIndex, end: SymbolIndex, bytes: usize) -> usize {
        while self.open.last().is_some_and(|end| *end <= at) {
            self.open.pop();
        }
        self.open.push(end);
        self.reach = self.reach.max(Some(end));
        let sum = self.sites.last().map_or(0, |(_, sum)| *sum);
        self.sites.push((at, sum + bytes as u64));
        self.open.len()
    }

    fn is_good(&self) -> bool {
        self.ends() && self.is_quick()
    }

    /// Returns whether who skips the procedures within others goes forward, from symbol to symbol.
    fn ends(&self) -> bool {
        self.inner.iter().all(|(at, end)| end > at && self.starts.binary_search(end).is_ok())
    }

    /// Returns whether the ranges of each procedure's calls are merged in reasonable time: each of `n` calls may be merged
    /// with all ranges before it.
    fn is_quick(&self) -> bool {
        self.procedures.iter().all(|(at, end)| {
            let [from, to] = [at, end].map(|place| self.sites.partition_point(|(site, _)| site < place));
            let sum =
                |count: usize| count.checked_sub(1).and_then(|last| self.sites.get(last)).map_or(0, |site| site.1);
            let (count, bytes) = (to.saturating_sub(from) as u64, sum(to).saturating_sub(sum(from)));
            count.saturating_mul(bytes) <= MAX_INLINE_WORK
        })
    }
}

/// Symbols that `pdb-addr2line` reads: procedures, thunks, separated code, and inlined calls. Others are not parsed,
/// because `pdb2` takes the memory that they claim to need.
const READ_KINDS: [u16; 13] =
    [0x0206, 0x100A, 0x100B, 0x1102, 0x110F, 0x1110, 0x1132, 0x1146, 0x1147, 0x114D, 0x1155, 0x1156, 0x115D];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_and_work_of_inlined_calls_are_measured() {
        let mut nesting = Nesting::default();
        let at = SymbolIndex;
        nesting.procedure(at(4), at(100));
        assert_eq!(
            [(10, 50), (20, 30), (30, 40), (60, 70)].map(|(from, to)| nesting.site(at(from), at(to), 8)),
            [1, 2, 2, 1]
        );
        assert!(nesting.is_good());
        nesting.procedure(at(200), at(9_000_000));
        assert!(nesting.is_good());
        for number in 0..100_000 {
            nesting.site(at(300 + number), at(0), 1000);
        }
        assert!(!nesting.is_good());
    }

    #[test]
    fn procedures_within_others_end_at_a_later_symbol() {
        let is_good = |end: u32| {
            let mut nesting = Nesting { starts: [4, 10, 20, 30].map(SymbolIndex).to_vec(), ..Nesting::default() };
            nesting.procedure(SymbolIndex(4), SymbolIndex(30));
            nesting.procedure(SymbolIndex(10), SymbolIndex(end));
            nesting.is_good()
        };
        assert!(is_good(20) && !is_good(4) && !is_good(10) && !is_good(21));
    }
}
