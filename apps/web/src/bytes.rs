//! Bytes of a file as hexadecimal digits.

use etwkit::trace::Trace;

use crate::limits::MAX_HEX;

/// Returns two digits a byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digit = |value: u8| DIGITS.get(usize::from(value & 15)).copied().unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// Returns bytes of a file of the trace; fewer at its end, at most 64 KiB.
pub(crate) fn of_file(trace: &Trace, file: usize, offset: u64, len: usize) -> Result<String, String> {
    let found = trace.files().get(file).ok_or_else(|| format!("there is no file {file}"))?;
    let mut scratch = Vec::new();
    let window = found.source.window(offset, len.min(MAX_HEX), &mut scratch).map_err(|error| error.to_string())?;
    Ok(hex(window))
}
