//! Network packets of traces, written as pcapng: what NDIS-PacketCapture (`netsh trace start capture=yes`) and PktMon
//! (`pktmon start --capture`) log.
//!
//! | module | owns |
//! |---|---|
//! | `convert` | from events to blocks: what is kept, what is counted |
//! | `ndis` | fragments of NDIS-PacketCapture; `assembly` puts them together |
//! | `pktmon` | packets of PktMon, one event each |
//! | `wifi` | what the driver stated about an 802.11 frame |
//! | `names` | interfaces, components and the system, as the rundown names them |
//! | `summary` | a packet in one line, for people |
//! | `pcapng` | the output's blocks |
//! | `limits` | every cap on what a trace may make this crate keep |
//!
//! Payloads are read through the schemas of the trace. The one exception is the driver's structure in
//! `wifi`, which no schema describes.

mod assembly;
mod comment;
mod convert;
mod fields;
pub mod limits;
mod names;
mod ndis;
pub mod pcapng;
mod pktmon;
mod summary;
mod wifi;

pub use convert::{Converter, Drops, Options, Totals, components, packet_events, write_pcapng};
pub use names::Names;
pub use summary::{may_have_summary, summary};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
