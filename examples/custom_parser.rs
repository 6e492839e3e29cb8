//! Two ways to decode events that nobody else knows: a schema as text, and a parser of one's own.
//!
//! `cargo run --example custom_parser [FILE]`

use std::io::Write;

use etwkit::bytes::Guid;
use etwkit::event::RawEvent;
use etwkit::input::Input;
use etwkit::parser::{Claims, Parser, Parsers, TraceFacts};
use etwkit::render::value::{self, ValueContext};
use etwkit::schema::{Encoding, Field, Len, Names, Scalar, Schema, Wire};
use etwkit::tables::UserTables;
use etwkit::trace::{Filter, Trace};

/// The provider of the fixture `many-processors.etl`, which is registered nowhere.
const PLAIN: Guid = Guid::from_u128(0x5e7a_1000_0001_4b1d_9c0d_e7a5_1d0c_0001);

/// The same layout as a text, which could be a file of its own (`etwkit dump --schemas FILE.schema` reads it too).
const TEXT: &str = r#"
provider "Synth.Plain" {5e7a1000-0001-4b1d-9c0d-e7a51d0c0001}
event id 100 version 1 task "Plain" {
  Number  u32
  Text    utf16
}
"#;

/// Knows one event of one provider.
#[derive(Debug)]
struct PlainParser;

impl Parser for PlainParser {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn claims(&self) -> Claims<'_> {
        Claims::Providers(&[PLAIN])
    }

    /// Asked once for each kind of event, not for each event: what it returns is run by the engine.
    fn schema(&self, event: &RawEvent<'_>, _trace: &TraceFacts) -> etwkit::Result<Option<Schema>> {
        if (event.id(), event.version()) != (100, 1) {
            return Ok(None);
        }
        let names = Names { provider: Some("Synth.Plain".into()), task: Some("Plain".into()), ..Names::default() };
        let mut schema = Schema::builder(etwkit::schema::SchemaSource::User.into()).names(names);
        schema.field(Field::new("Number", Wire::Scalar(Scalar::U32)));
        schema.field(Field::new("Text", Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }));
        schema.build().map(Some)
    }
}

/// Writes the first events to `out`, as `parsers` decode them.
fn list(file: &str, parsers: Parsers, out: &mut impl Write) -> etwkit::Result<()> {
    let trace = Trace::open(Input::open(file)?, parsers)?;
    let mut events = trace.select(&Filter { ids: vec![100], ..Filter::default() });
    let mut left = 3;
    while let Some(event) = events.next()?.filter(|_| left > 0) {
        left -= 1;
        for view in event.fields() {
            let context = ValueContext { field: view.field, map: view.map(), clock: None };
            let text = view.value().map_or_else(String::new, |value| value::to_string(value, context));
            write!(out, "{}={text} ", view.field.name)?;
        }
        writeln!(out, "({:?})", event.fit())?;
    }
    Ok(())
}

/// Decodes the trace in both ways.
pub fn run(file: &str, out: &mut impl Write) -> etwkit::Result<()> {
    writeln!(out, "by a schema text:")?;
    // `with_first` asks it before all others, so that it can correct them.
    list(file, etwkit_parsers::standard().with_first(UserTables::parse(TEXT)?), out)?;
    writeln!(out, "by a parser:")?;
    list(file, etwkit_parsers::standard().with(PlainParser), out)
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/many-processors.etl");
    run(&std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()), &mut std::io::stdout().lock())
}
