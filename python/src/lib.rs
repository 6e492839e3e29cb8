//! What the Python package `etwkit` does in Rust.
//!
//! The package's own modules (`python/etwkit`) are what users call; they hold objects of this one. It opens traces, hands
//! events over as dictionaries ([`events`]) or as streams of Arrow ([`table`]), and runs analyses. The engine works without
//! the interpreter's lock, and long waits ask for signals ([`interrupt`]).

mod analyses;
mod batches;
mod chunk;
mod errors;
mod event;
mod events;
mod feed;
mod filters;
mod heads;
mod info;
mod inputs;
mod interrupt;
mod keys;
mod limited;
mod lines;
mod shapes;
mod stacks;
mod table;
mod tape;
mod tape_sink;
mod trace;

use pyo3::prelude::*;

/// The module `etwkit._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("EtlError", module.py().get_type::<errors::EtlError>())?;
    module.add("ANALYSES", analyses::NAMES.to_vec())?;
    module.add_function(wrap_pyfunction!(table::event_columns, module)?)?;
    module.add_class::<trace::Trace>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<batches::Batches>()?;
    module.add_class::<batches::Batch>()?;
    module.add_class::<events::Events>()?;
    module.add_class::<event::Event>()
}
