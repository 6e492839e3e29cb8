//! Symbol files are found in folders and stores, by their identities.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

mod common;

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use common::pdb::pdb;
use common::pe::Pe;
use etwkit::bytes::Guid;
use etwkit_symbols::{Missing, Module, Options, PdbId, Provenance, SearchPath, Source, Symbolizer, Warning};
use tempfile::TempDir;

const GUID: u128 = 0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF;
const KEY: &str = "00112233445566778899AABBCCDDEEFF1A";

fn id() -> PdbId {
    PdbId::new(r"d:\obj\App.pdb", Guid::from_u128(GUID), 0x1A)
}

fn made() -> Vec<u8> {
    pdb(Guid::from_u128(GUID), 0x1A)
}

fn put(root: &Path, name: &str, bytes: &[u8]) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Returns the frames at an address as text, and the file that they are from.
fn look(root: &Path, module: &Module, rva: u32) -> (Vec<String>, Provenance, Source) {
    let mut symbolizer = Symbolizer::new(SearchPath::new().folder(root));
    let module = symbolizer.module(module);
    let source = symbolizer.source(module);
    let found = symbolizer.frames(module, rva);
    let text = |frame: &etwkit_symbols::Frame| {
        let (function, file) = (frame.function.as_deref().unwrap_or("?"), frame.file.as_deref().unwrap_or("?"));
        format!("{function}+{:#x} {file}:{}", frame.offset, frame.line.unwrap_or_default())
    };
    (found.frames.iter().map(text).collect(), found.provenance, source)
}

fn module() -> Module {
    Module::new(r"C:\App.exe").pdb(id())
}

const BOTH: [&str; 2] = ["inner+0x14 b.h:101", "Space::outer+0x14 a.cpp:11"];

#[test]
fn functions_inlined_functions_and_lines_are_read() {
    let folder = TempDir::new().unwrap();
    put(folder.path(), "other name.PDB", &made());
    let at = |rva| look(folder.path(), &module(), rva).0;
    assert_eq!(at(0x1024), BOTH);
    assert_eq!(at(0x1010), ["Space::outer+0x0 a.cpp:10"]);
    assert_eq!(at(0x104F), ["Space::outer+0x3f a.cpp:12"]);
    assert_eq!(at(0x1105), ["Space::shown+0x5 ?:0"]);
    assert!([0, 0x1000, 0x1050, 0x9000, u32::MAX].into_iter().all(|rva| at(rva).is_empty()));
    let (_, provenance, source) = look(folder.path(), &module(), 0x1010);
    assert_eq!((provenance, source.provenance, source.warning), (Provenance::Pdb, Provenance::Pdb, None));
    assert_eq!(source.path.unwrap(), folder.path().join("other name.PDB"));
}

#[test]
fn arguments_are_written_on_request() {
    let folder = TempDir::new().unwrap();
    put(folder.path(), "app.pdb", &made());
    let path = SearchPath::new().folder(folder.path());
    let mut symbolizer = Symbolizer::with_options(path, Options::default().arguments(true));
    let module = symbolizer.module(&module());
    let mut name = |rva, at: usize| symbolizer.frames(module, rva).frames[at].function.as_deref().unwrap().to_owned();
    assert_eq!((name(0x1024, 0), name(0x1024, 1)), ("inner(int)".to_owned(), "Space::outer(int)".to_owned()));
    assert!(name(0x1105, 0).contains("Space::shown(void)"));
}

#[test]
fn files_are_found_in_their_places() {
    let places = [
        format!("App.pdb/{KEY}/App.pdb"),
        format!("APP.PDB/{}/aPP.pdb", KEY.to_lowercase()),
        "symbols/EXE/app.pdb".to_owned(),
        "dll/app.pdb".to_owned(),
        "app.pdb".to_owned(),
    ];
    for place in places {
        let root = TempDir::new().unwrap();
        put(root.path(), &place, &made());
        assert_eq!(look(root.path(), &module(), 0x1024).0, BOTH, "{place}");
    }
    let root = TempDir::new().unwrap();
    put(root.path(), &format!("ap/app.pdb/{KEY}/app.pdb"), &made());
    assert!(look(root.path(), &module(), 0x1024).0.is_empty(), "a store of one tier");
    put(root.path(), "index2.txt", b"");
    assert_eq!(look(root.path(), &module(), 0x1024).0, BOTH, "a store of two tiers");
}

