//! The column `file`.

use std::sync::Arc;

use etwkit::FileId;
use etwkit::trace::Trace;

use super::cell::Cell;
use super::column::Column;

/// The names of a trace's files, for the column that all tables have and that is shown if there are several.
#[derive(Clone, Debug)]
pub(crate) struct Files(Vec<Arc<str>>);

impl Files {
    /// The files of a trace.
    pub(crate) fn of(trace: &Trace) -> Self {
        Self(trace.files().iter().map(|file| Arc::from(file.source.name())).collect())
    }

    /// The column.
    pub(crate) fn column(&self) -> Column {
        Column::file(self.0.len() > 1)
    }

    /// Returns the name of a file.
    pub(crate) fn name(&self, id: FileId) -> Option<&str> {
        self.0.get(id.index()).map(|name| &**name)
    }

    /// The cell of a row whose events are from these files: their names, with semicolons between.
    pub(crate) fn cell(&self, ids: &[FileId]) -> Cell {
        let names = ids.iter().filter_map(|id| self.0.get(id.index()));
        if let ([_], Some(name)) = (ids, names.clone().next()) {
            return Cell::Shared(Arc::clone(name));
        }
        let names: Vec<&str> = names.map(|name| &**name).collect();
        if names.is_empty() { Cell::Absent } else { Cell::Text(names.join("; ")) }
    }
}
