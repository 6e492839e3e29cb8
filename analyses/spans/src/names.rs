//! Names of processes.

use etwkit_kernel_analyses::ProcessKey;
use hashbrown::HashMap;

/// The name of each process that has spans, once.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcessNames(HashMap<ProcessKey, Box<str>>);

impl ProcessNames {
    pub(crate) fn add(&mut self, process: ProcessKey, name: Option<Box<str>>) {
        if let Some(name) = name {
            self.0.entry(process).or_insert(name);
        }
    }

    pub(crate) fn get(&self, process: ProcessKey) -> Option<&str> {
        self.0.get(&process).map(|name| &**name)
    }
}
