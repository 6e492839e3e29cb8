//! Bytes of a manifest as text.

use std::borrow::Cow;

use etwkit::bytes::file_text;
use etwkit::error::{Error, Result};

/// Bytes of a manifest that is read: the largest that Windows has are some 3 MB.
pub(crate) const MAX_MANIFEST: usize = 64 << 20;

/// Returns the text, whatever its coding.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>> {
    if bytes.len() > MAX_MANIFEST {
        return Err(Error::limit("bytes of a manifest", MAX_MANIFEST));
    }
    Ok(file_text(bytes))
}
