//! Schemas of the .NET runtime, as tables in the text form.
//!
//! Each file of `schemas/` describes one class of events; their comments list sources and conflicts.
//!
//! [`events`] has a typed view of every event. `docs/events/README.md` of the repository lists all events with their
//! fields, types and values.

mod classic;
pub mod events;
mod methods;
mod native;
mod recent_schemas;
mod stacks;

use etwkit::bytes::Guid;
use etwkit::parser::{FirstPass, Parser, SchemaTables};
use etwkit::schema::SchemaEntry;

pub use classic::ClassicRuntime;
pub use methods::ClrMethods;
pub use native::NativeRuntime;
pub use stacks::ClrStacks;

/// Serves the events of the .NET runtime: as Windows and .NET write them today, from .NET Native, and in their classic
/// form.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clr;

impl Parser for Clr {
    fn name(&self) -> &'static str {
        "clr"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_provider(tables());
        pass.add_provider(NativeRuntime);
        pass.add_provider(ClassicRuntime);
    }
}

static TABLES: SchemaTables = SchemaTables::built_in("clr", &CLAIMS, &TEXTS);

/// Returns every table of this crate. They are read once in a process.
pub fn tables() -> &'static SchemaTables {
    &TABLES
}

/// Returns all schemas, for printing: a list for each table, then one for .NET Native and one for the classic form.
pub fn entries() -> impl Iterator<Item = Vec<SchemaEntry>> {
    let others = [NativeRuntime::entries, ClassicRuntime::entries];
    tables().entries().chain(others.into_iter().map(|entries| entries()))
}

/// The providers and event classes that the tables describe, sorted.
const CLAIMS: [Guid; 6] = [
    Guid::from_u128(0xa669021c_c450_4609_a035_5af59af4df18),
    Guid::from_u128(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4),
    Guid::from_u128(0x3c530d44_97ae_513a_1e6d_783e8f8e03a9),
    Guid::from_u128(0x763fd754_7086_4dfe_95eb_c01a46faf4ca),
    Guid::from_u128(0xcc2bcbba_16b6_4cf3_8990_d74c2e8af500),
    Guid::from_u128(0x044973cd_251f_4dff_a3e9_9d6307286b05),
];

const TEXTS: [&str; 12] = [
    include_str!("../schemas/exception.schema"),
    include_str!("../schemas/gc.schema"),
    include_str!("../schemas/gcdynamic.schema"),
    include_str!("../schemas/heapdump.schema"),
    include_str!("../schemas/loader.schema"),
    include_str!("../schemas/method.schema"),
    include_str!("../schemas/private.schema"),
    include_str!("../schemas/rundown.schema"),
    include_str!("../schemas/runtime.schema"),
    include_str!("../schemas/sampleprofiler.schema"),
    include_str!("../schemas/stress.schema"),
    include_str!("../schemas/threadpool.schema"),
];

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use etwkit::schema::text;

    #[test]
    fn every_table_can_be_read() {
        for source in super::TEXTS {
            let head = source.lines().next().unwrap_or_default();
            if let Err(error) = text::parse(source) {
                panic!("{head}: {error}");
            }
        }
    }

    #[test]
    fn the_claims_are_what_the_tables_describe() {
        let tables = super::tables();
        assert_eq!(tables.guids(), tables.set().providers());
    }
}
