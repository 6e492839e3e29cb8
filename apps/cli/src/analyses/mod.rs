//! The registry of analyses. A new one is an entry in the list of its crate.

mod dotnet;
mod entry;
mod io;
mod kernel;
mod windows;

pub(crate) use entry::Entry;

/// All analyses, in the order in which they are listed.
pub(crate) fn analyses() -> impl Iterator<Item = &'static Entry> {
    [&kernel::ENTRIES[..], &dotnet::ENTRIES, &io::ENTRIES, &windows::ENTRIES].into_iter().flatten()
}

/// The names of some analyses, for people.
pub(crate) fn names(entries: impl Iterator<Item = &'static Entry>) -> String {
    entries.map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of a usual screen's width in small print.
    const WIDEST: usize = 200;

    #[test]
    fn titles_for_people_fit_a_line() {
        for entry in analyses().flat_map(|entry| [Some(entry), entry.each]).flatten() {
            let is_column = |name: &&str| entry.columns.iter().any(|column| column.name == *name);
            assert!(entry.for_people.iter().all(is_column), "{}", entry.name);
            let is_shown = |name: &str| entry.for_people.is_empty() || entry.for_people.contains(&name);
            let shown = entry.columns.iter().filter(|column| is_shown(column.name));
            let width: usize = shown.map(|column| column.name.len() + 2).sum();
            assert!(width < WIDEST, "{}: {width}", entry.name);
        }
    }
}
