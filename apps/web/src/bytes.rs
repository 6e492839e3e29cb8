//! Bytes of a file as hexadecimal digits.

use etwkit::bytes::Hex;
use etwkit::trace::Trace;
use etwkit_browse::MAX_HEX;

/// Returns bytes of a file of the trace; fewer at its end, at most 64 KiB.
pub(crate) fn of_file(trace: &Trace, file: usize, offset: u64, len: usize) -> Result<String, String> {
    let found = trace.files().get(file).ok_or_else(|| format!("there is no file {file}"))?;
    let mut scratch = Vec::new();
    let window = found.source.window(offset, len.min(MAX_HEX), &mut scratch).map_err(|error| error.to_string())?;
    Ok(Hex(window).to_string())
}
