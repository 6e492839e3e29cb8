//! What `llvm-symbolizer` finds.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use etwkit::bytes::Guid;

use super::case::{Case, Line};
use super::pe::Pe;

/// Names of the program: newer versions have fewer mistakes in inlined functions.
const PROGRAMS: [&str; 4] = ["llvm-symbolizer-19", "llvm-symbolizer-16", "llvm-symbolizer-15", "llvm-symbolizer"];

/// Returns the newest program that is installed.
pub(crate) fn program() -> Option<&'static str> {
    PROGRAMS.into_iter().find(|program| Command::new(program).arg("--version").output().is_ok())
}

/// Returns the frames at each address, the innermost first; none where the program crashes.
///
/// It wants an image; where the corpus has none, one is made whose debug directory names the PDB file.
pub(crate) fn frames(program: &str, folder: &Path, case: &Case, rvas: &[u32], options: &[&str]) -> Vec<Vec<Line>> {
    let temporary = tempfile::tempdir().unwrap();
    let image = temporary.path().join(case.image.unwrap_or("made.dll"));
    std::fs::copy(folder.join(case.pdb), temporary.path().join(case.pdb)).unwrap();
    if let Some(name) = case.image {
        std::fs::copy(folder.join(name), &image).unwrap();
    } else {
        let pdb = Some((case.pdb.to_owned(), Guid::from_u128(case.guid), 1));
        let pe = Pe { is_x86: true, size_of_image: 0x20_0000, code: (0x1000, 0x2000), pdb, ..Pe::default() };
        std::fs::write(&image, pe.bytes()).unwrap();
    }
    let mut all = Vec::new();
    while all.len() < rvas.len() {
        all.extend(run(program, &image, options, &rvas[all.len()..]));
        if all.len() < rvas.len() {
            all.push(Vec::new());
        }
    }
    all
}

fn run(program: &str, image: &Path, options: &[&str], rvas: &[u32]) -> Vec<Vec<Line>> {
    let mut command = Command::new(program);
    command.arg(format!("--obj={}", image.display())).arg("--relative-address").arg("--functions=short").args(options);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input: Vec<String> = rvas.iter().map(|rva| format!("{rva:#x}")).collect();
    let input = input.join("\n") + "\n";
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_terminator("\n\n").map(parse).collect()
}

/// Reads frames: a line with the function, and one with file, line and column each.
fn parse(text: &str) -> Vec<Line> {
    let lines: Vec<&str> = text.lines().collect();
    let frame = |pair: &[&str]| {
        let mut place = pair[1].rsplitn(3, ':');
        let (_column, line) = (place.next(), place.next().unwrap().parse().unwrap());
        Line { function: pair[0].to_owned(), file: place.next().unwrap().to_owned(), number: line }
    };
    lines.chunks(2).map(frame).collect()
}
