//! Bodies of the fuzz targets, on stable Rust: `tests/replay.rs` runs them over `seeds/` and `crashes/`.
//!
//! | body | reads |
//! |---|---|
//! | [`walk`] | a file: first pass, all events in both orders, and every byte accounted for |
//! | [`records`] | records of a `.btl` file, in the same way |
//! | [`redact`] | a file, whose redacted form has the same events and no secret |
//! | [`relog`] | a file, whose copies must have the same events |
//! | [`parts`] | a file that is copied to several, which must have its events |
//! | [`learning`] | a trace with all parsers: processes, stacks, methods, names |
//! | [`sinks`] | a trace in every output format, which readers of those formats must take |
//! | [`same`] | a trace by several threads, from several kinds of inputs, in several orders |
//! | [`columns`] | a trace as columns and as Parquet files, which must have what JSON lines have |
//! | [`analyses`] | a trace and all analyses of it, spans, profiles, requests, checks |
//! | [`archives`] | gzip data and zip archives, also such that lie about what they hold |
//! | [`counters`] | counters of a performance log and their samples |
//! | [`decompress`] | a compressed stream, by all four algorithms |
//! | [`tracelogging`] | metadata of an event, then a payload that is decoded by it |
//! | [`schema_text`] | a schema text; what parses must print and parse again to the same |
//! | [`mof`] | a MOF text; every schema of it prints and parses again to the same |
//! | [`executor`] | fields for a schema, then a payload that is decoded by it |
//! | [`selectors`] | selectors of fields and patterns |
//! | [`expression`] | a filter expression; it must print and read back the same, and run |
//! | [`packets`] | events of packets; what is written must be read back |
//! | [`symbols`] | PDB files, images, Breakpad files and packed PDB files, and addresses in them |
//! | [`tei`] | `TRACE_EVENT_INFO` blobs and maps, then a payload |
//! | [`manifest_chunks`] | chunk events of EventSource manifests, then a payload |
//! | [`manifest_xml`] | manifest text, in both codings |
//! | [`wevt`] | message tables, `WEVT_TEMPLATE` resources, PE files, then a payload |
//! | [`pack`] | a pack of registered providers, and lookups in it |
//! | [`tmf`] | TMF text; it must print and read back the same |
//! | [`pdb`] | a PDB file with annotations |
//! | [`wpp`] | a message's definition and its payload, which is written as text |
//!
//! To run one: `cargo +nightly fuzz run walk fuzz/corpus/walk fuzz/seeds/walk`. What it finds goes to `crashes/`.
#![expect(clippy::missing_panics_doc, clippy::panic, reason = "a fuzz body panics when it finds something")]

mod analyses;
mod archives;
mod columns;
mod counters;
mod cover;
mod decompress;
mod event;
mod every_analysis;
mod executor;
mod expression;
mod learning;
mod manifest;
mod mof;
mod pack;
mod packets;
mod parts;
mod pieces;
mod records;
mod redact;
mod relog;
mod same;
mod schema_size;
mod schema_text;
mod selectors;
mod sinks;
mod symbols;
mod tei;
mod tracelogging;
mod traces;
mod walk;
mod wpp;

pub use analyses::analyses;
pub use archives::archives;
pub use columns::columns;
pub use counters::counters;
pub use decompress::decompress;
pub use executor::executor;
pub use expression::expression;
pub use learning::learning;
pub use manifest::{manifest_chunks, manifest_xml, wevt};
pub use mof::mof;
pub use pack::pack;
pub use packets::packets;
pub use parts::parts;
pub use records::records;
pub use redact::redact;
pub use relog::relog;
pub use same::same;
pub use schema_text::schema_text;
pub use selectors::selectors;
pub use sinks::sinks;
pub use symbols::symbols;
pub use tei::tei;
pub use tracelogging::tracelogging;
pub use traces::listed;
pub use walk::walk;
pub use wpp::{pdb, tmf, wpp};

/// Makes a body the `main` of a fuzz target; without the fuzzer, an empty `main`.
#[macro_export]
macro_rules! target {
    ($body:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| etwkit_fuzz::$body(data));
        #[cfg(not(fuzzing))]
        fn main() {
            // Built on stable only to see that it compiles.
            etwkit_fuzz::$body(&[]);
        }
    };
}
