//! Names of levels.

/// The name of a level of Windows; empty for others.
pub(crate) const fn level_name(level: u8) -> &'static str {
    match level {
        1 => "critical",
        2 => "error",
        3 => "warning",
        4 => "info",
        5 => "verbose",
        _ => "",
    }
}
