//! Offline reader of Windows `.etl` trace logs (Event Tracing for Windows).
//!
//! [`Trace::open`] makes the first pass over one or several files: it counts, learns schemas and the traced system, and
//! compiles a schema for each event type. The [`Trace`] then returns every event in time order, decoded. Damage is
//! delivered as [`Problem`]s beside the events. [`RawTrace`] is the file without the first pass: raw events only.
//!
//! ```no_run
//! use etwkit::{Parsers, Trace};
//!
//! # fn main() -> etwkit::Result<()> {
//! // `etwkit_parsers::standard()` has all parsers; without any, events come undecoded.
//! let trace = Trace::open("trace.etl", Parsers::none())?;
//! let mut events = trace.events();
//! while let Some(event) = events.next()? {
//!     println!("{:?} {} {}", event.time(), event.provider(), event.name());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Where to begin:
//!
//! | to | look at |
//! |---|---|
//! | decode what Windows, .NET and others write | the crate `etwkit-parsers`, whose features are parsers; this crate knows no provider |
//! | iterate events on one thread | [`Trace::events`], `examples/iterate.rs` |
//! | keep events, or send them to other threads | [`Trace::into_events`], [`Event::to_owned`], `examples/in_memory.rs` |
//! | read fields | [`Event::get`], [`Event::field`], [`Trace::resolve`] |
//! | read known events as structs | [`typed`], the modules `events` of `etwkit-kernel` and `etwkit-clr`, `docs/events` |
//! | fill structs of your own | `Event::deserialize` with the feature `serde`, `examples/typed.rs` |
//! | handle each kind of event by a function of its own | [`typed::Dispatcher`], `examples/callbacks.rs` |
//! | decode on all processors, in order | [`Trace::run`] into a [`sink::Sink`] such as [`output::JsonLines`], [`Trace::parts`] |
//! | write a format of your own | [`output::LineFormat`]; the forms of Windows' tools are the crate `etwkit-windows-formats` |
//! | select events | [`Filter`], [`query::Expression`], `examples/filter_export.rs` |
//! | count events | [`output::Tally`] by [`select::Selector`] |
//! | decode events of your own | [`parser::SchemaTables`], [`parser::SchemaProvider`], `examples/custom_parser.rs` |
//! | learn from events in the first pass | [`parser::Observer`], `examples/observer.rs` |
//! | read payloads that no schema expresses | [`schema::ConvertPayload`] |
//! | know the process, image or file of an event | [`Event::process`], [`Trace::system`] |
//! | walk raw events per processor | [`RawTrace::processors`], `examples/count_processors.rs` |
//! | change the limits on hostile input | [`Trace::open_with`], [`limits::Limits`] |
//! | know what is missing | [`Trace::problems`], `examples/damaged.rs` |
//!
//! Numbers such as "section 9.5" or "trap 18" in the documentation refer to the description of the format in
//! `docs/format` of the repository; its `README.md` lists them.
//!
//! The modules, from the bytes up:
//!
//! | module | owns |
//! |---|---|
//! | [`bytes`] | numbers, GUIDs, SIDs, text |
//! | [`format`](mod@format) | the structures of the file: buffer, header and extended-item layouts |
//! | [`input`], [`compress`] | files, maps and memory; the decompressors of buffers |
//! | [`container`] | trace header, buffers, events; going on after damage |
//! | [`event`] | one raw event, whatever its header |
//! | [`clock`], [`time`] | raw time stamps to UTC |
//! | [`schema`] | the one form of all schemas, and its text form |
//! | [`decode`] | event types, and the executor that runs a schema over a payload |
//! | [`parser`] | the traits of providers of schemas and of observers; their registry; providers made of schema texts |
//! | [`system`] | processes, threads, images and names of the traced system |
//! | [`select`] | values of events by name: header fields and fields of the payload |
//! | [`query`] | filter expressions over header and fields |
//! | [`trace`] | the two passes, order, filters |
//! | [`typed`] | typed views of events; the dispatcher |
//! | [`render`], [`codes`] | values, messages and names of codes as text, JSON and CSV; what is safe on a terminal |
//! | [`sink`], [`output`] | where events go; JSON lines, text, tables, counts |
//! | [`error`], [`limits`] | errors, problems; every cap on hostile input |

#[macro_use]
mod named_enum;

pub mod bytes;
pub mod clock;
pub mod codes;
pub mod compress;
pub mod container;
pub mod decode;
pub mod error;
pub mod event;
mod file_id;
pub mod format;
pub mod input;
pub mod limits;
#[cfg(feature = "output")]
pub mod output;
pub mod parser;
#[cfg(feature = "query")]
pub mod query;
pub mod render;
pub mod schema;
#[cfg_attr(
    not(all(feature = "output", feature = "query")),
    allow(dead_code, unused_imports, reason = "some of it serves only outputs or only filter expressions")
)]
pub mod select;
#[cfg(feature = "serde")]
pub mod serde;
pub mod sink;
pub mod system;
pub mod time;
pub mod trace;
pub mod typed;
pub use bytes::Guid;
pub use decode::{Event, EventType, FromField, OwnedEvent};
pub use error::{Error, ErrorKind, FieldError, ForeignFormat, Problem, ProblemKind, Result, Severity};
pub use file_id::FileId;
pub use input::Input;
pub use parser::Parsers;
pub use time::{FileTime, RawTime};
pub use trace::{Filter, RawTrace, Trace};
