//! Events of providers that are registered with Windows, decoded without Windows.
//!
//! [`Registered`] asks, in this order:
//!
//! 1. the tables of `schemas/`: providers that no registry has, events whose manifest is wrong, and better names;
//! 2. the [`pack`]: facts of a thousand providers, made by `cargo xtask schemas`.
//!
//! `docs/events/README.md` of the repository lists the events of the tables with their fields, types and values.
//!
//! When both have a layout, the executor takes the first that fits a payload exactly. [`Overrides`] are tables that go
//! before the schemas of a trace.

mod compile;
mod entries;
mod kernel_process;
mod names;
pub mod pack;
mod pack_lookup;
mod script_methods;
mod tables;
mod widths;

use std::sync::{Arc, LazyLock};

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::RawEvent;
use etwkit::parser::{Claims, FirstPass, Parser, SchemaProvider, SchemaTables, TraceFacts};
use etwkit::schema::Schema;

pub use compile::{Stop, Why, check};
pub use entries::entries;
pub use kernel_process::KernelProcess;
pub use script_methods::ScriptMethods;
pub use tables::{overrides, tables};

use pack::Pack;
use pack_lookup::Found;

/// Serves events whose manifest does not describe what is written. It must come before the schemas that a trace
/// itself has, which repeat the manifest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides;

impl Parser for Overrides {
    fn name(&self) -> &'static str {
        "overrides"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_provider(overrides());
    }
}

/// The parser of registered providers. Clones share the pack.
#[derive(Clone, Debug)]
pub struct Registered {
    pack: Option<Arc<Pack>>,
    /// The providers and classes of the tables and the pack, sorted.
    claims: Arc<[Guid]>,
}

/// The index of the pack is read once in a process, its blocks when their first event comes. A pack that cannot be read
/// is a defect, which a test of this crate finds; here it counts as empty.
static BUILT_IN: LazyLock<Registered> = LazyLock::new(|| Registered::with_pack(Pack::built_in().ok()));

impl Registered {
    /// Returns the parser with the tables and the pack that are built in.
    pub fn new() -> Self {
        BUILT_IN.clone()
    }

    /// Returns a parser with the tables that are built in, and another pack or none.
    pub fn with_pack(pack: Option<Pack>) -> Self {
        let packed = pack.iter().flat_map(|pack| pack.keys().iter().map(|(guid, _)| *guid));
        let tables = tables().iter().flat_map(|tables| tables.guids().iter().copied());
        let mut claims: Vec<Guid> = packed.chain(tables).collect();
        // The pack's are sorted already, so that this has little to do.
        claims.sort();
        claims.dedup();
        Self { claims: claims.into(), pack: pack.map(Arc::new) }
    }

    /// Returns the pack.
    pub fn pack(&self) -> Option<&Pack> {
        self.pack.as_deref()
    }

    /// Returns what the pack has for an event.
    fn packed(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Found> {
        self.pack.as_deref().map_or(Ok(Found::Nothing), |pack| pack_lookup::find(pack, event, facts.os_build))
    }
}

impl Default for Registered {
    fn default() -> Self {
        Self::new()
    }
}

impl SchemaProvider for Registered {
    fn name(&self) -> &'static str {
        "registered"
    }

    fn claims(&self) -> Claims {
        Claims::providers(Arc::clone(&self.claims))
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        Ok(match (table(event, facts), self.packed(event, facts)?) {
            // A layout for this very version is better than one for an older one.
            (Some(table), Found::Layout(packed)) if guessed(&table) && !guessed(&packed) => Some(packed.or(table)),
            (Some(table), Found::Layout(packed)) => Some(table.or(packed)),
            // Mere names would fit better than a table with too many fields, and state less.
            (Some(table), _) => Some(table),
            (None, Found::Layout(packed) | Found::Older(packed) | Found::Names(packed)) => Some(packed),
            (None, Found::Nothing) => None,
        })
    }

    /// What the pack has: Windows' words are not in the tables.
    fn reported(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        Ok(match self.packed(event, facts)? {
            Found::Layout(packed) => Some(packed),
            Found::Older(_) | Found::Names(_) | Found::Nothing => None,
        })
    }
}

/// Returns the schema of the first table that has one.
fn table(event: &RawEvent<'_>, facts: &TraceFacts) -> Option<Schema> {
    let claiming = |tables: &&SchemaTables| tables.guids().contains(&event.provider_guid());
    tables().iter().filter(claiming).find_map(|tables| tables.of_event(event, facts.os_build))
}

const fn guessed(schema: &Schema) -> bool {
    schema.origin().guessed_version
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
