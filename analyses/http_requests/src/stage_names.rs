//! Names of stages, each held once.

use std::collections::HashSet;
use std::sync::Arc;

use crate::limits::MAX_STAGE_NAMES;

/// Names of stages.
#[derive(Debug, Default)]
pub(crate) struct StageNames {
    names: HashSet<Arc<str>>,
}

impl StageNames {
    /// Returns the shared name; `None` if there is no room for another one.
    pub(crate) fn get(&mut self, name: &str) -> Option<Arc<str>> {
        if let Some(known) = self.names.get(name) {
            return Some(Arc::clone(known));
        }
        if self.names.len() >= MAX_STAGE_NAMES {
            return None;
        }
        let new: Arc<str> = name.into();
        self.names.insert(Arc::clone(&new));
        Some(new)
    }
}