fn cabinet(name: &str, bytes: &[u8], compression: cab::CompressionType) -> Vec<u8> {
    let mut builder = cab::CabinetBuilder::new();
    builder.add_folder(compression).add_file(name);
    let mut writer = builder.build(Cursor::new(Vec::new())).unwrap();
    while let Some(mut file) = writer.next_file().unwrap() {
        file.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn packed_files_are_unpacked() {
    for (place, compression) in [
        (format!("app.pdb/{KEY}/app.pd_"), cab::CompressionType::MsZip),
        ("app.pd_".to_owned(), cab::CompressionType::None),
    ] {
        let root = TempDir::new().unwrap();
        put(root.path(), &place, &cabinet("app.pdb", &made(), compression));
        assert_eq!(look(root.path(), &module(), 0x1024).0, BOTH, "{place}");
    }
    let root = TempDir::new().unwrap();
    put(root.path(), "app.pd_", &cabinet("app.pdb", &made(), cab::CompressionType::MsZip)[..300]);
    assert!(matches!(
        &look(root.path(), &module(), 0x1024).2.missing[..],
        [Missing::Unusable { .. }, Missing::NotFound]
    ));
}

#[test]
fn pointers_are_followed_or_say_why_not() {
    let root = TempDir::new().unwrap();
    let elsewhere = TempDir::new().unwrap();
    put(elsewhere.path(), "real.pdb", &made());
    let real = elsewhere.path().join("real.pdb");
    let say = |text: &str| {
        put(root.path(), &format!("app.pdb/{KEY}/file.ptr"), text.as_bytes());
        let (frames, _, source) = look(root.path(), &module(), 0x1024);
        (frames.len(), source.missing.first().map(ToString::to_string).unwrap_or_default())
    };
    assert_eq!(say(&format!("PATH:{}\r\n", real.display())), (2, String::new()));
    assert_eq!(say(&real.display().to_string()).0, 2);
    let (frames, why) = say("MSG: ask the owner");
    assert!(frames == 0 && why.ends_with("the store says: ask the owner"), "{why}");
    let (frames, why) = say(r"PATH:\\server\share\app.pdb");
    assert!(frames == 0 && why.contains("which is not there"), "{why}");
}

#[test]
fn pointers_lead_out_of_no_folder_that_is_set() {
    let (root, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    put(elsewhere.path(), "real.pdb", &made());
    let say = |target: &Path, folders: &[&Path]| {
        put(root.path(), &format!("app.pdb/{KEY}/file.ptr"), target.display().to_string().as_bytes());
        let path = SearchPath::new().folder(root.path());
        let mut symbolizer = Symbolizer::new(path.within(folders.iter().map(|folder| folder.to_path_buf())));
        let number = symbolizer.module(&module());
        let frames = symbolizer.frames(number, 0x1024).frames.len();
        let source = symbolizer.source(number);
        (frames, source.missing.first().map(ToString::to_string).unwrap_or_default())
    };
    let real = elsewhere.path().join("real.pdb");
    assert_eq!(say(&real, &[root.path(), elsewhere.path()]).0, 2);
    for target in [real, elsewhere.path().join("none.pdb"), root.path().join("..").join("none.pdb")] {
        let (frames, why) = say(&target, &[root.path()]);
        assert!(frames == 0 && why.ends_with("which is not below a folder that may be read"), "{why}");
    }
}

#[test]
fn another_age_is_a_warning_and_another_build_is_refused() {
    let root = TempDir::new().unwrap();
    put(root.path(), "app.pdb", &pdb(Guid::from_u128(GUID), 3));
    let (frames, _, source) = look(root.path(), &module(), 0x1024);
    assert_eq!((frames.len(), source.warning), (2, Some(Warning::Age { wanted: 0x1A, found: 3 })));
    put(root.path(), "good.pdb", &made());
    assert_eq!(look(root.path(), &module(), 0x1024).2.warning, None);
    let other = Module::new("a.exe").pdb(PdbId::new("app.pdb", Guid::from_u128(1), 1));
    assert_eq!(look(root.path(), &other, 0x1024).2.missing, [Missing::NotFound]);
    let store = TempDir::new().unwrap();
    put(store.path(), &format!("app.pdb/{:032X}1/app.pdb", 1), &made());
    let missing = look(store.path(), &other, 0x1024).2.missing;
    assert!(missing[0].to_string().ends_with(&format!("it is {KEY}, not {:032X}1", 1)), "{missing:?}");
}

fn image() -> Pe {
    let exports = [("Alpha", 0x1010), ("?run@Job@@QEAAXXZ", 0x1080), ("data", 0x9000)];
    let exports = exports.map(|(name, rva)| (name.to_owned(), rva)).to_vec();
    Pe { time_date_stamp: 0x5E, size_of_image: 0x1_C000, code: (0x1000, 0x200), exports, ..Pe::default() }
}

#[test]
fn images_name_what_they_export() {
    for place in ["app.dll", "App.dll/0000005E1c000/APP.dll"] {
        let root = TempDir::new().unwrap();
        put(root.path(), place, &image().bytes());
        let module = Module::new(r"\Device\HarddiskVolume1\app.dll").image(0x5E, 0x1_C000);
        let at = |rva| look(root.path(), &module, rva).0;
        assert_eq!((at(0x1011), at(0x1100)), (vec!["Alpha+0x1 ?:0".to_owned()], vec!["Job::run+0x80 ?:0".to_owned()]));
        assert!(at(0x100F).is_empty() && at(0x1200).is_empty() && at(0x9001).is_empty());
        assert_eq!(look(root.path(), &module, 0x1011).1, Provenance::Export);
        // With a PDB that is not there.
        assert_eq!(look(root.path(), &module.clone().pdb(id()), 0x1011).1, Provenance::Export);
        assert_eq!(look(root.path(), &module.image(0x5F, 0x1_C000), 0x1011).2.missing, [Missing::NotFound]);
    }
}

#[test]
fn an_image_names_its_pdb_file() {
    let root = TempDir::new().unwrap();
    let pe = Pe { pdb: Some((r"d:\obj\app.pdb".to_owned(), Guid::from_u128(GUID), 0x1A)), ..image() };
    put(root.path(), "app.dll", &pe.bytes());
    put(root.path(), "app.pdb", &made());
    let module = Module::new("app.dll").image(0x5E, 0x1_C000);
    assert_eq!(look(root.path(), &module, 0x1024).0, BOTH);
    assert_eq!(look(root.path(), &Module::new("app.dll"), 0x1024).2.missing, [Missing::Unidentified]);
}

#[test]
fn breakpad_files_are_read() {
    let text = format!("MODULE windows x86_64 {KEY} app.pdb\nFILE 0 c.cpp\nFUNC 1000 10 0 f(int)\n1000 10 7 0\n");
    for place in [format!("app.pdb/{KEY}/app.sym"), "any.sym".to_owned()] {
        let root = TempDir::new().unwrap();
        put(root.path(), &place, text.as_bytes());
        let (frames, provenance, _) = look(root.path(), &module(), 0x1008);
        assert_eq!(
            (&frames[..], provenance),
            (&["f(int)+0x8 c.cpp:7".to_owned()][..], Provenance::Breakpad),
            "{place}"
        );
    }
}

#[test]
fn names_of_a_trace_lead_nowhere_else() {
    let outside = TempDir::new().unwrap();
    let root = outside.path().join("root");
    put(&root, "x/y", b"");
    put(outside.path(), &format!("{KEY}/secret.pdb"), &made());
    for name in ["../secret.pdb", "..", "", "/", r"a:b"] {
        let module = Module::new("a.exe").pdb(PdbId { name: name.to_owned(), ..id() });
        assert_eq!(look(&root, &module, 0x1024).2.missing, [Missing::NotFound]);
    }
}

#[test]
fn damaged_files_have_no_names_and_say_so() {
    let good = made();
    // The last page has the place of the directory.
    for len in (0..good.len() - 512).step_by(97) {
        let root = TempDir::new().unwrap();
        put(root.path(), &format!("app.pdb/{KEY}/app.pdb"), &good[..len]);
        let (frames, _, source) = look(root.path(), &module(), 0x1024);
        assert!(frames.is_empty() && !source.missing.is_empty(), "{len}: {frames:?} {source:?}");
    }
}
