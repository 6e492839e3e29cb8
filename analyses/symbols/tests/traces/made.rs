//! Symbol files that are made here: a PDB file and an image with exports.

use etwkit::bytes::Guid;
use etwkit::system::Function;
use etwkit_symbols::{Provenance, SearchPath};
use serde_json::json;
use tempfile::TempDir;

use super::pdb::pdb;
use super::pe::Pe;
use super::trace::{IMAGE_SIZE, Mapped, Named, PID, bytes};

const GUID: u128 = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff;
const MADE: u64 = 0x7ff6_0000_0000;
const LIBRARY: u64 = 0x7ff7_0000_0000;
const OTHER: u64 = 0x7ff8_0000_0000;
/// What `etwkit-synth` writes as the time stamp of images.
const TIME_STAMP: u32 = 0x6578_9abc;

fn images() -> [Mapped; 3] {
    [
        Mapped { base: MADE, path: r"\Device\HarddiskVolume2\app\made.exe", pdb: Some((GUID, 3, r"d:\obj\made.pdb")) },
        Mapped { base: LIBRARY, path: r"\Device\HarddiskVolume2\app\library.dll", pdb: None },
        Mapped { base: OTHER, path: r"\Device\HarddiskVolume2\app\other.dll", pdb: Some((7, 1, "other.pdb")) },
    ]
}

fn symbols(age: u32) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("made.pdb"), pdb(Guid::from_u128(GUID), age)).unwrap();
    let library = Pe {
        time_date_stamp: TIME_STAMP,
        size_of_image: IMAGE_SIZE as u32 + 0x1000,
        code: (0x1000, 0x2000),
        exports: vec![("Exported".to_owned(), 0x1200)],
        ..Pe::default()
    };
    std::fs::write(folder.path().join("library.dll"), library.bytes()).unwrap();
    folder
}

/// The function `outer` has 0x1010 to 0x104f; `inner` is inlined at 0x1020 to 0x1027.
fn stacks() -> Vec<Vec<u64>> {
    // The second address is where the last instruction of `outer` returns to, after its end.
    vec![vec![MADE + 0x1022, MADE + 0x1050, LIBRARY + 0x1205, OTHER + 0x10, 0x1234], vec![MADE + 0x1050]]
}

#[test]
fn native_frames_have_names() {
    let folder = symbols(3);
    let named = Named::open(bytes(&images(), &stacks()), SearchPath::new().folder(folder.path()));
    let lines = named.json();
    let line = |number: u32| json!({"name": "Space::outer", "file": "a.cpp", "line": number});
    assert_eq!(
        lines[0]["frames"],
        json!(["made.exe!Space::outer", "made.exe!Space::outer", "library.dll!Exported", "other.dll+0x10", null])
    );
    let inner = json!({"name": "inner", "file": "b.h", "line": 101});
    let exported = json!([{"name": "Exported"}]);
    assert_eq!(lines[0]["functions"], json!([[inner, line(11)], [line(12)], exported, null, null]));
    assert_eq!(
        lines[1]["frames"],
        json!(["made.exe+0x1050"]),
        "the address of the instruction itself is after the end"
    );
    assert_eq!(lines[1].get("functions"), None);
    assert_eq!(
        named.folded(),
        [
            "0x1234;other.dll+0x10;library.dll!Exported;made.exe!Space::outer;made.exe!Space::outer;made.exe!inner 1",
            "made.exe+0x1050 1",
        ]
    );
    assert_eq!(
        named.modules(),
        [("made.exe".to_owned(), 3), ("library.dll".to_owned(), 1), ("other.dll".to_owned(), 1)]
    );
    let found: Vec<_> = named
        .names
        .sources()
        .iter()
        .map(|(module, source)| (module.file_name().to_owned(), source.provenance))
        .collect();
    let expected =
        [("made.exe", Provenance::Pdb), ("library.dll", Provenance::Export), ("other.dll", Provenance::None)];
    assert!(expected.iter().all(|(name, kind)| found.contains(&((*name).to_owned(), *kind))), "{found:?}");
}

#[test]
fn events_serialise_as_their_lines() {
    let folder = symbols(3);
    let named = Named::open(bytes(&images(), &stacks()), SearchPath::new().folder(folder.path()));
    let lines = named.json();
    let mut events = named.trace.events();
    let mut same = 0;
    while let Some(event) = events.next().unwrap() {
        let own = serde_json::to_value(event).unwrap();
        if own.get("stack").is_some() {
            assert_eq!(own, lines[same]);
            same += 1;
        }
    }
    assert_eq!(same, 2);
}

#[test]
fn another_age_is_used_with_a_warning() {
    let folder = symbols(4);
    let named = Named::open(bytes(&images(), &stacks()), SearchPath::new().folder(folder.path()));
    assert_eq!(named.json()[0]["frames"][0], "made.exe!Space::outer");
    let sources = named.names.sources();
    let warning = sources.iter().find(|(module, _)| module.file_name() == "made.exe").unwrap().1.warning;
    assert_eq!(warning.unwrap().to_string(), "the PDB file has age 4, the module age 3: names may be wrong");
}

/// A million frames at a thousand addresses, through the trace.
#[test]
fn a_million_frames_of_a_trace_cost_at_most_a_second() {
    let folder = symbols(3);
    let named = Named::open(bytes(&images(), &stacks()), SearchPath::new().folder(folder.path()));
    let system = named.trace.system();
    let mut events = named.trace.events();
    let mut when = None;
    while let Some(event) = events.next().unwrap() {
        when = event.time();
    }
    let when = when.unwrap();
    let begun = std::time::Instant::now();
    let (mut inlined, mut named) = (0, 0);
    for number in 0..1_000_000_u64 {
        let frame = system.frame_at(PID, MADE + 0x1000 + number % 1000, 0, when);
        let functions = system.functions_at(&frame);
        let is_inlined = |functions: &[Function]| functions.iter().any(|function| function.is_inlined);
        inlined += u32::from(functions.as_deref().is_some_and(is_inlined));
        named += u32::from(functions.is_some());
    }
    let took = begun.elapsed();
    // Of the function's 64 bytes, 8 are inlined; a public symbol has others.
    assert!(inlined == 8_000 && named >= 64_000, "{inlined} {named}");
    assert!(took.as_secs() < 1, "{took:?}");
}
