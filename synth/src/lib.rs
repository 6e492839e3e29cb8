//! Writes Windows `.etl` traces: for tests, fixtures and benchmarks of `etwkit`.
//!
//! Nothing here is shared with the reader, neither layouts nor constants, so a trace that is written by this
//! crate and read by `etwkit` checks both. Numbers such as "section 4.2" in the documentation refer to the description
//! of the `.etl` format in `docs/format` of the repository.
//!
//! | module | owns |
//! |---|---|
//! | [`guid`], [`payload`], [`time`] | the scalars everything else is made of |
//! | [`event`] | one event of every header kind, with extended items |
//! | [`schema`] | schemas that travel in a trace: `TraceLogging`, provider traits, manifests, `TRACE_EVENT_INFO` |
//! | [`kernel`], [`scheduling`], [`merged`] | payloads of kernel events and of the events a merge adds |
//! | [`packets`] | events with network packets |
//! | [`compress`] | XPRESS, XPRESS-Huffman and LZNT1 encoders |
//! | [`mod@file`] | the log-file header, buffers, and [`TraceBuilder`] which puts them into a file |
//! | [`expected`] | ground truth: what a reader must find in the bytes |
//! | [`damage`] | breaks a finished trace and states what stays readable |
//! | [`mod@fixtures`] | about thirty small traces which together cover the format |
//! | [`values`] | a value of every type |
//! | [`busy`] | many events of a few kinds |
//! | [`mod@repeat`] | makes a trace of any size from a small one |
//!
//! ```
//! use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};
//!
//! let header = LogfileHeader::default();
//! let event = ModernEvent::new(Guid::new(0x00112233_4455_6677_8899_aabbccddeeff))
//!     .id(7)
//!     .at(header.t0 + 1_000)
//!     .by(400, 404)
//!     .payload(Payload::new().u32(42).utf16z("hello"));
//! let trace = TraceBuilder::new(header).buffer(Buffer::on(0).event(event)).build();
//! assert_eq!(trace.expected.events.len(), 2);
//! assert_eq!(trace.bytes.len(), 2 * 8192);
//! ```
#![expect(
    clippy::indexing_slicing,
    reason = "this crate writes its own data and reads no input but `repeat`'s, which checks"
)]

pub mod busy;
pub mod compress;
pub mod damage;
pub mod event;
pub mod expected;
pub mod file;
pub mod fixtures;
pub mod guid;
pub mod kernel;
pub mod merged;
pub mod packets;
pub mod payload;
pub mod repeat;
pub mod scheduling;
pub mod schema;
pub mod time;
pub mod values;
pub mod zone;

mod narrow;

pub use event::{
    ClassicEvent, ErrorEvent, Event, ExtendedItem, HeaderKind, InstanceEvent, MessageEvent, ModernEvent, PointerSize,
    SystemEvent,
};
pub use expected::{Counts, Expected, ExpectedBuffer, ExpectedEvent, Gap};
pub use file::{
    Block, Buffer, BufferLayout, Clock, Compression, HeaderText, LogfileHeader, Padding, Trace, TraceBuilder,
    block_file, huffman_block_file, new_file_set,
};
pub use fixtures::{Fixture, fixtures};
pub use guid::Guid;
pub use payload::Payload;
pub use repeat::repeat;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
