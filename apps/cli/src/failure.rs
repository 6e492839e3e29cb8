//! Why the program could not do what it was asked.

use std::fmt::Display;
use std::path::Path;

use crate::hints;

/// Ends the run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The reader of stdout has gone: nothing to report.
    #[error("the output was closed")]
    BrokenPipe,
    /// All that is wrong has been reported.
    #[error("reported before")]
    Reported,
    /// A sentence for people, without full stop, and what they could do about it.
    #[error("{message}")]
    Error {
        /// What is wrong.
        message: String,
        /// What to do.
        hint: Option<String>,
    },
}

impl Failure {
    /// A failure without a hint.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Error { message: message.into(), hint: None }
    }

    /// The same, with a hint.
    #[must_use]
    pub(crate) fn hint(self, text: impl Into<String>) -> Self {
        match self {
            Self::BrokenPipe | Self::Reported => self,
            Self::Error { message, .. } => Self::Error { message, hint: Some(text.into()) },
        }
    }

    /// The same, with a hint if there is one.
    #[must_use]
    pub(crate) fn hint_if(self, text: Option<impl Into<String>>) -> Self {
        match text {
            Some(text) => self.hint(text),
            None => self,
        }
    }

    /// The same, saying which file it is about.
    #[must_use]
    pub(crate) fn of(self, name: impl Display) -> Self {
        match self {
            Self::BrokenPipe | Self::Reported => self,
            Self::Error { message, hint } => {
                let name = name.to_string();
                let last = Path::new(&name).file_name().unwrap_or_default().to_string_lossy();
                // Some errors name their file themselves.
                let own = [format!("{name}: "), format!("{last}: ")];
                let what = own.iter().find_map(|own| message.strip_prefix(own)).unwrap_or(&message);
                Self::Error { message: format!("{name}: {what}"), hint }
            }
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Self::of_system(&error).unwrap_or_else(|| Self::new(error.to_string()))
    }
}

impl From<etwkit::Error> for Failure {
    fn from(error: etwkit::Error) -> Self {
        if error.is_broken_pipe() {
            return Self::BrokenPipe;
        }
        // With its causes.
        let text = format!("{error:#}");
        match error.kind() {
            // One line: scripts over many files take one for each that is not a trace.
            etwkit::ErrorKind::NotATrace(format) => match hints::of_foreign(*format) {
                Some(hint) => Self::new(format!("{text} ({hint})")),
                None => Self::new(text),
            },
            etwkit::ErrorKind::Io { source, .. } => match (Self::of_system(source), error.file()) {
                (Some(failure), Some(file)) => failure.of(file),
                (Some(failure), None) => failure,
                (None, _) => Self::new(text),
            },
            _ => Self::new(text),
        }
    }
}

impl Failure {
    /// What every system refuses now and then, in our own words.
    fn of_system(error: &std::io::Error) -> Option<Self> {
        match error.kind() {
            std::io::ErrorKind::IsADirectory => Some(Self::new("it is a folder").hint(hints::FOLDER)),
            std::io::ErrorKind::NotADirectory | std::io::ErrorKind::AlreadyExists => {
                Some(Self::new("a part of the path is not a folder").hint(hints::NO_FOLDER))
            }
            std::io::ErrorKind::NotFound => Some(Self::new("no such file or folder")),
            std::io::ErrorKind::PermissionDenied => Some(Self::new("permission denied").hint(hints::PERMISSION)),
            std::io::ErrorKind::StorageFull => Some(Self::new("the disk is full").hint(hints::FULL)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::hints::{FULL, PERMISSION};

    #[test]
    fn what_the_system_refuses_has_a_hint() {
        let hint = |kind: io::ErrorKind| match Failure::from(io::Error::from(kind)) {
            Failure::Error { hint, .. } => hint,
            Failure::BrokenPipe | Failure::Reported => None,
        };
        assert_eq!(hint(io::ErrorKind::PermissionDenied).as_deref(), Some(PERMISSION));
        assert_eq!(hint(io::ErrorKind::StorageFull).as_deref(), Some(FULL));
        assert_eq!(hint(io::ErrorKind::TimedOut), None);
    }
}
