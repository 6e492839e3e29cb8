//! The parser: schemas of messages, and what the trace says of PDB files.

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::{Kind, RawEvent};
use etwkit::parser::{Claims, Learned, Parser, TraceFacts};
use etwkit::schema::Schema;
use etwkit::system::System;

use crate::symbols::Symbols;
use crate::wanted::{HOOK_BINARY, HOOK_PDB, Wanted, read_binary, read_pdb};

/// `EventTraceGuid` of `evntrace.h`, the class of the hooks that name PDB files.
const TEACHERS: [Guid; 1] = [Guid::from_u128(0x68fdd900_4a3e_11d1_84f4_0000f80464e3)];

/// Parser of WPP messages. A message without a definition, or with a component id in place of its GUID, stays
/// undecoded.
#[derive(Debug, Default)]
pub struct Wpp {
    symbols: Symbols,
    wanted: Wanted,
}

impl Wpp {
    /// A parser with these definitions.
    pub fn new(symbols: Symbols) -> Self {
        Self { symbols, wanted: Wanted::default() }
    }

    /// The list of PDB files that the trace names, filled by the census.
    pub fn wanted(&self) -> Wanted {
        self.wanted.clone()
    }

    /// The definitions.
    pub const fn symbols(&self) -> &Symbols {
        &self.symbols
    }
}

impl Parser for Wpp {
    fn name(&self) -> &'static str {
        "wpp"
    }

    fn claims(&self) -> Claims<'_> {
        Claims::Kind(Kind::Wpp)
    }

    fn teachers(&self) -> Claims<'_> {
        Claims::Providers(&TEACHERS)
    }

    fn learn(&mut self, event: &RawEvent<'_>, _: &mut System) -> Result<Learned> {
        match event.hook() {
            Some(HOOK_PDB) => {
                let Some(mut pdb) = read_pdb(event.payload()) else { return Ok(Learned::Nothing) };
                let found = self.symbols.find_pdb(&pdb.name, pdb.guid, pdb.age);
                pdb.found = found.as_ref().ok().cloned().flatten();
                self.wanted.add(pdb);
                Ok(if found?.is_some() { Learned::Schema } else { Learned::Fact })
            }
            Some(HOOK_BINARY) => {
                let Some(binary) = read_binary(event.payload()) else { return Ok(Learned::Nothing) };
                self.wanted.add_binary(binary);
                Ok(Learned::Fact)
            }
            _ => Ok(Learned::Nothing),
        }
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        match event.message().and_then(|message| message.guid) {
            Some(guid) => self.symbols.schema(guid, event.id()),
            None => Ok(None),
        }
    }
}
