//! Analyses of what the kernel writes. `docs/analyses.md` of the repository has their columns and formulas.

pub mod cpu;
mod named_process;
mod process_key;
mod process_table;
pub mod processes;
pub mod samples;

pub use cpu::{CpuRow, CpuSamples};
pub use named_process::NamedProcess;
pub use process_key::ProcessKey;
pub use process_table::{Name, ProcessSum, ProcessTable, Subject};
pub use processes::{ProcessRow, Processes};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
