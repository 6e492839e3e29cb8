//! A real PDB file, and a real trace.

use etwkit::bytes::Guid;
use etwkit::trace::Trace;
use etwkit_symbols::SearchPath;
use serde_json::{Value, json};

use super::case::{CASES, Line};
use super::symbolizer;
use super::trace::{Mapped, Named, bytes};

const BASE: u64 = 0x7ff6_0000_0000;

/// Offsets in `crash.pdb`, the innermost first, with up to five functions that are inlined into one another. At some
/// others `llvm-symbolizer` crashes or is wrong (`tests/llvm`).
const STACKS: [&[u32]; 3] = [&[0x2626, 0x2380, 0x1c7c, 0x2938], &[0x12b5, 0x16fa, 0x2a5a], &[0x181f, 0x28e4, 0x105a]];

#[test]
fn frames_of_a_trace_are_those_of_llvm() {
    let Some(folder) = etwkit_corpus::path("symbols") else { return };
    // Version 14, which Debian names without a number, has other lines for two of these places.
    let Some(program) = symbolizer::program().filter(|program| *program != "llvm-symbolizer") else {
        return etwkit_corpus::skipped("no llvm-symbolizer 15 or newer (Debian package llvm-19)");
    };
    let case = CASES.iter().find(|case| case.pdb == "crash.pdb").unwrap();
    let image =
        Mapped { base: BASE, path: r"\Device\HarddiskVolume2\crash.exe", pdb: Some((case.guid, 1, r"c:\crash.pdb")) };
    let stacks = STACKS.map(|stack| stack.iter().map(|rva| BASE + u64::from(*rva)).collect());
    let named = Named::open(bytes(&[image], &stacks), SearchPath::new().folder(&folder));
    let (mut paths, mut inlined) = (Vec::new(), 0);
    for (line, stack) in named.json().iter().zip(STACKS) {
        // All but the first are return addresses.
        let looked_up: Vec<u32> = stack.iter().enumerate().map(|(place, rva)| rva - u32::from(place > 0)).collect();
        let expected = symbolizer::frames(program, &folder, case, &looked_up, &[]);
        let object = |line: &Line| json!({"name": line.function, "file": line.file, "line": line.number});
        let functions: Vec<Vec<Value>> = expected.iter().map(|lines| lines.iter().map(object).collect()).collect();
        assert_eq!(line["functions"], json!(functions));
        let called: Vec<String> =
            expected.iter().map(|lines| format!("crash.exe!{}", lines.last().unwrap().function)).collect();
        assert_eq!(line["frames"], json!(called));
        inlined += expected.iter().filter(|lines| lines.len() > 1).count();
        let path: Vec<String> =
            expected.iter().flatten().rev().map(|line| format!("crash.exe!{}", line.function)).collect();
        paths.push(format!("{} 1", path.join(";")));
    }
    assert_eq!((paths.len(), inlined), (STACKS.len(), 5));
    paths.sort();
    assert_eq!(named.folded(), paths);
}

/// Each `DbgID_RSDS` is the identity of the image at its address and time.
#[test]
fn images_of_a_real_trace_have_their_pdb_files() {
    let Some(file) = etwkit_corpus::path("perfview/net.4.5.2.x64.etl") else { return };
    let trace = Trace::open(file, etwkit_parsers::with_image_identities(etwkit_parsers::standard())).unwrap();
    let (mut found, mut events) = (0, trace.events());
    while let Some(event) = events.next().unwrap() {
        if event.name() != "ImageID/DbgID_RSDS" {
            continue;
        }
        let (pid, base): (u32, u64) = (event.get("ProcessId").unwrap(), event.get("ImageBase").unwrap());
        let expected: (Guid, u32, String) =
            (event.get("GuidSig").unwrap(), event.get("Age").unwrap(), event.get("PDBFileName").unwrap());
        let image = trace.system().image_at(pid, base, event.raw()).unwrap();
        let pdb = image.pdb.as_deref().unwrap();
        assert_eq!((pdb.guid, pdb.age, &*pdb.name), (expected.0, expected.1, expected.2.as_str()), "{}", image.path);
        found += 1;
    }
    assert_eq!(found, 3_534);
    let images = trace.system().images.list();
    let kernel = images.iter().find(|image| image.file_name() == "ntoskrnl.exe").unwrap();
    assert_eq!((kernel.pid, kernel.original_name.as_deref()), (0, Some("ntkrnlmp.exe")));
    assert_eq!(kernel.pdb.as_deref().map(|pdb| (pdb.age, &*pdb.name)), Some((2, "ntkrnlmp.pdb")));
}
