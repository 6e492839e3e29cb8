//! Tables: which columns, and where their values come from.

use std::collections::BTreeMap;

use etwkit::select::HeaderField;
use etwkit::{EventType, Trace};

use crate::array::Array;
use crate::coders::CoderPlace;
use crate::column_error::ColumnError;
use crate::data_type::DataType;
use crate::event_name::EventName;
use crate::field_columns::{FieldColumns, TypeOps};
use crate::header_column::HeaderColumn;
use crate::layout::Layouts;
use crate::payload_op::PayloadOp;
use crate::shapes::Constant;

/// Tables that [`Table::by_event`] makes for names of events, as many as for types in an output: each takes some
/// kilobytes, and a crafted trace has 100,000 names.
pub const MOST_TABLES: usize = etwkit::limits::MAX_TABLES;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Its name: no other column of the table has it, with regard to ASCII case or not.
    pub name: String,
    /// The type of its values.
    pub data_type: DataType,
    pub(crate) source: Source,
}

/// Where the values of a column come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Header(HeaderColumn),
    /// The column of this number among those of the payload.
    Payload(usize),
}

/// The columns of a table. Made from a trace, whose types of events it knows, and only valid for this trace.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
    /// The types of its events; `None` for a table of all.
    pub(crate) types: Option<Vec<TypeOps>>,
    /// The fields of each layout, by columns of the payload.
    pub(crate) layouts: Layouts,
}

impl Table {
    /// A table of all events: [`HeaderColumn::all`], and the payload as JSON text in `fields`.
    pub fn of_all_events() -> Self {
        let fields = HeaderColumn::Member(HeaderField::Fields);
        Self {
            columns: HeaderColumn::all().chain([fields]).map(Column::of_header).collect(),
            types: None,
            layouts: Layouts::default(),
        }
    }

    /// Returns a table for each name of events in a trace, as [`Table::of_event`] makes them but for the columns
    /// `provider` and `event`, which are the table's name, and after them one of all other events: those of types
    /// beyond the limits of the engine, and of names beyond the first [`MOST_TABLES`]. Its columns `provider_name` and
    /// `event_name` are `provider` and `event` of [`Table::of_all_events`].
    pub fn by_event(trace: &Trace) -> Vec<(Option<EventName>, Self)> {
        let mut types: BTreeMap<EventName, Vec<&EventType>> = BTreeMap::new();
        for row in trace.types() {
            types.entry(EventName::of(row)).or_default().push(row);
        }
        let tables = types.into_iter().take(MOST_TABLES);
        let tables = tables.map(|(name, types)| (Some(name), Self::of_types(&types, |column| !column.is_in_name())));
        tables.chain([(None, Self::of_other_events())]).collect()
    }

    /// A table of the events of one name, whatever their versions: [`HeaderColumn::all`], and a column for each field.
    /// A field that a version does not have is null there. Where versions have a field of different types, the column
    /// has the narrowest number that holds all of them, or text.
    pub fn of_event(trace: &Trace, name: &EventName) -> Self {
        let types: Vec<&EventType> = trace.types().iter().filter(|row| EventName::of(row) == *name).collect();
        Self::of_types(&types, |_| true)
    }

    /// A table of all events that is beside tables whose names are providers and events, which readers of folders
    /// show as columns `provider` and `event`: a table has none of these names.
    fn of_other_events() -> Self {
        let mut table = Self::of_all_events();
        for column in &mut table.columns {
            if matches!(column.source, Source::Header(header) if header.is_in_name()) {
                column.name.push_str("_name");
            }
        }
        table
    }

    fn of_types(types: &[&EventType], is_shown: fn(&HeaderColumn) -> bool) -> Self {
        let mut columns: Vec<Column> = HeaderColumn::all().filter(is_shown).map(Column::of_header).collect();
        let taken = HeaderColumn::all().map(HeaderColumn::name);
        let FieldColumns { columns: payload, layouts, types } = FieldColumns::new(types, taken);
        columns.extend(payload.into_iter().enumerate().map(|(place, (name, data_type))| Column {
            name,
            data_type,
            source: Source::Payload(place),
        }));
        Self { columns, types: Some(types), layouts }
    }

    /// Returns how the fields that columns show go to these.
    pub(crate) fn shown(&self, ops: &[PayloadOp]) -> Box<[PayloadOp]> {
        let mut places = vec![None; self.columns.len().max(ops.iter().map(|op| op.column() + 1).max().unwrap_or(0))];
        for (place, column) in self.columns.iter().enumerate() {
            if let Source::Payload(number) = column.source
                && let Some(slot) = places.get_mut(number)
            {
                *slot = Some(place);
            }
        }
        let shown = |op: &PayloadOp| Some(op.clone().into_column(places.get(op.column()).copied().flatten()?));
        ops.iter().filter_map(shown).collect()
    }

    /// Returns the columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns whether a column shows where events are.
    pub(crate) fn has_offsets(&self) -> bool {
        self.columns.iter().any(|column| column.source == Source::Header(HeaderColumn::Offset))
    }

    /// Keeps the named columns, in the order of the names. What no column shows is not rendered.
    ///
    /// # Errors
    ///
    /// The first name that is not that of a column, or that comes again.
    pub fn project<N: AsRef<str>>(mut self, names: impl IntoIterator<Item = N>) -> Result<Self, ColumnError> {
        let mut kept: Vec<Column> = Vec::new();
        for name in names {
            let name = name.as_ref();
            let found = self.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name));
            let of_header = || HeaderColumn::from_name(name).map(Column::of_header);
            let chosen = found.cloned().or_else(of_header).ok_or_else(|| ColumnError::Unknown(name.to_owned()))?;
            if kept.iter().any(|column| column.name == chosen.name) {
                return Err(ColumnError::Repeated(chosen.name));
            }
            kept.push(chosen);
        }
        self.columns = kept;
        Ok(self)
    }
}

impl Column {
    /// Returns a column whose values the caller has, for a writer of batches. A table of events has nothing for it.
    pub fn new(name: impl Into<String>, data_type: DataType) -> Self {
        // No payload has as many columns.
        Self { name: name.into(), data_type, source: Source::Payload(usize::MAX) }
    }

    /// Returns whether its texts come as codes, [`Values::Codes`](crate::Values::Codes): names of providers, events and
    /// processes and the like, of which there are few. All other texts come as [`Values::Text`](crate::Values::Text). A
    /// batch in which all rows have the same has [`Values::Repeated`](crate::Values::Repeated) in either case.
    pub const fn has_codes(&self) -> bool {
        self.coder().is_some()
    }

    pub(crate) const fn coder(&self) -> Option<CoderPlace> {
        match self.source {
            Source::Header(column) => column.coder(),
            Source::Payload(_) => None,
        }
    }

    /// Returns whether its values are filled in when rows are handed over.
    pub(crate) fn is_constant(&self) -> bool {
        matches!(self.source, Source::Header(HeaderColumn::Member(field)) if Constant::of(field).is_some())
    }

    /// Returns an array for its values.
    pub(crate) fn array(&self) -> Array {
        if self.has_codes() { Array::of_codes() } else { Array::new(&self.data_type) }
    }

    fn of_header(column: HeaderColumn) -> Self {
        Self { name: column.name().to_owned(), data_type: column.data_type(), source: Source::Header(column) }
    }
}
