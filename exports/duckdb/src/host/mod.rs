//! What `DuckDB` hands to callbacks, so that the rest needs no `unsafe`.

mod argument;
mod binding;
mod chunk;
mod column_type;
mod opening;
mod table;
mod vector;

use std::sync::OnceLock;

use crate::api::Api;

pub(crate) use argument::Argument;
pub(crate) use binding::Binding;
pub(crate) use chunk::Chunk;
pub(crate) use opening::Opening;
pub(crate) use table::Declaration;
pub(crate) use vector::{Plain, Vector};

/// The functions of the host, once the extension is loaded. All databases of a process have the same.
pub(crate) static HOST: OnceLock<Api> = OnceLock::new();
