//! Whether bytes are a trace, by its first ones.

use std::sync::Arc;

use etwkit::FileId;
use etwkit::container::Head;
use etwkit::input::Input;
use etwkit::limits::MAX_BUFFER;

use crate::error::{Error, Result};

/// Bytes by which it is recognized: the next buffer, if there is one, begins within the largest buffer size.
pub(crate) const ENOUGH: u64 = MAX_BUFFER as u64 + 4096;

/// Bytes that an input has for a while.
struct Lent(Arc<Vec<u8>>);

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Refuses the first bytes of what is not a trace; returns them otherwise.
pub(crate) fn check(name: &str, start: Vec<u8>) -> Result<Vec<u8>> {
    let start = Arc::new(start);
    let read = Head::read(&Input::shared(name, Lent(Arc::clone(&start))), FileId::FIRST, &mut Vec::new());
    read.map_err(Error::NotATrace)?;
    Ok(Arc::unwrap_or_clone(start))
}

/// Whether bytes begin with a header that can be read.
pub(crate) fn is_trace(start: Vec<u8>) -> bool {
    Head::read(&Input::bytes("", start), FileId::FIRST, &mut Vec::new()).is_ok_and(|head| !head.is_missing())
}
