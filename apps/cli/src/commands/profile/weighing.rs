//! What is weighed, and in which unit.

use std::sync::Arc;

use etwkit::trace::Trace;
use etwkit_profile::Unit;
use etwkit_profile::weights::{
    Allocations, CounterSamples, CounterSource, CpuSamples, DiskOperations, Events, Exceptions, FileOperations,
    HardFaults, Weigher,
};

use super::args::By;
use crate::failure::Failure;

/// Returns what weighs the events of a trace.
pub(super) fn weigher(by: By, counter: Option<&str>, trace: &Trace) -> Result<Arc<dyn Weigher>, Failure> {
    if counter.is_some() && by != By::Pmc {
        return Err(Failure::new("--counter chooses a hardware counter").hint("use it with --by pmc"));
    }
    let weigher: Arc<dyn Weigher> = match by {
        By::Cpu => Arc::new(CpuSamples::new(trace)?),
        By::Pmc => Arc::new(counter_samples(counter, trace)?),
        By::Allocations => Arc::new(Allocations::new(trace)),
        By::Exceptions => Arc::new(Exceptions),
        By::Disk => Arc::new(DiskOperations),
        By::File => Arc::new(FileOperations),
        By::Faults => Arc::new(HardFaults),
        By::Event => Arc::new(Events),
    };
    let has_events = trace.types().iter().any(|row| row.events() > 0 && weigher.reads(row));
    if has_events { Ok(weigher) } else { Err(without_events(&*weigher)) }
}

fn without_events(weigher: &dyn Weigher) -> Failure {
    Failure::new(format!("no {}", weigher.title())).hint(weigher.need().advice())
}

/// Returns the unit: the usual one, unless another one was asked for; time, if there is any, for forms that show time.
/// Refuses what the trace does not state.
pub(super) fn unit(
    weigher: &dyn Weigher,
    asked: Option<Unit>,
    shows_time: bool,
    trace: &Trace,
) -> Result<Unit, Failure> {
    let units = weigher.units();
    let time = Some(Unit::Time).filter(|time| shows_time && units.contains(time) && weigher.states(*time));
    let unit = asked.or(time).or(units.first().copied()).unwrap_or_default();
    let names: Vec<&str> = units.iter().filter(|unit| weigher.states(**unit)).map(|unit| unit.name()).collect();
    let hint = format!("use --unit {}", names.join(" or "));
    if !units.contains(&unit) {
        return Err(Failure::new(format!("{} have no weight in {}", weigher.title(), unit.name())).hint(hint));
    }
    if !weigher.states(unit) && trace.events_total() > 0 {
        return Err(Failure::new("no event states the interval of samples").hint(hint));
    }
    Ok(unit)
}

/// Chooses a counter by its name or number; without either, the only one.
fn counter_samples(asked: Option<&str>, trace: &Trace) -> Result<CounterSamples, Failure> {
    let sources = CounterSamples::sources(trace)?;
    let is_asked = |source: &&CounterSource| {
        asked.is_none_or(|asked| source.name.eq_ignore_ascii_case(asked) || source.number.to_string() == asked)
    };
    let mut found = sources.iter().filter(is_asked);
    match (found.next(), found.next()) {
        (Some(source), None) => Ok(CounterSamples::new(trace, source.number)?),
        (None, _) if sources.is_empty() => Ok(CounterSamples::new(trace, 0)?),
        _ => {
            let list =
                sources.iter().map(|source| format!("{} {} ({} samples)", source.number, source.name, source.samples));
            let what = if asked.is_some() { "no such counter has samples" } else { "several counters have samples" };
            let hint = format!("use --counter with one of {}", list.collect::<Vec<_>>().join(", "));
            Err(Failure::new(what).hint(hint))
        }
    }
}
