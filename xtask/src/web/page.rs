//! Puts the page of the viewer together, as one file or as a folder.

use base64::Engine;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::done::{Done, root};

const SCRIPTS: [&str; 14] = [
    "dom.js",
    "engine.js",
    "grid.js",
    "tables.js",
    "detail.js",
    "times.js",
    "columns.js",
    "complete.js",
    "events.js",
    "buffer_map.js",
    "lanes.js",
    "views.js",
    "flame.js",
    "main.js",
];
/// The code of reports that draws lanes.
const LANES: [&str; 9] =
    ["text.js", "dom.js", "numbers.js", "axis.js", "colors.js", "draw.js", "lanes.js", "hover.js", "keys.js"];
const BASE64: base64::engine::GeneralPurpose = base64::engine::general_purpose::STANDARD;

/// Returns the page as one file: the engine and the code of its worker are in it.
pub(super) fn one_file(wasm: &[u8]) -> Done<String> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    std::io::Write::write_all(&mut packer, wasm)?;
    // A worker made of text has the policy of its page: it may compile WebAssembly, and nothing may go out.
    page(&BASE64.encode(packer.finish()?), &read("worker.js")?, "blob:; worker-src blob:")
}

/// Returns the files of a folder for a web server, with a service worker that keeps them for use without a network.
pub(super) fn folder(wasm: Vec<u8>) -> Done<[(&'static str, Vec<u8>); 4]> {
    let index = page("", "", "'self'; worker-src 'self'; connect-src 'self'")?;
    let worker = read("worker.js")?;
    let version = Sha256::new().chain_update(&index).chain_update(&worker).chain_update(&wasm).finalize();
    let service = fill(&read("sw.js")?, [("@version@", &BASE64.encode(version))]);
    Ok([("index.html", index.into()), ("worker.js", worker.into()), ("sw.js", service.into()), ("engine.wasm", wasm)])
}

/// `sources` ends the sources of scripts, and has those of workers.
fn page(wasm: &str, worker: &str, sources: &str) -> Done<String> {
    let mut script = String::new();
    for name in SCRIPTS {
        script += &(read(name)? + "\n");
    }
    script += &read_report("js/halves.js")?;
    script += &lanes()?;
    let style = read("style.css")? + &read_report("css/lanes.css")?;
    let hash = |text: &str| format!("'sha256-{}'", BASE64.encode(Sha256::digest(text)));
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {} 'wasm-unsafe-eval' {sources}; \
         base-uri 'none'; form-action 'none'",
        hash(&style),
        hash(&script)
    );
    let parts =
        [("@csp@", &*policy), ("@style@", &*style), ("@wasm@", wasm), ("@worker@", worker), ("@script@", &*script)];
    Ok(fill(&read("index.html")?, parts))
}

/// The code of reports in a function, so that its names are its own.
fn lanes() -> Done<String> {
    let mut text = "function report_lanes(DATA, root, pick, isHistogram) {\n".to_owned();
    for name in LANES {
        text += &read_report(&format!("js/{name}"))?;
    }
    text += &read("histogram.js")?;
    Ok(
        text + "makeAxis();\naxis.pick = pick;\n(isHistogram ? histogram : timeline)(root);\nredraw();\nreturn redraw;\n}\n"
    )
}

fn read(name: &str) -> Done<String> {
    Ok(std::fs::read_to_string(root().join("apps/web/page").join(name))?)
}

fn read_report(name: &str) -> Done<String> {
    Ok(std::fs::read_to_string(root().join("exports/report/page").join(name))?)
}

/// Replaces each mark once, from the first to the last: what is put in is not looked at.
fn fill<const N: usize>(template: &str, parts: [(&str, &str); N]) -> String {
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
