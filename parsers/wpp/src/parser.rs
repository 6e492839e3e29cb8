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

    /// Keeps a PDB file that the trace names, and reads it if it is found. Folders are not searched for one that is
    /// known or does not fit: a trace may name one, or any number, in each of its events.
    fn add_pdb(&mut self, pdb: ReferencedPdb) -> Result<()> {
        if let Some(pdb) = self.pdbs.add(pdb)? {
            pdb.found = find(&mut self.symbols, pdb)?;
        }
        Ok(())
    }
}

/// Returns the file of a PDB that a trace names: one that has been read, or one of a symbol store, which is read now.
fn find(symbols: &mut Arc<Symbols>, pdb: &ReferencedPdb) -> Result<Option<PathBuf>> {
    if let Some(path) = symbols.pdb(pdb.guid) {
        return Ok(Some(path.to_owned()));
    }
    let Some(path) = symbols.in_store(&pdb.name, pdb.guid, pdb.age) else { return Ok(None) };
    Arc::make_mut(symbols).add_file(&path)?;
    Ok(Some(path))
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
            Some(HOOK_PDB) => read_pdb(event.payload()).map_or(Ok(()), |pdb| self.add_pdb(pdb)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_are_searched_once_for_a_pdb_file() {
        let store = std::env::temp_dir().join(format!("etwkit-wpp-store-{}", std::process::id()));
        std::fs::create_dir_all(&store).unwrap();
        let mut symbols = Symbols::default();
        symbols.add_path(&store).unwrap();
        let mut parser = Wpp::new(symbols);
        let pdb = read_pdb(&[&[7; 20][..], b"c:\\a.pdb\0"].concat()).unwrap();
        parser.add_pdb(pdb.clone()).unwrap();
        // What is written there now would be an error: it is no PDB file.
        let folder = store.join("a.pdb").join(pdb.store_key());
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.pdb"), "no PDB file").unwrap();
        parser.add_pdb(pdb.clone()).unwrap();
        assert_eq!(parser.pdbs.missing(), std::slice::from_ref(&pdb));
        assert!(Wpp::new(parser.symbols().clone()).add_pdb(pdb).is_err());
        std::fs::remove_dir_all(&store).unwrap();
    }
}
