//! Analyses by their names.

use etwkit::Trace;
use etwkit::trace::{Filter, RunOptions};
use etwkit_analysis::{Analysis, Run, Selection};
use etwkit_dotnet_analyses as dotnet;
use etwkit_io_analyses as io;
use etwkit_kernel_analyses as kernel;
use etwkit_windows_analyses as windows;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use crate::interrupt::detached;

/// Makes [`NAMES`] and [`run`] of names, as `etwkit analyze` has them, with what makes the rows, and what lists each of
/// the things that these add up.
macro_rules! analyses {
    ($($name:literal: $rows:ty $(, each $each:ty)?;)*) => {
        /// The names of all analyses.
        pub(crate) const NAMES: &[&str] = &[$($name),*];

        /// Runs an analysis. Returns its rows as lines of JSON, and what they lack, in sentences.
        pub(crate) fn run(
            py: Python<'_>,
            name: &str,
            each: bool,
            trace: &Trace,
            options: &RunOptions,
        ) -> PyResult<(String, Vec<String>)> {
            match (name, each) {
                $(
                    ($name, false) => lines::<$rows>(py, trace, options),
                    $(($name, true) => lines::<$each>(py, trace, options),)?
                )*
                (known, true) if NAMES.contains(&known) => {
                    Err(PyValueError::new_err(format!("{known} has no table of single rows (`each`)")))
                }
                _ => Err(PyKeyError::new_err(format!("no analysis {name}; there are {}", NAMES.join(", ")))),
            }
        }
    };
}

analyses! {
    "processes": kernel::Processes;
    "threads": kernel::ThreadList;
    "images": kernel::ImageList;
    "cpu": kernel::CpuSamples;
    "cpu-usage": kernel::CpuUsage;
    "waits": kernel::WaitsByThread, each kernel::WaitsEach;
    "ready": kernel::ReadyPairs;
    "critical": kernel::CriticalPath;
    "dpcisr": kernel::DpcIsrByRoutine;
    "marks": kernel::Marks;
    "gc": dotnet::GcByProcess, each dotnet::GcEach;
    "jit": dotnet::JitByProcess, each dotnet::JitEach;
    "loader": dotnet::LoaderByProcess, each dotnet::LoaderEach;
    "exceptions": dotnet::ExceptionsByType, each dotnet::ExceptionsEach;
    "contention": dotnet::ContentionByThread, each dotnet::ContentionEach;
    "threadpool": dotnet::ThreadPoolByProcess, each dotnet::ThreadPoolEach;
    "tasks": dotnet::TasksByScheduler, each dotnet::TasksEach;
    "aspnet": dotnet::AspNetByProcess, each dotnet::AspNetEach;
    "disk": io::DiskByFile, each io::DiskEach;
    "file": io::FileByFile, each io::FileEach;
    "faults": io::FaultsByFile, each io::FaultsEach;
    "registry": io::RegistryByKey, each io::RegistryEach;
    "memory": io::MemoryByProcess;
    "network": io::NetworkByPeer, each io::NetworkEach;
    "dns": io::DnsByName, each io::DnsEach;
    "summary": windows::Summary;
    "events": windows::EventTypes;
    "machine": windows::Machine;
    "boot": windows::BootPhases, each windows::BootEach;
    "rpc": windows::RpcByProcedure, each windows::RpcEach;
    "http": windows::HttpByUrl;
    "present": windows::PresentByProcess;
    "gpu": windows::GpuByEngine, each windows::GpuEach;
    "vsync": windows::VSyncByAdapter;
    "power": windows::ProcessorPower;
    "idle": windows::IdleStates;
}

fn lines<A: Analysis>(py: Python<'_>, trace: &Trace, options: &RunOptions) -> PyResult<(String, Vec<String>)> {
    if !A::READS_EVENTS && options.filter != Filter::default() {
        return Err(PyValueError::new_err("no filter of events applies to this analysis, and neither since nor until"));
    }
    if A::NEEDS_ALL_EVENTS && Selection::of(trace, &options.filter).is_none() {
        let text = "this analysis needs all events: since and until alone choose what it counts, and no filter";
        return Err(PyValueError::new_err(text));
    }
    let mut text = String::new();
    let excess = detached(py, |signals| {
        let (mut run, options) = Run::<A>::of(trace, options)?;
        trace.run_with(&options, &mut run, &mut |_, _| signals.look())?;
        let (rows, excess) = run.finish_counted();
        for row in &rows {
            text += &serde_json::to_string(row).map_err(etwkit::Error::caller)?;
            text.push('\n');
        }
        Ok(excess)
    })?;
    let mut lacks = Vec::new();
    if !A::is_answerable(trace) {
        let advice = A::interest().need.advice();
        lacks.push(format!("the trace does not have the events that the analysis needs: {advice}"));
    }
    if excess > 0 {
        lacks.push(format!("{excess} things had no room: the limits of the analysis were met"));
    }
    Ok((text, lacks))
}
