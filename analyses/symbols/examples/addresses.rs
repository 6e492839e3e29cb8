//! Names the addresses (RVA, hexadecimal) on standard input, as `llvm-symbolizer` prints them:
//! `addresses FOLDER NAME.pdb GUID AGE < addresses`.
#![allow(clippy::print_stdout, reason = "an example")]

use std::io::{BufRead as _, stdin};

use etwkit::bytes::Guid;
use etwkit_symbols::{Module, PdbId, SearchPath, Symbolizer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, name, guid, age] = &arguments[..] else { return Err("FOLDER NAME.pdb GUID AGE".into()) };
    let guid: Guid = guid.parse()?;
    let mut symbolizer = Symbolizer::new(SearchPath::new().folder(folder));
    let module = symbolizer.module(&Module::new(name.as_str()).pdb(PdbId::new(name.as_str(), guid, age.parse()?)));
    for line in stdin().lock().lines() {
        let rva = u32::from_str_radix(line?.trim().trim_start_matches("0x"), 16)?;
        let frames = symbolizer.frames(module, rva).frames;
        for frame in frames {
            let (function, file) = (frame.function.as_deref().unwrap_or("??"), frame.file.as_deref().unwrap_or("??"));
            println!("{function}\n{file}:{}:0", frame.line.unwrap_or_default());
        }
        if frames.is_empty() {
            println!("??\n??:0:0");
        }
        println!();
    }
    Ok(())
}
