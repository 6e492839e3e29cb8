#![doc = "Offline reader of Windows `.etl` trace logs (Event Tracing for Windows)."]
pub mod bytes;
pub mod error;
pub mod event;
pub mod format;
pub mod limits;
pub mod schema;
pub use error::{Error, ErrorKind, Problem, Result, Severity};
