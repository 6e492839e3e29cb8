//! Opens reports and the viewer in a headless Chromium.

mod hostile;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::built::{program, target_folder};
use crate::done::{Done, root, succeed};
use crate::web;

/// Real traces that differ in what they have: .NET and samples, requests, disks and network, messages, processes.
const TRACES: [&str; 6] = [
    "net.4.5.2.x64.etl",
    "HTTP_Server.etl",
    "diaghub.kernel.1.etl",
    "wppmisc-sample.etl",
    "ShutdownPerfDiagLogger.etl",
    "PktMon.etl",
];

/// Compares what the pages show with what the program states, for real and hostile traces, and makes pictures. Skipped
/// where Chromium or Node cannot be had. Builds the program, unless one is given.
pub(crate) fn check(given: Option<&str>) -> Done {
    let Some(chromium) = chromium() else {
        eprintln!("!!!! SKIPPED: Chromium is not installed, and cannot be installed by apt-get !!!!");
        return Ok(());
    };
    if !answers("node") {
        eprintln!("!!!! SKIPPED: driving Chromium needs Node !!!!");
        return Ok(());
    }
    let viewer = web::build()?;
    if viewer.is_none() {
        eprintln!("!!!! SKIPPED: the viewer, which is not built; reports are checked !!!!");
    }
    let folder = target_folder().join("browser");
    let traces: Vec<PathBuf> = real_traces().into_iter().chain(hostile_traces(&folder)?).collect();
    let program = given.map_or_else(program, |file| Ok(std::fs::canonicalize(file)?))?;
    let mut node = Command::new("node");
    node.arg(root().join("xtask/web/browser.mjs")).arg(chromium).arg(program);
    node.arg(viewer.unwrap_or_else(|| "-".into())).arg(folder.join("pictures")).args(traces);
    succeed(&mut node)
}

/// The browser's program, installed if it is missing.
fn chromium() -> Option<PathBuf> {
    let found = || ["chromium", "chromium-browser"].into_iter().find(|name| answers(name)).map(PathBuf::from);
    found().or_else(|| {
        // As root only, as nobody is asked here.
        for words in [&["update"][..], &["install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core"]] {
            let status = Command::new("apt-get").args(words).env("DEBIAN_FRONTEND", "noninteractive").status();
            status.ok().filter(std::process::ExitStatus::success)?;
        }
        found()
    })
}

/// Whether a program is there.
fn answers(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Those that are found; without them only hostile ones and a fixture are opened.
fn real_traces() -> Vec<PathBuf> {
    let corpus = etwkit_corpus::traces();
    let of_name = |name: &&str| corpus.iter().map(|(_, path)| path).find(|path| path.ends_with(name)).cloned();
    let found: Vec<PathBuf> = TRACES.iter().filter_map(of_name).collect();
    if found.len() < TRACES.len() {
        eprintln!("!!!! SKIPPED: {} real traces, which are not found !!!!", TRACES.len() - found.len());
    }
    found.into_iter().chain([root().join("fixtures/kernel-stacks.etl")]).collect()
}

/// Writes the hostile traces; the name of one of them is hostile, too.
fn hostile_traces(folder: &Path) -> Done<[PathBuf; 2]> {
    std::fs::create_dir_all(folder)?;
    let traces = [
        ("<img src=x onerror=alert(1)>\u{202e}.etl", hostile::names()),
        ("100000-processes.etl", hostile::processes()),
    ];
    for (name, bytes) in &traces {
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(traces.map(|(name, _)| folder.join(name)))
}
