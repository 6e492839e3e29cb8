//! One record of CSV a row.

use std::io::{self, Write};

use crate::output::csv_error;
use crate::rows::{Cell, Column};

/// Writes a row.
pub(super) fn write<'c, W: Write>(
    cells: impl Iterator<Item = (&'c Column, &'c Cell)>,
    csv: &mut csv::Writer<W>,
) -> io::Result<()> {
    for (_, cell) in cells {
        csv.write_field(cell.plain().as_bytes()).map_err(csv_error)?;
    }
    csv.write_record(None::<&[u8]>).map_err(csv_error)
}
