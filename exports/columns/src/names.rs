//! Names of columns, and of the members of structs.

use std::collections::HashSet;

/// Names that are used, without regard to ASCII case: SQL engines have none.
#[derive(Default)]
pub(crate) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// Begins with names that are used already.
    pub(crate) fn taken(names: impl Iterator<Item = &'static str>) -> Self {
        Self { taken: names.map(str::to_ascii_lowercase).collect() }
    }

    /// Returns the name of a field, or if that is taken, with `_2`, `_3` … after it.
    pub(crate) fn free(&mut self, name: &str) -> String {
        let name = if name.is_empty() { "field" } else { name };
        let mut free = name.to_owned();
        let mut number = 2;
        while !self.taken.insert(free.to_ascii_lowercase()) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }
}
