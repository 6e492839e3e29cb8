//! The formats of `dump`, as the program lists them: tests of all formats include a new one.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::process::Command;

/// The name of every format.
pub(crate) fn formats() -> Vec<String> {
    let refused = Command::new(env!("CARGO_BIN_EXE_etwkit")).args(["dump", "-", "--format", "?"]).output().unwrap();
    let text = String::from_utf8(refused.stderr).unwrap();
    let list = text.split("[possible values: ").nth(1).unwrap().split(']').next().unwrap();
    list.split(", ").map(str::to_owned).collect()
}
