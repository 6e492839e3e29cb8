//! Writes batches of columns from Windows `.etl` traces as [Parquet](https://parquet.apache.org) files.
//!
//! A [`ParquetWriter`] takes the batches of one [`etwkit_columns::Table`]. pyarrow, pandas, Polars and `DuckDB` read its files without settings:
//! times are microseconds in UTC, texts are plain UTF-8, and no schema of Arrow is inside, which makes some of them
//! expect dictionaries.

mod column;
mod properties;
mod schema;
mod writer;

pub use parquet::errors::ParquetError;
pub use properties::Options;
pub use writer::{ParquetWriter, Written};
