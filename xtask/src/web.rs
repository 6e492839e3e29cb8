//! The viewer as one page: the engine built for WebAssembly, and the page around it.

use std::path::PathBuf;
use std::process::Command;

use base64::Engine as _;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::built::{program, target_folder, traces};
use crate::done::{Done, root, succeed};

/// Scripts of the page, in the order in which they are joined.
const SCRIPTS: [&str; 9] =
    ["dom.js", "engine.js", "grid.js", "tables.js", "detail.js", "events.js", "views.js", "flame.js", "main.js"];

const TARGET: &str = "wasm32-unknown-unknown";

/// Bytes that the page may have.
const MOST: usize = 4_000_000;

/// Builds `etwkit-viewer.html` into the target folder. Skipped where the standard library for WebAssembly is missing and
/// cannot be installed.
pub(crate) fn build() -> Done {
    let Some(wasm) = engine()? else {
        eprintln!("!!!! SKIPPED: the Rust target {TARGET} is not installed: rustup target add {TARGET} !!!!");
        return Ok(());
    };
    let page = page(&wasm)?;
    if page.len() > MOST {
        return Err(format!("the page has {} bytes, of which at most {MOST} are allowed", page.len()).into());
    }
    let file = target_folder().join("etwkit-viewer.html");
    std::fs::write(&file, &page)?;
    println!("{} bytes in {}", page.len(), file.display());
    Ok(())
}

/// Builds it, and compares the JSON lines of its engine under Node with those of the program, for all fixtures and the real
/// traces.
pub(crate) fn check() -> Done {
    build()?;
    let engine = engine_file();
    if !engine.exists() || !Command::new("node").arg("--version").status().is_ok_and(|status| status.success()) {
        eprintln!("!!!! SKIPPED: comparing the viewer's engine needs the target {TARGET} and Node !!!!");
        return Ok(());
    }
    let mut compare = Command::new("node");
    succeed(compare.arg(root().join("xtask/web/equal.mjs")).arg(engine).arg(program()?).args(traces()?))
}

/// The engine that cargo builds.
fn engine_file() -> PathBuf {
    target_folder().join(TARGET).join("web/etwkit_web.wasm")
}

/// Builds the engine; `None` if there is no standard library for it.
fn engine() -> Result<Option<Vec<u8>>, Box<dyn std::error::Error>> {
    if !has_target()? {
        return Ok(None);
    }
    let cargo = ["rustc", "--package", "etwkit-web", "--crate-type", "cdylib", "--profile", "web", "--target", TARGET];
    succeed(Command::new("cargo").args(cargo).current_dir(root()))?;
    Ok(Some(std::fs::read(engine_file())?))
}

/// Returns whether the standard library is there, and asks rustup for it otherwise.
fn has_target() -> Result<bool, Box<dyn std::error::Error>> {
    let output = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output()?;
    let folder = PathBuf::from(String::from_utf8(output.stdout)?.trim());
    if folder.is_dir() {
        return Ok(true);
    }
    let added = Command::new("rustup").args(["target", "add", TARGET]).status();
    Ok(added.is_ok_and(|status| status.success()))
}

/// Puts the page together.
fn page(wasm: &[u8]) -> Result<String, Box<dyn std::error::Error>> {
    let read = |name: &str| std::fs::read_to_string(root().join("apps/web/page").join(name));
    let script = SCRIPTS.iter().map(|name| read(name)).collect::<Result<Vec<_>, _>>()?.join("\n");
    let (style, worker) = (read("style.css")?, read("worker.js")?);
    let base64 = base64::engine::general_purpose::STANDARD;
    let hash = |text: &str| format!("'sha256-{}'", base64.encode(Sha256::digest(text)));
    // A worker made of text has the policy of its page: it may compile WebAssembly, and nothing may go out.
    let policy = format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval' blob:; style-src {}; worker-src blob:; \
         base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(&style)
    );
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    std::io::Write::write_all(&mut packer, wasm)?;
    let packed = base64.encode(packer.finish()?);
    Ok(fill(
        &read("index.html")?,
        [
            ("@csp@", policy.as_str()),
            ("@style@", style.as_str()),
            ("@wasm@", packed.as_str()),
            ("@worker@", worker.as_str()),
            ("@script@", script.as_str()),
        ],
    ))
}

/// Replaces each mark once, from the first to the last: what is put in is not looked at.
fn fill(template: &str, parts: [(&str, &str); 5]) -> String {
    let (mut page, mut rest) = (String::new(), template);
    for (mark, text) in parts {
        if let Some((before, after)) = rest.split_once(mark) {
            page.push_str(before);
            page.push_str(text);
            rest = after;
        }
    }
    page + rest
}
