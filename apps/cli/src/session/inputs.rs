//! Opening the inputs. One that cannot be opened is reported, and the rest goes on.

use crate::failure::Failure;
use crate::input::{InputArgs, Opened};
use crate::printer::Printer;

use super::findings::Findings;

/// Hands over the traces one after the other; each may be dropped before the next one is opened. An error of `each` ends
/// all.
pub(crate) fn for_each_input(
    input: &InputArgs,
    findings: &mut Findings,
    mut each: impl FnMut(Opened, &mut Findings) -> Result<(), Failure>,
) -> Result<(), Failure> {
    input.open_each(&mut |opened| match report(opened, findings)? {
        Some(opened) => each(opened, findings),
        None => Ok(()),
    })
}

/// Opens all traces.
pub(crate) fn all_inputs(input: &InputArgs, findings: &mut Findings) -> Result<Vec<Opened>, Failure> {
    let mut all = Vec::new();
    input.open_all(&mut |opened| {
        all.extend(report(opened, findings)?);
        Ok(())
    })?;
    Ok(all)
}

/// The trace, or nothing after a report why it could not be opened.
fn report(opened: Result<Opened, Failure>, findings: &mut Findings) -> Result<Option<Opened>, Failure> {
    match opened {
        Ok(opened) => {
            if let Some(note) = &opened.note {
                findings.note(note);
            }
            Ok(Some(opened))
        }
        Err(Failure::BrokenPipe) => Err(Failure::BrokenPipe),
        Err(failure) => {
            Printer::failure(&failure);
            findings.input_failed();
            Ok(None)
        }
    }
}
