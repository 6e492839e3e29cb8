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
