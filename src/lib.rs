//! Offline reader of Windows `.etl` trace logs (Event Tracing for Windows).
//!
//! Two passes: [`trace::Trace`] opens files, [`trace::Trace::census`] counts, learns and compiles schemas, and the
//! [`trace::Trace`] hands out every event in time order, decoded. Damage is delivered as [`Problem`]s beside the events.
//!
//! ```no_run
//! use etwkit::input::Input;
//! use etwkit::trace::{Filter, Order, Trace};
//!
//! # fn main() -> etwkit::Result<()> {
//! // `etwkit_parsers::standard()` has all parsers; without any, events come undecoded.
//! let parsers = etwkit::parser::Parsers::none();
//! let census = Trace::open(Input::open("trace.etl")?, parsers)?;
//! let mut events = census.events();
//! while let Some(event) = events.next()? {
//!     println!("{:?} {}", event.time, event.raw.provider());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Where to begin:
//!
//! | to | look at |
//! |---|---|
//! | decode what Windows, .NET and others write | the crate `etwkit-parsers`, whose features are parsers; this crate has no features and knows no provider |
//! | walk through events on one thread | [`trace::Trace::events`], `examples/iterate.rs` |
//! | get at fields | [`decode::Event::field`], [`decode::FieldView`], `examples/typed.rs` |
//! | read known events as structs | [`typed`], the modules `events` of `etwkit-kernel` and `etwkit-clr`, `docs/events` |
//! | handle each kind of event by a function of its own | [`typed::Dispatcher`] |
//! | decode all processors' worth, in order | [`trace::Trace::run`] into a [`sink::Sink`] such as [`sink::JsonLines`], `examples/filter_export.rs` |
//! | pick events | [`trace::Filter`], [`query::Expression`] |
//! | count events | [`output::Tally`] by [`select::Selector`] |
//! | decode events of your own | [`parser::SchemaTables`], [`parser::SchemaProvider`], `examples/custom_parser.rs` |
//! | know the process, image or file of an event | [`decode::Event::process`], [`state::State`] |
//! | know what is missing | [`trace::Trace::problems`], `examples/damaged.rs` |
//!
//! Numbers such as "section 9.5" or "trap 18" in the documentation refer to the description of the format in
//! `docs/format` of the repository; its `README.md` lists them.
//!
//! The modules, from the bytes up:
//!
//! | module | owns |
//! |---|---|
//! | [`bytes`] | numbers, GUIDs, SIDs, text |
//! | [`format`](mod@format) | the structures as they lie in the file: buffer, header and extended-item layouts |
//! | [`source`] | files, maps and memory; compressed buffers |
//! | [`container`] | trace header, buffers, events; going on after damage |
//! | [`event`] | one raw event, whatever its header |
//! | [`clock`] | raw time stamps to UTC |
//! | [`schema`] | the one form of all schemas, and its text form |
//! | [`decode`] | the executor that runs a schema over a payload |
//! | [`parser`] | the traits of providers of schemas and of observers; their registry; providers made of schema texts |
//! | [`state`] | processes, threads, images and names of the traced system |
//! | [`select`] | values of events by name: header fields and fields of the payload |
//! | [`query`] | filter expressions over header and fields |
//! | [`trace`] | the two passes, order, filters |
//! | [`typed`] | typed views of events; the dispatcher |
//! | [`render`], [`sink`], [`codes`] | JSON lines, text, CSV, tracerpt's XML; where events go; names of error codes |
//! | [`error`], [`limits`] | errors, problems; every cap on hostile input |

pub mod bytes;
pub mod clock;
pub mod codes;
pub mod compress;
pub mod container;
pub mod decode;
pub mod error;
pub mod event;
pub mod format;
pub mod input;
pub mod limits;
pub mod output;
pub mod parser;
pub mod query;
pub mod render;
pub mod schema;
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
pub use input::Input;
pub use parser::Parsers;
pub use time::{FileTime, RawTime};
pub use trace::{Filter, RawTrace, Trace};
