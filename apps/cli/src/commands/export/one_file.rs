//! One table in one file.

use std::io::BufWriter;
use std::ops::ControlFlow;

use etwkit::trace::{RunOptions, Summary};
use etwkit_columns::{BatchSink, Table};

use crate::args::FailOn;
use crate::column_file::{ColumnFile, FileKind};
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

use super::metadata;

pub(super) fn write(
    session: &Session,
    run: &RunOptions,
    output: &Output,
    table: Table,
    kind: FileKind,
) -> Result<Summary, Failure> {
    let out = BufWriter::new(output.open(session.trace())?);
    let mut file = ColumnFile::new(kind, out, table.columns(), metadata::of(session))?;
    let mut sink = BatchSink::new([table], |_, batch| {
        file.write(batch)?;
        Ok(ControlFlow::Continue(()))
    });
    if session.fails_on(FailOn::Undecoded) {
        sink = sink.with_fits();
    }
    let summary = session.run(run, &mut sink)?;
    drop(sink);
    file.finish()?;
    Ok(summary)
}
