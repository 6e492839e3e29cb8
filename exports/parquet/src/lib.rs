//! Writes batches of columns from Windows `.etl` traces as [Parquet](https://parquet.apache.org) files.
//!
//! A [`ParquetWriter`] takes the batches of one [`etwkit_columns::Table`]. pyarrow, pandas, Polars and `DuckDB` read its files without settings:
//! times are microseconds in UTC, texts are plain UTF-8, and no schema of Arrow is inside, which makes some of them
//! expect dictionaries.

mod bounds;
mod chunk;
mod coded;
mod coded_column;
mod codes;
mod column;
mod delta;
mod distinct;
mod flat_column;
mod hybrid;
mod leaf;
mod list_column;
mod nested_column;
mod numbers;
mod presence;
mod properties;
mod same;
mod schema;
mod text_column;
mod valid;
mod writer;

pub use parquet::errors::ParquetError;
pub use properties::Options;
pub use writer::{ParquetWriter, Written};
