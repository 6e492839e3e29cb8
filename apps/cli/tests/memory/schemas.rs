//! Schemas that a trace brings.

use std::fs::File;
use std::time::Duration;

use etwkit_synth::schema::manifest_events;
use etwkit_synth::{Guid, LogfileHeader, ModernEvent, TraceBuilder};

use crate::Cost;
use crate::common::Folder;

const SOURCE: Guid = Guid::new(0x6d3c_1e52_0a1f_4f0e_9d3a_55aa_2b90_1108);
const NAME: &str = "lie.etl";

/// Files that are larger than any of their kind: their size is refused before they are read. They take no room on the
/// disk.
#[test]
fn files_of_schemas_and_symbols_of_three_gigabytes() {
    let folder = Folder::with(&["hello.etl"]);
    let of_kinds: [(&str, &[&str]); 2] =
        [("--schemas", &["schema", "man", "mof", "dll"]), ("--symbols", &["tmf", "pdb"])];
    for (option, kinds) in of_kinds {
        for kind in kinds {
            let name = format!("large.{kind}");
            File::create(folder.path().join(&name)).unwrap().set_len(3 << 30).unwrap();
            let cost = Cost::of(&folder, &["dump", "hello.etl", option, &name], "hello.etl");
            assert!(cost.errors.contains(&name) && cost.took < Duration::from_secs(10), "{cost:#?}");
            assert!(!cost.errors.contains("memory allocation"), "{cost:#?}");
            assert_eq!(cost.code, Some(2), "{cost:#?}");
        }
    }
}

/// Many events that share one template of many fields.
#[test]
fn a_template_that_many_events_share() {
    let fields = (0..4_000).map(|n| format!("<data name=\"f{n}\" inType=\"win:UInt8\"/>")).collect::<Vec<_>>().concat();
    let ids = 1..5_000_u16;
    let event = |id| format!("<event value=\"{id}\" version=\"0\" level=\"win:Informational\" template=\"T\"/>");
    let events = ids.clone().map(event).collect::<String>();
    let manifest = format!(
        "<instrumentationManifest xmlns=\"http://schemas.microsoft.com/win/2004/08/events\"><instrumentation><events>\
         <provider name=\"Lie\" guid=\"{{{SOURCE}}}\" symbol=\"Lie\"><events>{events}</events>\
         <templates><template tid=\"T\">{fields}</template></templates></provider></events></instrumentation>\
         </instrumentationManifest>"
    );
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let chunks = manifest_events(SOURCE, &manifest, 0xf000).into_iter();
    let chunks = chunks.map(|chunk| chunk.at(header.after(1)).by(400, 8));
    let events = ids.map(|id| ModernEvent::new(SOURCE).id(id).at(header.after(10)).by(400, 8));
    let trace = chunks.chain(events).fold(TraceBuilder::new(header.clone()), |trace, event| trace.log(0, event));
    let folder = Folder::with(&[]);
    folder.write(NAME, &trace.build().bytes);
    for command in [&["info", NAME][..], &["dump", NAME], &["dump", "-f", "csv", NAME]] {
        Cost::of(&folder, command, NAME).check();
    }
}
