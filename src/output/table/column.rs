//! The contents of a column.

use crate::select::{HeaderField, Selector};
use crate::trace::Trace;

/// A column: the meaning of a name, or the field at an index.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Column {
    /// A part of the header or a field of the payload, by the rule of [`Selector`].
    Named(Selector),
    /// The top-level field at an index of the schema's fields.
    Index(usize),
}

impl Column {
    /// Returns its name, as it was written.
    pub fn name(&self) -> String {
        match self {
            Self::Named(selector) => selector.to_string(),
            Self::Index(index) => format!("#{index}"),
        }
    }

    /// Returns the columns of a table of all events of one file.
    pub fn usual() -> Vec<Self> {
        let unusual = [HeaderField::File, HeaderField::ProviderGuid, HeaderField::Schema];
        HeaderField::columns().filter(|part| !unusual.contains(part)).map(Self::of).collect()
    }

    /// Returns the columns of a table of all events of a trace: of several files, the file is one of them.
    pub fn usual_of(trace: &Trace) -> Vec<Self> {
        Self::with_file(trace, Self::usual())
    }

    /// Returns the columns of the header in a table of one type of event.
    pub(super) fn header(trace: &Trace) -> Vec<Self> {
        use HeaderField::{Activity, Cpu, Keywords, Level, Pid, Process, RawTime, RelatedActivity, Tid, Time};
        let parts = [Time, RawTime, Process, Pid, Tid, Cpu, Level, Keywords, Activity, RelatedActivity];
        Self::with_file(trace, parts.map(Self::of).into())
    }

    /// Adds the file after the times, if there are several.
    fn with_file(trace: &Trace, mut columns: Vec<Self>) -> Vec<Self> {
        if trace.files().len() > 1 {
            columns.insert(2, Self::of(HeaderField::File));
        }
        columns
    }

    pub(super) fn of(part: HeaderField) -> Self {
        Self::Named(Selector::of_header(part))
    }
}

/// Returns a field's name, apart from the names of the header.
pub(super) fn field_name(name: &str) -> String {
    if HeaderField::from_key(name).is_some() { format!("fields.{name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_all_events_has_these_columns() {
        let names: Vec<String> = Column::usual().iter().map(Column::name).collect();
        assert_eq!(names.len(), 21);
        assert_eq!(names.first().map(String::as_str), Some("time"));
        assert_eq!(names.last().map(String::as_str), Some("extra"));
        assert_eq!(field_name("pid"), "fields.pid");
        assert_eq!(field_name("PID"), "PID");
    }
}
