//! Performance logs: the counters that Windows' performance monitor records into `.blg` files.
//!
//! Such a file is an `.etl` trace with one provider, [`CLASS`]. An event of opcode 32 lists the counters ([`Catalog`]),
//! each event of opcode 34 has one sample of all of them ([`Sample`]). Counters are raw numbers; [`calculate`] makes
//! the value that a person reads of two samples, [`Table`] does it for a whole log and prints what Windows'
//! `relog -f CSV` prints. [`PerformanceLog`] is the parser that shows both kinds of events field by field.
//!
//! | module | owns |
//! |---|---|
//! | `catalog` | [`Catalog`]: paths and types of the counters |
//! | `sample` | [`Sample`]: raw values of one moment |
//! | `calculate` | [`calculate`]: from raw values to what is shown |
//! | `counter_type` | [`CounterType`]: which formula a counter has |
//! | `table` | [`Table`]: a log as rows and columns |
//! | `zone` | [`Zone`]: names of time zones |
//! | `layout` | both kinds of payload as schemas |
//! | `parser` | [`PerformanceLog`] |
//!
//! Windows does not document the payload; `docs/performance-logs.md` states what is known and how it was found.

mod calculate;
mod catalog;
mod counter_type;
mod layout;
mod parser;
mod sample;
mod table;
mod zone;

pub use calculate::{Raw, calculate};
pub use catalog::{Catalog, Counter};
pub use counter_type::CounterType;
pub use parser::{Counters, PerformanceLog};
pub use sample::{Record, Sample};
pub use table::Table;
pub use zone::Zone;

use etwkit::bytes::Guid;

/// The event class of performance logs.
pub const CLASS: Guid = Guid::from_u128(0x933f_3bb3_943e_490d_9ced_3cbb_14c1_4479);
/// Opcode of the event that lists the counters.
pub const LIST: u8 = 32;
/// Opcode of a sample.
pub const SAMPLE: u8 = 34;
/// Other events of performance logs. Logs of all counters of an object (`\\Object(*)\\*`) have tables of names in 35
/// and 36; what they contain is not known, so their events are shown as bytes.
const OTHERS: [u8; 14] = [33, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47];
/// Bytes before the list or the records: GUID of the log, then four numbers; the last two are those of the
/// first record in a sample.
const HEAD: usize = 32;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
