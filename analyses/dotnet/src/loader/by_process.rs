//! Assemblies and modules of each process.

use std::cmp::Reverse;

use crate::declare::analysis;
use crate::origin::sum;
use crate::processes::{Owner, Processes};

use super::fact::{INTEREST, LoaderFact};
use super::state::{Loaded, Module};

etwkit_analysis::row! {
    /// Assemblies and modules of a process.
    pub struct LoaderRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Application domains.
        app_domains: u64 as Count,
        /// Assemblies.
        assemblies: u64 as Count,
        /// Modules.
        modules: u64 as Count,
        /// Modules that were loaded while the trace was recorded.
        loaded: u64 as Count,
        /// Modules that the program made while it ran.
        dynamic: u64 as Count,
        /// Modules with machine code of NGEN or ReadyToRun.
        precompiled: u64 as Count,
        /// Milliseconds of all loads of assemblies, with others that they needed; absent without their events.
        loading_ms_sum: Option<f64> as Milliseconds,
    }
}

analysis! {
    /// Counts the assemblies and modules of each process.
    pub struct LoaderByProcess: LoaderFact => Loaded => LoaderRow;
    interest INTEREST;
    joins true;
    rows rows;
}

fn rows(processes: Processes<Loaded>) -> Vec<LoaderRow> {
    let mut rows: Vec<LoaderRow> = processes.into_iter().filter_map(row).collect();
    rows.sort_by_key(|row| Reverse(row.modules));
    rows
}

/// Returns the row of a process; `None` if nothing of it counts.
fn row((owner, state): (Owner, Loaded)) -> Option<LoaderRow> {
    let count = |is: fn(&Module) -> bool| state.modules().filter(|module| is(module)).count() as u64;
    let ((app_domains, assemblies), modules) = (state.counts(), count(|_| true));
    let is_counted = app_domains + assemblies + modules > 0 || !state.loading.is_empty();
    is_counted.then(|| LoaderRow {
        pid: owner.pid,
        process: owner.name,
        app_domains,
        assemblies,
        modules,
        loaded: count(|module| module.loaded.is_some()),
        dynamic: count(Module::is_dynamic),
        precompiled: count(|module| module.precompiled().is_some()),
        loading_ms_sum: (!state.loading.is_empty()).then(|| sum(state.loading.values().copied())),
    })
}
