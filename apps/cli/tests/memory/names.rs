//! Long names.

use etwkit_synth::schema::manifest_events;
use etwkit_synth::{Guid, LogfileHeader, ModernEvent, TraceBuilder};

use crate::Cost;
use crate::common::Folder;

const SOURCE: Guid = Guid::new(0x6d3c_1e52_0a1f_4f0e_9d3a_55aa_2b90_1109);
const NAME: &str = "long.etl";

/// A trace whose provider, task, opcode and keyword have long names.
fn folder(long: usize) -> Folder {
    let name = |letter: &str| letter.repeat(long);
    let manifest = format!(
        "<instrumentationManifest xmlns=\"http://schemas.microsoft.com/win/2004/08/events\"><instrumentation><events>\
         <provider name=\"{}\" guid=\"{{{SOURCE}}}\" symbol=\"Lie\"><tasks><task name=\"{}\" value=\"7\"/></tasks>\
         <keywords><keyword name=\"{}\" mask=\"0x1\"/></keywords><events>\
         <event value=\"1\" version=\"0\" level=\"win:Informational\" task=\"{}\" keywords=\"{}\"/></events></provider>\
         </events></instrumentation></instrumentationManifest>",
        name("P"),
        name("T"),
        name("K"),
        name("T"),
        name("K"),
    );
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let chunks = manifest_events(SOURCE, &manifest, 0xf000).into_iter();
    let chunks = chunks.map(|chunk| chunk.at(header.after(1)).by(400, 8));
    let event = |n: i64| ModernEvent::new(SOURCE).id(1).task(7).keyword(1).at(header.after(10 + n)).by(400, 8);
    let trace = chunks.chain((0..2_000).map(event));
    let trace = trace.fold(TraceBuilder::new(header.clone()), |trace, event| trace.log(0, event));
    let folder = Folder::with(&[]);
    folder.write(NAME, &trace.build().bytes);
    folder
}

#[test]
fn a_long_name_of_the_provider_of_many_events() {
    let folder = folder(60_000);
    for format in ["jsonl", "xml", "csv", "text", "tracerpt-csv"] {
        let cost = Cost::of(&folder, &["dump", "-f", format, NAME], NAME);
        cost.check();
    }
    let cost = Cost::of(&folder, &["info", NAME], NAME);
    assert!(cost.text.contains("2 schemas have names that are too long"), "{cost:?}");
}
