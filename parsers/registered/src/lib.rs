//! Events of providers that are registered with Windows, decoded without Windows.
//!
//! [`Registered`] asks, in this order:
//!
//! 1. the tables of `schemas/`: providers that no registry has, events whose manifest lies, and better names;
//! 2. the [`pack`]: facts of a thousand providers, made by `cargo xtask schemas`.
//!
//! When both have a layout, the executor takes the first that fits a payload exactly. [`UserSchemas`] are files of a
//! user's own.

mod compile;
mod entries;
mod facts;
pub mod pack;
mod tables;
mod user;

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::RawEvent;
use etwkit::parser::{Claims, Parser, TraceFacts};
use etwkit::schema::Schema;
use etwkit::tables::SchemaTables;

pub use compile::{Stop, Why, check};
pub use entries::entries;
pub use tables::{overrides, tables};
pub use user::UserSchemas;

use facts::Found;
use pack::Pack;

/// The parser of registered providers.
#[derive(Debug)]
pub struct Registered {
    tables: Vec<SchemaTables>,
    pack: Option<Pack>,
    /// The providers and classes of both, sorted.
    claims: Vec<Guid>,
}

impl Registered {
    /// The tables and the pack that are built in. Cheap: only an index is read.
    pub fn new() -> Self {
        // A pack that cannot be read is a defect, which a test of this crate finds; here it counts as empty.
        Self::with_pack(Pack::built_in().ok())
    }

    /// The tables that are built in, and another pack or none.
    pub fn with_pack(pack: Option<Pack>) -> Self {
        let tables = tables();
        let packed = pack.iter().flat_map(|pack| pack.keys().iter().map(|(guid, _)| *guid));
        let mut claims: Vec<Guid> = tables.iter().flat_map(claims_of).chain(packed).collect();
        claims.sort_unstable();
        claims.dedup();
        Self { tables, pack, claims }
    }

    /// The pack.
    pub const fn pack(&self) -> Option<&Pack> {
        self.pack.as_ref()
    }
}

impl Default for Registered {
    fn default() -> Self {
        Self::new()
    }
}

fn claims_of(tables: &SchemaTables) -> impl Iterator<Item = Guid> + use<> {
    let claims: Vec<Guid> = match tables.claims() {
        Claims::Providers(guids) => guids.to_vec(),
        _ => Vec::new(),
    };
    claims.into_iter()
}

impl Parser for Registered {
    fn name(&self) -> &'static str {
        "registered"
    }

    fn claims(&self) -> Claims<'_> {
        Claims::Providers(&self.claims)
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        let key = event.key();
        let mut table = None;
        for tables in self.tables.iter().filter(|tables| tables.claims().holds(&key)) {
            table = tables.schema(event, facts)?;
            if table.is_some() {
                break;
            }
        }
        let packed = match &self.pack {
            Some(pack) => facts::find(pack, event, facts.os_build)?,
            None => Found::Nothing,
        };
        Ok(match (table, packed) {
            // A layout for this very version is better than one for an older one.
            (Some(table), Found::Layout(packed)) if guessed(&table) && !guessed(&packed) => Some(packed.or(table)),
            (Some(table), Found::Layout(packed)) => Some(table.or(packed)),
            // Mere names would fit better than a table with too many fields, and tell less.
            (Some(table), _) => Some(table),
            (None, Found::Layout(packed) | Found::Names(packed)) => Some(packed),
            (None, Found::Nothing) => None,
        })
    }
}

const fn guessed(schema: &Schema) -> bool {
    schema.origin().guessed_version
}
