//! Why packed data is not read, in words for people.

use etwkit::input::Input;
use etwkit::{Problem, ProblemKind};
use etwkit_archive::{Error, Unpacked};

use crate::failure::Failure;
use crate::text::{counted, size};

use super::opened::Opened;

/// For what is as it is on purpose.
const UNPACK: &str = "if you trust the file, unpack it with another program, and pass the files that it writes";

/// Says why something is not unpacked, and what to do.
pub(super) fn failure(error: Error, name: &str) -> Failure {
    match error {
        Error::TooLarge { limit, is_together } => too_large(limit, is_together),
        Error::ExpandsTooMuch { base, per_byte } => expands_too_much(base, per_byte),
        Error::NotATrace(error) => Failure::from(error),
        Error::Corrupt(_) => Failure::new(error.to_string())
            .hint("copy or download it again; if another program unpacks it, give the file that it makes"),
        error => Failure::new(error.to_string()).hint(UNPACK),
    }
    .of(name)
}

/// Makes an input of what was unpacked. If it breaks off, that is a problem.
pub(super) fn opened(unpacked: Unpacked, name: &str) -> Opened {
    let len = unpacked.bytes.len() as u64;
    let broken_off = unpacked.broken_off.map(|error| {
        let detail = format!("the packed data breaks off after {}: {error}", counted(len, "byte"));
        Problem::new(ProblemKind::BadArchive, detail).at(len, 0)
    });
    Opened { input: Input::bytes(name, unpacked.bytes), archive_problem: broken_off, note: None }
}

fn too_large(limit: u64, is_together: bool) -> Failure {
    let together = if is_together { " together with the files before it" } else { "" };
    Failure::new(format!("unpacked{together} it is larger than the limit of {}", size(limit)))
        .hint("raise it with --unpack-limit, or unpack the file first: files on disk are not held in memory")
}

fn expands_too_much(base: u64, per_byte: u64) -> Failure {
    let base = size(base);
    Failure::new(format!(
        "it unpacks to more than {base} and {per_byte} times its packed size, far more than traces do"
    ))
    .hint("if you trust the file, unpack it first (`gzip -dk`, `unzip`), or read it with --unpack-limit 4GiB")
}
