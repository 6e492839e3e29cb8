//! Events that nobody else knows, by a schema written as text: `cargo run --example custom_parser [FILE]`.

use etwkit::parser::{FirstPass, Parser, SchemaTables};
use etwkit::{Guid, Trace};

/// A schema file may hold the same text (`etwkit dump --schemas FILE.schema` reads it).
static TABLES: SchemaTables = SchemaTables::built_in(
    "plain",
    &[Guid::from_u128(0x5e7a_1000_0001_4b1d_9c0d_e7a5_1d0c_0001)],
    &["provider \"Synth.Plain\" {5e7a1000-0001-4b1d-9c0d-e7a51d0c0001}\n\
       event id 100 version 1 task \"Plain\" {\n Number u32\n Text utf16\n}"],
);

#[derive(Debug)]
struct Plain;

impl Parser for Plain {
    fn name(&self) -> &str {
        "plain"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_provider(&TABLES);
    }
}

/// Writes the number and the text of each event to `out`.
pub fn run(file: &str, out: &mut impl std::io::Write) -> etwkit::Result<()> {
    let trace = Trace::open(file, etwkit_parsers::standard().with(Plain))?;
    for event in trace.into_events().filter(|event| event.as_ref().is_ok_and(|event| event.name() == "Plain")) {
        let event = event?;
        writeln!(out, "{}: {}", event.get::<u32>("Number")?, event.get::<&str>("Text")?)?;
    }
    Ok(())
}

fn main() -> etwkit::Result<()> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "fixtures/many-processors.etl".to_owned());
    run(&file, &mut std::io::stdout().lock())
}
