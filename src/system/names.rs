//! Names that many facts share.

use std::sync::Arc;

use hashbrown::HashSet;

/// Keeps each name once: rundowns and files that are opened again repeat them. What they take is counted for each fact, so
/// this needs no cap of its own: it has only the names of facts that are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(HashSet<Arc<str>>);

impl Names {
    /// Returns the one that is kept of a name.
    pub(super) fn shared(&mut self, name: &str) -> Arc<str> {
        Arc::clone(self.0.get_or_insert_with(name, |name| name.into()))
    }

    /// Returns the one that is kept of a name, if there is one.
    pub(super) fn known(&self, name: &str) -> Option<Arc<str>> {
        self.0.get(name).map(Arc::clone)
    }

    /// Replaces a name by the one that is kept.
    pub(super) fn share(&mut self, name: &mut Arc<str>) {
        *name = Arc::clone(self.0.get_or_insert(Arc::clone(name)));
    }

    /// Forgets which names there are, when no more come.
    pub(super) fn end(&mut self) {
        self.0 = HashSet::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_one() {
        let mut names = Names::default();
        let first = names.shared("a");
        let mut second: Arc<str> = "a".into();
        names.share(&mut second);
        assert!(Arc::ptr_eq(&first, &second) && Arc::ptr_eq(&first, &names.shared("a")));
        assert!(!Arc::ptr_eq(&first, &names.shared("b")));
    }
}
