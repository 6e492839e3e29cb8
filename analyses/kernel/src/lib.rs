//! Analyses of what the kernel writes. `docs/analyses.md` of the repository has their columns and formulas.

pub mod cpu;
pub mod cpu_usage;
pub mod critical;
pub mod dpcisr;
pub mod images;
pub mod marks;
mod named_process;
mod process_key;
mod process_table;
pub mod processes;
pub mod ready;
mod run_times;
pub mod samples;
pub mod schedule;
mod thread_owner;
pub mod threads;
pub mod waits;

pub use cpu::{CpuRow, CpuSamples};
pub use cpu_usage::{CpuUsage, CpuUsageRow};
pub use critical::{CriticalPath, CriticalRow};
pub use dpcisr::{DpcIsrByRoutine, DpcIsrRow};
pub use images::{ImageFact, ImageList, ImageRow};
pub use marks::{MarkRow, Marks};
pub use named_process::NamedProcess;
pub use process_key::ProcessKey;
pub use process_table::{Name, OTHERS, ProcessSum, ProcessTable, Subject};
pub use processes::{ProcessRow, Processes};
pub use ready::{ReadyPairs, ReadyRow};
pub use threads::{ThreadList, ThreadRow};
pub use waits::{WaitEachRow, WaitRow, WaitsByThread, WaitsEach};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
