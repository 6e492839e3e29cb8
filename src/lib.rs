#![doc = "Offline reader of Windows `.etl` trace logs (Event Tracing for Windows)."]
pub mod bytes;
pub mod clock;
pub mod codes;
pub mod container;
pub mod decode;
pub mod error;
pub mod event;
pub mod format;
pub mod limits;
pub mod parser;
pub mod render;
pub mod schema;
pub mod sink;
pub mod source;
pub mod state;
pub mod tables;
pub mod trace;
pub use error::{Error, ErrorKind, Problem, Result, Severity};
