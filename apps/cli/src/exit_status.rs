//! The exit code.

use std::process::ExitCode;

/// The exit code; the worst one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Everything was delivered.
    #[default]
    Complete,
    /// Part could not be read, or a condition of `--fail-on` was met.
    Partial,
    /// Something could not be done at all.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Complete => 0,
            Status::Partial => 1,
            Status::Failed => 2,
        })
    }
}
