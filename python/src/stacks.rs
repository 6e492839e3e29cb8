//! Call stacks.

use std::sync::Arc;

use etwkit::Trace;
use etwkit::trace::RunOptions;
use etwkit_analysis::units_to_milliseconds;
use etwkit_profile::weights::{
    Allocations, CpuSamples, DiskOperations, Events, Exceptions, FileOperations, HardFaults, HeapAllocations,
    VirtualAllocations, Weigher,
};
use etwkit_profile::{Profile, ProfileCollector, ProfileOptions, Quality, Unit};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::errors::exception;
use crate::interrupt::detached;

/// What can be weighed.
const NAMES: &str = "cpu, allocations, heap, virtual-alloc, exceptions, disk, file, faults, event";

/// Returns a dictionary for each stack that is the stack of a sample, and sentences on what they lack.
pub(crate) fn stacks<'py>(
    py: Python<'py>,
    (by, unit): (&str, Option<&str>),
    trace: &Trace,
    options: &RunOptions,
) -> PyResult<(Bound<'py, PyList>, Vec<String>)> {
    let weigher = weigher(by, trace)?;
    let mut lacks = Vec::new();
    if !trace.types().iter().any(|row| row.events() > 0 && weigher.reads(row)) {
        lacks.push(format!("the trace has no {}: {}", weigher.title(), weigher.need().advice()));
    }
    let unit = unit_of(&*weigher, by, unit)?;
    let profile = detached(py, |signals| {
        let of = ProfileOptions { unit, has_timeline: false };
        let (mut collector, options) = ProfileCollector::new(trace, weigher, of).choosing(options);
        trace.run_with(&options, &mut collector, &mut |_, _| signals.look())?;
        Ok(collector.finish())
    })?;
    lacks.extend(cut(&profile.quality));
    Ok((rows(py, &profile)?, lacks))
}

/// Says what had no room.
fn cut(quality: &Quality) -> Vec<String> {
    let counts = [
        (quality.cut, "stacks are cut: the call tree had no more room"),
        (quality.clipped, "weights are cut: no trace has that much"),
        (quality.forgotten, "operations, stacks or causes of waits had no room"),
    ];
    counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect()
}

fn weigher(by: &str, trace: &Trace) -> PyResult<Arc<dyn Weigher>> {
    Ok(match by {
        "cpu" => Arc::new(CpuSamples::new(trace).map_err(exception)?),
        "allocations" => Arc::new(Allocations::new(trace)),
        "heap" => Arc::new(HeapAllocations),
        "virtual-alloc" | "virtualalloc" => Arc::new(VirtualAllocations),
        "exceptions" => Arc::new(Exceptions),
        "disk" => Arc::new(DiskOperations),
        "file" => Arc::new(FileOperations::new(trace).map_err(exception)?),
        "faults" => Arc::new(HardFaults),
        "event" => Arc::new(Events),
        _ => return Err(PyValueError::new_err(format!("no stacks by {by}; there are {NAMES}"))),
    })
}

/// Returns the unit that is asked for, or the usual one; an error if the trace does not state weights in it.
fn unit_of(weigher: &dyn Weigher, by: &str, asked: Option<&str>) -> PyResult<Unit> {
    let stated: Vec<Unit> = weigher.units().iter().copied().filter(|unit| weigher.states(*unit)).collect();
    let Some(asked) = asked else { return Ok(stated.first().copied().unwrap_or_default()) };
    stated.iter().copied().find(|unit| unit.name() == asked).ok_or_else(|| {
        let names: Vec<&str> = stated.iter().map(|unit| unit.name()).collect();
        PyValueError::new_err(format!("no stacks by {by} in {asked}; the trace has {}", names.join(", ")))
    })
}

fn rows<'py>(py: Python<'py>, profile: &Profile) -> PyResult<Bound<'py, PyList>> {
    let all = PyList::empty(py);
    for (id, node) in profile.nodes().filter(|(_, node)| node.own.samples > 0) {
        let frames = profile.path(id);
        let one = PyDict::new(py);
        one.set_item("stack", PyTuple::new(py, frames.iter().map(|frame| profile.frame(*frame)))?)?;
        one.set_item("samples", node.own.samples)?;
        match profile.unit {
            Unit::Time => one.set_item("weight", units_to_milliseconds(node.own.weight))?,
            _ => one.set_item("weight", node.own.weight)?,
        }
        one.set_item("unit", profile.unit.name())?;
        all.append(one)?;
    }
    Ok(all)
}
