//! The parser: schemas of messages, and what the trace states about PDB files.

use std::path::PathBuf;
use std::sync::Arc;

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::{Kind, RawEvent};
use etwkit::parser::{Claims, Finding, SchemaProvider, TraceFacts};
use etwkit::schema::Schema;

use crate::referenced_pdbs::{HOOK_BINARY, HOOK_PDB, ReferencedPdb, ReferencedPdbs, read_binary, read_pdb};
use crate::symbols::Symbols;

/// `EventTraceGuid` of `evntrace.h`, the class of the hooks that name PDB files.
const EVENT_TRACE: Guid = Guid::from_u128(0x68fdd900_4a3e_11d1_84f4_0000f80464e3);

/// Parser of WPP messages. A message without a definition, or with a component id in place of its GUID, stays
/// undecoded. The PDB files that a trace names are in its [`ReferencedPdbs`]: `trace.finding::<ReferencedPdbs>()`.
#[derive(Clone, Debug, Default)]
pub struct Wpp {
    /// Shared by all traces, until one of them names a PDB file that a symbol store has.
    symbols: Arc<Symbols>,
    pdbs: ReferencedPdbs,
}

impl Wpp {
    /// Returns a parser with these definitions.
    pub fn new(symbols: Symbols) -> Self {
        Self { symbols: Arc::new(symbols), pdbs: ReferencedPdbs::default() }
    }

    /// Returns the definitions.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// Returns the file of a PDB that a trace names: one that has been read, or one of a symbol store, which is read
    /// now.
    fn find(&mut self, pdb: &ReferencedPdb) -> Result<Option<PathBuf>> {
        if let Some(path) = self.symbols.pdb(pdb.guid) {
            return Ok(Some(path.to_owned()));
        }
        let Some(path) = self.symbols.in_store(&pdb.name, pdb.guid, pdb.age) else { return Ok(None) };
        Arc::make_mut(&mut self.symbols).add_file(&path)?;
        Ok(Some(path))
    }
}

impl From<Symbols> for Wpp {
    fn from(symbols: Symbols) -> Self {
        Self::new(symbols)
    }
}

impl SchemaProvider for Wpp {
    fn name(&self) -> &'static str {
        "wpp"
    }

    fn claims(&self) -> Claims {
        Claims::kind(Kind::Wpp)
    }

    fn learns_from(&self) -> Claims {
        Claims::provider(EVENT_TRACE)
    }

    fn learn(&mut self, event: &RawEvent<'_>) -> Result<()> {
        match event.hook() {
            Some(HOOK_PDB) => {
                let Some(mut pdb) = read_pdb(event.payload()) else { return Ok(()) };
                let found = self.find(&pdb);
                pdb.found = found.as_ref().ok().cloned().flatten();
                self.pdbs.add(pdb)?;
                found.map(drop)
            }
            Some(HOOK_BINARY) => read_binary(event.payload()).map_or(Ok(()), |binary| self.pdbs.add_binary(binary)),
            _ => Ok(()),
        }
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        match event.message().and_then(|message| message.guid) {
            Some(guid) => self.symbols.schema(guid, event.id()),
            None => Ok(None),
        }
    }

    fn finish(self: Box<Self>) -> Option<Finding> {
        Some(Box::new(self.pdbs))
    }
}
