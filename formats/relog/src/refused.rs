//! What cannot be copied.

use etwkit::format::Framing;
use etwkit::{Input, Trace};

use crate::error::{Error, Result};

/// Refuses what cannot be copied.
pub(crate) fn check(trace: &Trace) -> Result<()> {
    let refused = |file: &Input, why| Err(Error::Refused { file: file.name().to_owned(), why });
    let [first, others @ ..] = trace.files() else { return Ok(()) };
    for file in trace.files() {
        if file.head.framing() == Framing::Records {
            return refused(&file.source, "its records (.btl) have another form than the events of .etl buffers");
        }
        if file.head.is_pre_vista() {
            return refused(&file.source, "buffers of Windows before Vista have another layout");
        }
    }
    for file in others {
        let (clock, own) = (&first.head.clock, &file.head.clock);
        if (clock.kind(), clock.frequency()) != (own.kind(), own.frequency()) || first.head.is_missing() {
            return refused(
                &file.source,
                "its clock differs from that of the first file: the events cannot be in one file",
            );
        }
    }
    if trace.systems().iter().count() > 1
        && let Some(file) = others.first()
    {
        return refused(&file.source, "the files are of different machines or boots: they cannot be one file");
    }
    Ok(())
}
