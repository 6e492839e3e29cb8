//! A `DuckDB` extension that reads Windows `.etl` traces as tables: `read_etl`, `etl_types`, `etl_problems`, and
//! `FROM 'trace.etl'`.
//!
//! `DuckDB` loads the library by its C interface for extensions (version 1.2.0), so one file works in all of its
//! versions from 1.2 on. `cargo xtask duckdb` builds it and appends the footer that `DuckDB` asks for.

mod api;
mod arguments;
mod census_cache;
mod descriptions;
mod entry;
mod etl_problems;
mod etl_types;
mod event_table;
mod failure;
mod feed;
mod fill;
mod function;
mod guard;
mod host;
mod paths;
mod read_etl;
mod replacement;
mod small_table;
mod source;

pub use entry::etwkit_init_c_api;
