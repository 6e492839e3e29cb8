//! What crafted files make the program hold and print: at most 256 MB and twice the file of memory, at most 200 times the
//! file and 1 MB of output.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test")]

#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "runs have limits here")]
mod common;

mod counters;
mod names;
mod packed;
mod processes;
mod requests;
mod schemas;

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::Folder;

/// Bytes of memory besides twice the input.
const MEMORY: u64 = 256 << 20;
/// Bytes of output besides 200 times the input.
const OUTPUT: u64 = 1 << 20;
/// Bytes of output that are kept.
const TEXT: u64 = 64 << 10;
/// How long a run may take; the program is not optimised here.
const LONG: Duration = Duration::from_secs(60);

/// What a run cost.
#[derive(Debug)]
struct Cost {
    /// `None` if it was ended, as by a lack of memory.
    code: Option<i32>,
    errors: String,
    /// The beginning of the output.
    text: String,
    input: u64,
    output: u64,
    took: Duration,
}

impl Cost {
    /// Runs the program on a file of a folder with as much memory as it may have; `arguments` contain the file's name.
    fn of(folder: &Folder, arguments: &[&str], file: &str) -> Self {
        let [out, err] = ["out", "err"].map(|name| folder.path().join(name));
        let len = |path| std::fs::metadata(path).unwrap().len();
        let input = len(folder.path().join(file));
        // Of data, not of resident memory: what was asked for and not used counts, too.
        let limits = format!("ulimit -d {}; exec \"$0\" \"$@\"", (MEMORY + 2 * input) >> 10);
        let mut command = Command::new("sh");
        command.args(["-c", &limits, env!("CARGO_BIN_EXE_etwkit")]).args(arguments).current_dir(folder.path());
        command.stdin(Stdio::null()).stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
        let start = Instant::now();
        let code = command.status().unwrap().code();
        let errors = std::fs::read_to_string(err).unwrap();
        let took = start.elapsed();
        let mut text = Vec::new();
        File::open(&out).unwrap().take(TEXT).read_to_end(&mut text).unwrap();
        let text = String::from_utf8_lossy(&text).into_owned();
        Self { code, errors, text, input, output: len(out), took }
    }

    /// Fails if it costs more than the file may.
    fn check(&self) {
        assert!(matches!(self.code, Some(0 | 1)) && !self.errors.contains("memory allocation"), "{self:#?}");
        assert!(self.output <= OUTPUT + 200 * self.input, "{self:#?}");
        assert!(self.took < LONG, "{self:#?}");
    }
}
