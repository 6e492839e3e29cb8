//! The first pass.

use std::ops::ControlFlow;

use etwkit::FileId;
use etwkit::Problem;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::{RawTrace, Trace};

use crate::failure::Failure;
use crate::input::Opened;
use crate::printer::Printer;
use crate::progress::Progress;

use super::census_details;

/// Reads files as one trace. Returns it with what is wrong with the archives that the files came from.
pub(crate) fn read(
    opened: Vec<Opened>,
    parsers: Parsers,
    threads: usize,
    printer: Printer,
) -> Result<(Trace, Vec<Problem>), Failure> {
    let (mut inputs, mut archive_problems) = (Vec::new(), Vec::new());
    for (id, Opened { input, archive_problem, .. }) in FileId::all().zip(opened) {
        archive_problems.extend(archive_problem.map(|problem| problem.of_file(id)));
        inputs.push(input);
    }
    let bytes = inputs.iter().map(Input::len).sum();
    let mut progress = Progress::reading(printer);
    let trace = RawTrace::open_all(inputs)?.threads(threads);
    let trace = trace.decode_with(parsers, &mut |done| {
        progress.at(done, bytes);
        ControlFlow::Continue(())
    })?;
    progress.at(bytes, bytes);
    progress.finish();
    census_details::print(&trace, printer);
    Ok((trace, archive_problems))
}
