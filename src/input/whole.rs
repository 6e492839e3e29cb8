//! Files that are read as a whole.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::error::{Error, Result};

/// Reads a file of at most so many bytes: a schema, a manifest or the like. `what` names its bytes in the error, such as
/// `bytes of a manifest`.
///
/// # Errors
///
/// If it cannot be opened or read, and for a longer file, of which nothing is read if the system knows its length.
///
/// ```
/// use std::path::Path;
///
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
/// let error = etwkit::input::read_whole(Path::new(path), "bytes of a manifest", 10).unwrap_err();
/// assert_eq!(error.to_string(), "bytes of a manifest exceeds the limit of 10");
/// ```
pub fn read_whole(path: &Path, what: &'static str, most: usize) -> Result<Vec<u8>> {
    let file = File::open(path).map_err(Error::opening)?;
    let len = file.metadata().map_err(Error::opening)?.len();
    if len > most as u64 {
        return Err(Error::limit(what, most));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0));
    // Pipes have no length, and files may grow.
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(Error::reading)?;
    if bytes.len() > most { Err(Error::limit(what, most)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_that_are_too_long_are_refused() {
        let path = std::env::temp_dir().join(format!("etwkit-whole-{}", std::process::id()));
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(read_whole(&path, "bytes", 5).unwrap(), b"12345");
        let error = read_whole(&path, "bytes", 4).unwrap_err();
        assert!(matches!(error.kind(), crate::ErrorKind::Limit { .. }));
        std::fs::remove_file(&path).unwrap();
        assert!(read_whole(&path, "bytes", 5).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_length_is_read_up_to_the_limit() {
        let error = read_whole(Path::new("/dev/zero"), "bytes", 1000).unwrap_err();
        assert!(matches!(error.kind(), crate::ErrorKind::Limit { .. }));
    }
}
