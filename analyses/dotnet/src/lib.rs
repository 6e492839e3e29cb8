//! Analyses of what .NET runtimes write. `docs/analyses/dotnet.md` of the repository has their columns and formulas.

mod aspnet;
mod contention;
mod declare;
mod exceptions;
mod gc;
mod jit;
mod loader;
mod origin;
mod processes;
mod tasks;
mod threadpool;

pub use aspnet::{AspNetByProcess, AspNetEach, AspNetEachRow, AspNetFact, AspNetRow};
pub use contention::{ContentionByThread, ContentionEach, ContentionEachRow, ContentionFact, ContentionRow};
pub use exceptions::{ExceptionEachRow, ExceptionFact, ExceptionRow, ExceptionsByType, ExceptionsEach};
pub use gc::{GcByProcess, GcEach, GcEachRow, GcFact, GcRow};
pub use jit::{JitByProcess, JitEach, JitEachRow, JitFact, JitRow};
pub use loader::{LoaderByProcess, LoaderEach, LoaderEachRow, LoaderFact, LoaderRow};
pub use tasks::{TaskEachRow, TaskFact, TaskRow, TasksByScheduler, TasksEach};
pub use threadpool::{ThreadPoolByProcess, ThreadPoolEach, ThreadPoolEachRow, ThreadPoolFact, ThreadPoolRow};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
