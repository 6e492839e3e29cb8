//! Events of Windows `.etl` traces as batches of columns: what Parquet files, Arrow readers, data frames and SQL
//! engines take.
//!
//! A [`Table`] states which columns there are: those of all events with the payload as JSON ([`Table::of_all_events`]),
//! or those of one event with a column for each of its fields ([`Table::of_event`]). A [`BatchSink`] makes batches of
//! its rows in a run of the engine, on as many threads as the run has. Rows that are not events become a [`Batch`] by
//! [`ArrayBuilder`], so that the same writers take them.

mod append;
mod array;
mod array_builder;
mod batch;
mod buffer_offsets;
mod bulk;
mod coders;
mod column_error;
mod data_type;
mod element_type;
mod event_name;
mod expected;
mod field_columns;
mod field_shape;
mod field_value;
mod files;
mod found_fields;
mod head;
mod header_column;
mod header_words;
mod heads;
mod integer;
mod layout;
mod memo;
mod names;
mod nested_value;
mod payload_op;
mod payloads;
mod plan;
mod program;
mod quick;
mod read;
mod repeated;
mod routes;
mod rows;
mod rows_of_types;
mod shapes;
mod single_value;
mod sink;
mod strided;
mod struct_list;
mod struct_type;
mod table;
mod texts;
mod time;
mod times;
mod validity;
mod walk;

pub use array::{Array, Values};
pub use array_builder::ArrayBuilder;
pub use batch::Batch;
pub use column_error::ColumnError;
pub use data_type::{DataType, Member};
pub use event_name::EventName;
pub use header_column::HeaderColumn;
pub use sink::{BatchSink, BatchWorker, Batches};
pub use table::{Column, MOST_TABLES, Table};
pub use texts::Texts;
pub use time::microseconds;
pub use validity::Validity;
