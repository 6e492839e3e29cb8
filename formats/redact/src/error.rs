//! Why a trace is not redacted.

use std::io;

/// Why a trace is not redacted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] etwkit::Error),
    /// The output cannot be written.
    #[error("the redacted trace cannot be written: {0}")]
    Write(#[from] io::Error),
    /// A file is of a kind that cannot be redacted in place.
    #[error("{file}: {why}")]
    Refused {
        /// The name of the file.
        file: String,
        /// The reason.
        why: &'static str,
    },
    /// The header of a trace is in an event that is damaged: it would be overwritten, and no event would have a time.
    #[error("{file}: its header is in an event that is damaged and would be overwritten, and all times with it")]
    Damaged {
        /// The name of the file.
        file: String,
    },
    /// There are more secrets than memory is set aside for.
    #[error("the trace has more secrets than can be kept: {what} (limit: {limit})")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A word of the user's list cannot be replaced.
    #[error("the word {word:?} cannot be replaced: {why}")]
    Word {
        /// The word.
        word: String,
        /// The reason.
        why: &'static str,
    },
    /// The system gave no random bytes for a key.
    #[error("no random key: {0}")]
    Random(String),
    /// The last scan found a secret in the output. It is not named, because messages are kept in logs.
    #[error("a secret is left in the output: {kind} at byte {offset:#x} ({what})")]
    Left {
        /// What it is.
        kind: &'static str,
        /// Where in the output.
        offset: u64,
        /// How it was found.
        what: &'static str,
    },
    /// An event of the output is read in another way than before.
    #[error("the event at byte {offset:#x} would not be read as before: {what}")]
    Changed {
        /// Where in the output.
        offset: u64,
        /// What differs.
        what: &'static str,
    },
    /// The same, where words of the user's list were replaced in descriptions of events.
    #[error(
        "the event at byte {offset:#x} would not be read as before: {what}; descriptions of events have words of the list: \
         {words}"
    )]
    Described {
        /// Where in the output.
        offset: u64,
        /// What differs.
        what: &'static str,
        /// The words, in quotes.
        words: String,
    },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
