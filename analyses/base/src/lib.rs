#![doc = include_str!("../README.md")]

mod analysis;
mod choice;
mod excess;
pub mod file_operation;
pub mod guids;
mod interest;
mod kernel_sessions;
mod largest;
mod measures;
pub mod opcodes;
mod packed;
mod per_cent;
mod percentile;
mod row;
mod run;
mod selection;
mod shared_name;
mod span;
mod status;
mod together;
mod twofold;
mod value;
mod values;
mod viewer_pids;

pub use analysis::Analysis;
pub use excess::Excess;
pub use interest::{Interest, Need};
pub use kernel_sessions::KernelSessions;
pub use largest::Largest;
pub use measures::{Measures, greatest_first};
pub use packed::{NumberReader, PackedNumbers};
pub use per_cent::per_cent;
pub use percentile::percentile;
pub use row::{Column, ColumnKind, Row};
pub use run::{FactWorker, Found, Run, rows};
pub use selection::{Selection, ThreadAt};
pub use shared_name::shared_name;
pub use span::{chosen_seconds, milliseconds, per_second, units_to_milliseconds};
pub use status::is_error;
pub use together::{Together, TogetherWorker};
pub use twofold::Twofold;
pub use value::{Time, ToValue, Value};
pub use values::{ValueRows, Values};
pub use viewer_pids::ViewerPids;

#[doc(hidden)]
pub use row::Field;
#[doc(hidden)]
pub use serde;
