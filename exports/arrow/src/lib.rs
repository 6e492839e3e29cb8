//! Events of Windows `.etl` traces as record batches of [Apache Arrow](https://arrow.apache.org).
//!
//! [`schema`] and [`record_batch`] turn the tables and batches of [`etwkit_columns`] into those of arrow-rs. Numbers,
//! texts and lists keep their memory; only booleans are packed anew, a bit each. [`EventReader`] runs a trace on threads
//! of its own and is a [`RecordBatchReader`](arrow_array::RecordBatchReader), which `arrow_array::ffi_stream` hands to
//! other libraries with the feature `ffi`. With the feature `ipc`, `IpcWriter` writes files.

mod array;
mod batch;
#[cfg(feature = "ipc")]
mod ipc;
mod reader;
mod schema;

pub use arrow_schema::ArrowError;
pub use batch::record_batch;
#[cfg(feature = "ipc")]
pub use ipc::IpcWriter;
pub use reader::EventReader;
pub use schema::{data_type, schema};
