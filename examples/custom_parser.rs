//! Three ways to decode events that nobody else knows: a schema as text, a provider of schemas, and a parser that also
//! observes the events.
//!
//! `cargo run --example custom_parser [FILE]`

use std::collections::BTreeSet;
use std::io::Write;

use etwkit::bytes::Guid;
use etwkit::event::RawEvent;
use etwkit::input::Input;
use etwkit::parser::{Claims, Finding, FirstPass, Observer, Parser, Parsers, SchemaProvider, TraceFacts};
use etwkit::render::value::{self, ValueContext};
use etwkit::schema::{Encoding, Field, Len, Names, Scalar, Schema, SchemaSource, Wire};
use etwkit::system::System;
use etwkit::trace::{Filter, Trace};
use etwkit_parsers::UserSchemas;

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

/// Knows one event of one provider. A provider of schemas that is `Clone` is a parser: each trace gets a clone.
#[derive(Clone, Debug)]
struct Plain;

impl SchemaProvider for Plain {
    fn name(&self) -> &str {
        "plain"
    }

    fn claims(&self) -> Claims {
        Claims::provider(PLAIN)
    }

    /// Asked once for each kind of event, not for each event: what it returns is run by the engine.
    fn schema(&self, event: &RawEvent<'_>, _trace: &TraceFacts) -> etwkit::Result<Option<Schema>> {
        let names = Names { provider: Some("Synth.Plain".into()), task: Some("Plain".into()), ..Names::default() };
        let mut schema = Schema::builder(SchemaSource::USER.into()).names(names);
        schema.field(Field::new("Number", Wire::Scalar(Scalar::U32)));
        schema.field(Field::new("Text", Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }));
        if event.id() == 100 { schema.build().map(Some) } else { Ok(None) }
    }
}

/// The same schemas, and an observer that looks at every event while the schemas are made.
#[derive(Debug)]
struct PlainWithThreads;

impl Parser for PlainWithThreads {
    fn name(&self) -> &str {
        "plain-with-threads"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_provider(Plain);
        pass.add_observer(Threads::default());
    }
}

/// The threads that write the events.
#[derive(Debug, Default)]
struct Threads(BTreeSet<u32>);

impl Observer for Threads {
    fn interest(&self) -> Claims {
        Claims::provider(PLAIN)
    }

    /// Facts that all programs know, such as the names of processes, go to the [`System`].
    fn observe(&mut self, event: &RawEvent<'_>, _: &mut System) -> etwkit::Result<()> {
        self.0.extend(event.tid());
        Ok(())
    }

    /// All else is handed to the trace, which returns it by its type.
    fn finish(self: Box<Self>) -> Option<Finding> {
        Some(self)
    }
}

/// Writes the first events to `out`, as `parsers` decode them.
fn list(file: &str, parsers: Parsers, out: &mut impl Write) -> etwkit::Result<()> {
    let trace = Trace::open(Input::open(file)?, parsers)?;
    if let Some(Threads(threads)) = trace.finding() {
        writeln!(out, "{} threads wrote them", threads.len())?;
    }
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

/// Decodes the trace in all three ways.
pub fn run(file: &str, out: &mut impl Write) -> etwkit::Result<()> {
    writeln!(out, "by a schema text:")?;
    // `with_first` asks it before all others, so that it can correct them.
    list(file, etwkit_parsers::standard().with_first(UserSchemas::parse(TEXT)?), out)?;
    writeln!(out, "by a provider:")?;
    list(file, etwkit_parsers::standard().with(Plain), out)?;
    writeln!(out, "by a parser that also observes:")?;
    list(file, etwkit_parsers::standard().with(PlainWithThreads), out)
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/many-processors.etl");
    run(&std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()), &mut std::io::stdout().lock())
}
