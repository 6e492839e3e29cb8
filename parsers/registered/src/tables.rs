//! The tables of `schemas/`. Each is read when the first event of its providers comes.
use etwkit::tables::Tables;

/// All tables.
pub fn tables() -> Vec<Tables> {
    Vec::new()
}
