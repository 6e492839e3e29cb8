//! Keys and lists of words.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::failure::Failure;

/// Bytes of a key or a list of words: a device has no end.
const MAX_FILE: u64 = 16 << 20;

/// Reads a file as a whole.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes));
    read.map_err(|error| Failure::from(error).of(path.display()))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Failure::new("the file has more than 16 MB")
            .of(path.display())
            .hint("a key of 16 bytes is as good as a longer one; words may have 1 MB in all"));
    }
    Ok(bytes)
}
