//! Running a trace and keeping its messages.

use std::ops::ControlFlow;
use std::path::PathBuf;

use etwkit::decode::{Event, Fit};
use etwkit::error::Result;
use etwkit::event::Kind;
use etwkit::input::Input;
use etwkit::output::JsonLines;
use etwkit::parser::Parsers;
use etwkit::render::write_message;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{RunOptions, Trace};
use etwkit_synth::{Buffer, Guid, LogfileHeader, TraceBuilder};
use etwkit_wpp::{ReferencedPdbs, Symbols, Wpp};

/// The message GUID of made traces.
pub(crate) const GUID: u128 = 0x2363c985_9b6e_3283_34a7_e8c27a60b889;

/// A WPP message as it came out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    pub(crate) number: u16,
    /// `None`: there is no definition.
    pub(crate) text: Option<String>,
    pub(crate) fit: Fit,
}

/// A trace after the first pass.
pub(crate) struct Run {
    pub(crate) trace: Trace,
    pub(crate) wanted: ReferencedPdbs,
}

impl Run {
    pub(crate) fn new(source: Input, symbols: Symbols) -> Self {
        let trace = Trace::open(source, Parsers::none().with(Wpp::new(symbols))).unwrap();
        let wanted = trace.finding::<ReferencedPdbs>().unwrap().clone();
        Self { trace, wanted }
    }

    /// Of made events, in one buffer.
    pub(crate) fn of(events: impl IntoIterator<Item = impl Into<etwkit_synth::Event>>, symbols: Symbols) -> Self {
        let header = LogfileHeader { buffer_size: 1 << 16, ..LogfileHeader::default() };
        let buffer = Buffer::on(3).events(events.into_iter().map(Into::into));
        let trace = TraceBuilder::new(header).buffer(buffer).build();
        Self::new(Input::bytes("made", trace.bytes), symbols)
    }

    pub(crate) fn messages(&self) -> Vec<Message> {
        let mut sink = Messages { trace: &self.trace, all: Vec::new() };
        self.trace.run(&options(), &mut sink).unwrap();
        sink.all
    }

    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        let mut sink = JsonLines::new(&self.trace, Vec::new());
        self.trace.run(&options(), &mut sink).unwrap();
        let text = String::from_utf8(sink.finish().unwrap()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn options() -> RunOptions {
    RunOptions::default().threads(1)
}

struct Messages<'c> {
    trace: &'c Trace,
    all: Vec<Message>,
}

struct MessageWorker<'c> {
    trace: &'c Trace,
    all: Vec<Message>,
}

impl<'c> Sink for Messages<'c> {
    type Worker = MessageWorker<'c>;

    fn worker(&self) -> MessageWorker<'c> {
        MessageWorker { trace: self.trace, all: Vec::new() }
    }

    fn accept(&mut self, mut batch: Vec<Message>) -> Result<ControlFlow<()>> {
        self.all.append(&mut batch);
        Ok(ControlFlow::Continue(()))
    }
}

impl Worker for MessageWorker<'_> {
    type Batch = Vec<Message>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        if event.raw().kind() != Kind::Wpp {
            return Ok(());
        }
        let clock = self.trace.clock(event.raw().place().file);
        let text = event.schema().and_then(|schema| schema.message()).map(|message| {
            let mut text = String::new();
            write_message(&mut text, message, event, clock);
            text
        });
        self.all.push(Message { number: event.raw().id(), text, fit: event.fit() });
        Ok(())
    }

    fn take(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.all)
    }
}

/// Symbols of a TMF text whose group line is added.
pub(crate) fn symbols(definitions: &str) -> Symbols {
    let mut symbols = Symbols::default();
    symbols.add_text(&with_group(definitions));
    symbols
}

/// Returns a TMF text of the made traces' GUID.
pub(crate) fn with_group(definitions: &str) -> String {
    format!("{} made // SRC=made.c MJ= MN=\n{definitions}", Guid::new(GUID))
}

/// Symbols of all files of a folder of the corpus.
pub(crate) fn folder(name: &str) -> Option<Symbols> {
    let mut symbols = Symbols::default();
    symbols.add_path(&corpus()?.join(name)).unwrap();
    assert_eq!(symbols.problems().count(), 0);
    Some(symbols)
}

/// Returns the WPP part of the corpus.
pub(crate) fn corpus() -> Option<PathBuf> {
    etwkit_corpus::path("wpp")
}

/// Returns a trace of the corpus.
pub(crate) fn trace(name: &str) -> Option<Input> {
    Some(Input::bytes(name, std::fs::read(corpus()?.join(name)).unwrap()))
}

/// Returns a path of this test's own.
pub(crate) fn temporary(name: &str) -> PathBuf {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let folder = std::env::temp_dir().join(format!(
        "etwkit-wpp-{}-{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    ));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}
