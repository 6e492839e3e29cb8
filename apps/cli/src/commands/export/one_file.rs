//! One table in one file.

use std::io::BufWriter;
use std::ops::ControlFlow;

use etwkit::trace::{RunOptions, Summary};
use etwkit_columns::{BatchSink, Table};
use etwkit_parquet::{Options, ParquetWriter};

use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

use super::failed;

pub(super) fn write(
    session: &Session,
    run: &RunOptions,
    output: &Output,
    table: Table,
    options: Options,
) -> Result<Summary, Failure> {
    let out = BufWriter::new(output.open(session.trace())?);
    let mut writer = ParquetWriter::new(out, &table, options).map_err(failed::outside)?;
    let mut sink = BatchSink::new([table], |_, batch| {
        writer.write(batch).map_err(failed::in_run)?;
        Ok(ControlFlow::Continue(()))
    });
    let summary = session.run(run, &mut sink)?;
    drop(sink);
    writer.finish().map_err(failed::outside)?;
    Ok(summary)
}
