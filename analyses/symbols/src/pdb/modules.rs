//! The modules (object files) of a PDB file.

use std::sync::{Arc, Mutex, OnceLock};

use pdb_addr2line::ModuleProvider;
use pdb_addr2line::pdb::{self, Module, ModuleInfo, PDB};

use super::source::{LastView, Limited, lock};

/// Modules that have been read. Each is read when an address in it is looked up.
pub(super) struct Modules {
    pdb: Mutex<PDB<'static, Limited>>,
    last: LastView,
    /// What was read; `None`: it has no symbols.
    read: Vec<OnceLock<Option<Read>>>,
}

/// A module that was read.
struct Read {
    info: ModuleInfo<'static>,
    /// All of its stream.
    bytes: Arc<Vec<u8>>,
}

impl Modules {
    pub(super) fn new(pdb: PDB<'static, Limited>, last: LastView, count: usize) -> Self {
        let read = std::iter::repeat_with(OnceLock::new).take(count).collect();
        Self { pdb: Mutex::new(pdb), last, read }
    }

    /// Returns a module, and its tables of lines, which follow its symbols.
    pub(super) fn get(&self, index: usize, module: &Module<'_>) -> Option<(&ModuleInfo<'static>, &[u8])> {
        let read = self.read(index, module)?;
        let size = |size: u32| size as usize;
        let info = module.info();
        let tables = read.bytes.get(size(info.symbols_size)..).and_then(|rest| rest.get(..size(info.c13_lines_size)));
        Some((&read.info, tables.unwrap_or_default()))
    }

    fn read(&self, index: usize, module: &Module<'_>) -> Option<&Read> {
        let read = || {
            let mut pdb = lock(&self.pdb);
            let info = pdb.module_info(module).ok()??;
            Some(Read { info, bytes: self.last.bytes() })
        };
        self.read.get(index)?.get_or_init(read).as_ref()
    }
}

impl ModuleProvider<'static> for Modules {
    fn get_module_info(&self, index: usize, module: &Module<'_>) -> pdb::Result<Option<&ModuleInfo<'static>>> {
        Ok(self.read(index, module).map(|read| &read.info))
    }
}
