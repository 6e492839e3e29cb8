//! Tables that are known when a trace is open.

use std::ffi::CStr;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use etwkit::Trace;
use etwkit::trace::RunOptions;
use etwkit_columns::DataType;

use crate::arguments;
use crate::descriptions::{self, Descriptions};
use crate::failure::Failure;
use crate::fill::fill_nulls;
use crate::function::TableFunction;
use crate::host::{Binding, Chunk, Opening, Vector};
use crate::source::Source;

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Nothing.
    Null,
    /// An unsigned integer, whatever the width of the column.
    Number(u64),
    /// A text.
    Text(String),
}

/// A table with a row for each thing that a trace has.
pub(crate) trait SmallTable: 'static {
    /// The name of the function.
    const NAME: &'static CStr;
    /// Its columns: unsigned integers and texts.
    const COLUMNS: &'static [(&'static str, DataType)];

    /// Returns the rows of a trace, a cell for each column.
    fn rows(trace: &Trace) -> Vec<Vec<Cell>>;
}

/// The function of such a table.
#[derive(Debug)]
pub(crate) struct Small<T>(PhantomData<T>);

/// One execution.
#[derive(Debug)]
pub(crate) struct Scan {
    /// Numbers of the columns that are asked for.
    columns: Vec<usize>,
    rows: Vec<Vec<Cell>>,
    next: AtomicUsize,
}

const MERGE: &CStr = c"merge";

impl<T: SmallTable> TableFunction for Small<T> {
    const NAME: &'static CStr = T::NAME;
    const PARAMETERS: &'static [(&'static CStr, DataType)] =
        &[(MERGE, DataType::Bool), descriptions::SCHEMAS, descriptions::SYMBOLS];
    type Bound = Vec<Source>;
    type Scan = Scan;
    type Local = ();

    fn bind(binding: &Binding) -> Result<Vec<Source>, Failure> {
        let merge = arguments::flag(binding, MERGE, true);
        let sources =
            Source::all(arguments::files(binding)?, &Descriptions::of(binding), merge, RunOptions::default().threads)?;
        T::COLUMNS.iter().try_for_each(|(name, of)| binding.add_column(name, of))?;
        Ok(sources)
    }

    fn open(sources: &Vec<Source>, opening: &Opening) -> Result<Scan, Failure> {
        let mut rows = Vec::new();
        for source in sources {
            rows.extend(T::rows(&*source.open(RunOptions::default().threads)?));
        }
        opening.allow_threads(1);
        Ok(Scan { columns: opening.columns(), rows, next: AtomicUsize::new(0) })
    }

    fn rows(scan: &Scan, (): &mut (), chunk: &mut Chunk) -> Result<usize, Failure> {
        let start = scan.next.fetch_add(chunk.capacity(), Ordering::Relaxed).min(scan.rows.len());
        let rows = start..scan.rows.len().min(start + chunk.capacity());
        for (place, number) in scan.columns.iter().enumerate() {
            let mut column = chunk.column(place);
            match T::COLUMNS.get(*number) {
                Some((_, of)) => scan.write(rows.clone(), *number, of, &mut column),
                None => fill_nulls(rows.len(), &mut column),
            }
        }
        Ok(rows.len())
    }
}

impl Scan {
    fn write(&self, rows: Range<usize>, column: usize, of: &DataType, vector: &mut Vector<'_>) {
        let cells: Vec<&Cell> =
            self.rows.get(rows).unwrap_or_default().iter().map(|row| row.get(column).unwrap_or(&Cell::Null)).collect();
        match of {
            DataType::Text => cells.iter().enumerate().for_each(|(place, cell)| {
                let text = if let Cell::Text(text) = cell { text.as_bytes() } else { b"" };
                vector.set_text(place, text);
            }),
            DataType::Unsigned(8) => vector.copy(&numbers::<u8>(&cells)),
            DataType::Unsigned(16) => vector.copy(&numbers::<u16>(&cells)),
            _ => vector.copy(&numbers::<u64>(&cells)),
        }
        let word = |cells: &[&Cell]| {
            let valid = cells.iter().enumerate().filter(|(_, cell)| **cell != &Cell::Null);
            valid.fold(0, |word, (place, _)| word | 1_u64 << place)
        };
        vector.set_valid(cells.chunks(64).map(word));
    }
}

fn numbers<N: TryFrom<u64> + Default>(cells: &[&Cell]) -> Vec<N> {
    let number = |cell: &&Cell| match cell {
        Cell::Number(number) => N::try_from(*number).unwrap_or_default(),
        _ => N::default(),
    };
    cells.iter().map(number).collect()
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
