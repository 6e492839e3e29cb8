//! Rows that follow from the types of events alone.

use etwkit::schema::Schema;
use etwkit::select::HeaderField;
use etwkit::{EventType, Trace};

use crate::array::Array;
use crate::batch::Batch;
use crate::header_column::HeaderColumn;
use crate::table::{Column, Source, Table};
use crate::texts::Coder;

/// Rows of a batch.
const ROWS: usize = 1 << 16;

impl Table {
    /// Returns a row for each event of a trace without reading its events again, if the first pass knows all that the
    /// columns show: the columns are `provider` and `event` at most. `None` if more must be known. Rows come by the type of
    /// their events, not by time.
    pub fn rows_of_types(&self, trace: &Trace) -> Option<impl Iterator<Item = Batch> + use<>> {
        let parts = self.columns().iter().map(Part::of).collect::<Option<Vec<_>>>()?;
        let types = trace.types();
        let events: u64 = types.iter().map(EventType::events).sum();
        if self.types.is_some() || events != trace.events_total() || !types.iter().all(is_named_alike) {
            return None;
        }
        let mut coder = Coder::default();
        let mut runs: Vec<(u64, Vec<Option<u32>>)> = Vec::new();
        for row in types {
            let codes = parts.iter().map(|part| Some(coder.code(part.text(row)?.as_bytes())?.0)).collect();
            runs.push((row.events(), codes));
        }
        let mut runs = runs.into_iter().peekable();
        let columns: Vec<Column> = self.columns().to_vec();
        Some(std::iter::from_fn(move || {
            let mut batch = Batch { rows: 0, columns: columns.iter().map(Column::array).collect() };
            while batch.rows < ROWS
                && let Some((left, codes)) = runs.peek_mut()
            {
                let rows = usize::try_from(*left).unwrap_or(ROWS).min(ROWS - batch.rows);
                for (array, code) in batch.columns.iter_mut().zip(codes) {
                    match code {
                        Some(code) => array.extend_bits(std::iter::repeat_n((*code).into(), rows)),
                        None => array.pad(batch.rows + rows),
                    }
                }
                batch.rows += rows;
                *left -= rows as u64;
                if *left == 0 {
                    runs.next();
                }
            }
            batch.columns.iter_mut().for_each(|array: &mut Array| array.set_texts(coder.texts()));
            (batch.rows > 0).then_some(batch)
        }))
    }
}

/// What a type decides.
#[derive(Clone, Copy, Debug)]
enum Part {
    Provider,
    Event,
}

impl Part {
    fn of(column: &Column) -> Option<Self> {
        match column.source {
            Source::Header(HeaderColumn::Member(HeaderField::Provider)) => Some(Self::Provider),
            Source::Header(HeaderColumn::Member(HeaderField::Event)) => Some(Self::Event),
            _ => None,
        }
    }

    fn text(self, row: &EventType) -> Option<&str> {
        match self {
            // Its GUID if it has no name.
            Self::Provider if row.provider_name().is_none() && row.provider_guid().is_null() => None,
            Self::Provider => Some(row.provider()),
            Self::Event => row.name(),
        }
    }
}

/// Returns whether all events of a type have one name: layouts may have names of their own.
fn is_named_alike(row: &EventType) -> bool {
    let mut names = row.layouts().map(|(_, schema)| Schema::name(schema));
    let first = names.next().flatten();
    names.all(|name| name == first)
}
