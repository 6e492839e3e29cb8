//! Each module.

use etwkit_analysis::Time;

use crate::declare::analysis;
use crate::processes::{Owner, Processes};

use super::fact::{INTEREST, LoaderFact};
use super::state::{Loaded, Module};

etwkit_analysis::row! {
    /// A module.
    pub struct LoaderEachRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Assembly, with version and public key.
        assembly: Option<String> as Text,
        /// Application domain.
        app_domain: Option<String> as Text,
        /// Path of its file of intermediate language.
        path: String as Text,
        /// Path of its file of machine code, if it is another one.
        native_path: Option<String> as Text,
        /// `NGEN` or `ReadyToRun` if it has machine code.
        precompiled: Option<&'static str> as Text,
        /// Whether the program made it while it ran.
        dynamic: bool as Text,
        /// When it was loaded, UTC; absent if it was there before the trace.
        loaded: Option<Time> as Time,
        /// When it was unloaded, UTC.
        unloaded: Option<Time> as Time,
        /// Milliseconds of the load of its assembly; absent without events of the keyword AssemblyLoader.
        loading_ms: Option<f64> as Milliseconds,
    }
}

analysis! {
    /// Lists the modules, by process in the order in which they are mentioned first.
    pub struct LoaderEach: LoaderFact => Loaded => LoaderEachRow;
    interest INTEREST;
    joins true;
    rows rows;
}

fn rows(processes: Processes<Loaded>) -> Vec<LoaderEachRow> {
    let mut rows = Vec::new();
    for (owner, state) in processes.into_iter() {
        rows.extend(state.modules().map(|module| row(&owner, &state, module)));
    }
    rows
}

fn row(owner: &Owner, state: &Loaded, module: &Module) -> LoaderEachRow {
    let assembly = state.assemblies.get(&module.assembly);
    LoaderEachRow {
        pid: owner.pid,
        process: owner.name.clone(),
        assembly: assembly.map(|assembly| assembly.name.to_string()),
        app_domain: state.domain_of(module).map(str::to_owned),
        path: module.path.to_string(),
        native_path: Some(module.native.to_string()).filter(|path| !path.is_empty()),
        precompiled: module.precompiled(),
        dynamic: module.is_dynamic(),
        loaded: module.loaded.map(Time),
        unloaded: module.unloaded.map(Time),
        loading_ms: assembly.and_then(|assembly| state.loading.get(&assembly.name).copied()),
    }
}
