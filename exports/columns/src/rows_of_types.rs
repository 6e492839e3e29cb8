//! Rows that follow from the types of events alone.

use std::sync::Arc;

use etwkit::schema::Schema;
use etwkit::select::HeaderField;
use etwkit::{EventType, Trace};

use crate::batch::Batch;
use crate::header_column::HeaderColumn;
use crate::table::{Column, Source, Table};
use crate::texts::{Coder, Texts};

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
        for row in types.iter().filter(|row| row.events() > 0) {
            let codes = parts.iter().map(|part| Some(coder.code(part.text(row)?.as_bytes())?.0)).collect();
            runs.push((row.events(), codes));
        }
        let mut runs = runs.into_iter().peekable();
        let (columns, texts) = (self.columns().to_vec(), coder.texts());
        let mut run = move |most: usize| {
            let (left, codes) = runs.peek_mut()?;
            let rows = usize::try_from(*left).unwrap_or(most).min(most);
            let batch = repeated(&columns, codes, &texts, rows);
            *left -= rows as u64;
            if *left == 0 {
                runs.next();
            }
            Some(batch)
        };
        Some(std::iter::from_fn(move || {
            let mut batch = run(ROWS)?;
            while batch.rows < ROWS
                && let Some(more) = run(ROWS - batch.rows)
            {
                let appended = batch.append(more);
                debug_assert!(appended.is_ok(), "all have the same columns and texts");
            }
            Some(batch)
        }))
    }
}

/// Returns rows that all have one code, or none, in each column.
fn repeated(columns: &[Column], codes: &[Option<u32>], texts: &Arc<Texts>, rows: usize) -> Batch {
    let array = |(column, code): (&Column, &Option<u32>)| {
        let mut array = column.array();
        array.repeat(code.map(u64::from), rows);
        array.set_texts(Arc::clone(texts));
        array
    };
    Batch { rows, columns: columns.iter().zip(codes).map(array).collect() }
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
