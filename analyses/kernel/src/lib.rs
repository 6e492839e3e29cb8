//! Analyses of what the kernel writes. `docs/analyses.md` of the repository has their columns and formulas.

pub mod cpu;
mod process_key;
pub mod processes;
pub mod samples;
pub mod schedule;

pub use cpu::{CpuRow, CpuSamples};
pub use process_key::ProcessKey;
pub use processes::{ProcessRow, Processes};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
