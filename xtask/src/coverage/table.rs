//! `docs/coverage.md`.
use std::path::Path;
use crate::Done;
pub(super) fn write(_folder: &Path, _shared: &Path) -> Done { Ok(()) }
