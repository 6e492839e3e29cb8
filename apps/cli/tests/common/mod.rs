//! The program in a folder of its own, with fixtures in it.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder with fixtures of etwkit-synth in it.
pub(crate) struct Folder(TempDir);

/// What a run did.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn with(names: &[&str]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for name in names {
            folder.write(name, &fixture(name));
        }
        folder
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_etwkit"));
        command.current_dir(self.path()).args(arguments);
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "_NT_SYMBOL_PATH"] {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.command(arguments).stdin(Stdio::null()).output().unwrap().into()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == name).unwrap().bytes
}
