//! Events as XML, in the shape of `tracerpt -of XML` (`docs/xml.md`).

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::decode::Event;
use crate::error::Result;
use crate::output::headed::Headed;
use crate::output::prepared::Prepared;
use crate::sink::{Sink, Worker};
use crate::trace::Trace;

use super::data::{self, Columns};
use super::info::{Info, Words};
use super::names::{Aliases, OfFields};
use super::system;
use crate::render::time::TimeCache;
use crate::render::zone::Zone;

/// Writes a document of `<Event>` elements. [`XmlEvents::finish`] ends it.
#[derive(Debug)]
pub struct XmlEvents<'c, W> {
    trace: &'c Trace,
    aliases: Arc<Aliases>,
    zone: Zone,
    writer: Headed<W>,
}

impl<'c, W: Write> XmlEvents<'c, W> {
    /// Writes to `writer`, which should not buffer: text comes in large batches.
    pub fn new(trace: &'c Trace, writer: W) -> Self {
        Self { trace, aliases: Arc::default(), zone: Zone::default(), writer: Headed::new(writer, *b"<Events>\n") }
    }

    /// With times of events in a zone.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// With Windows' own names of classic events and fields.
    #[must_use]
    pub fn aliases(mut self, aliases: Aliases) -> Self {
        self.aliases = Arc::new(aliases);
        self
    }

    /// Ends the document and hands over the writer. Without it, or after an error, the document is not whole.
    pub fn finish(mut self) -> Result<W> {
        self.writer.write(b"</Events>\n")?;
        self.writer.finish()
    }
}

impl<'c, W: Write> Sink for XmlEvents<'c, W> {
    type Worker = XmlWorker<'c>;

    fn worker(&self) -> XmlWorker<'c> {
        let (out, prepared) = <_>::default();
        let time = TimeCache::new(self.zone.clone()).nanoseconds();
        XmlWorker { trace: self.trace, aliases: Arc::clone(&self.aliases), out, prepared, time }
    }

    fn accept(&mut self, batch: Vec<u8>) -> Result<ControlFlow<()>> {
        self.writer.write(&batch)?;
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes the elements of one thread.
#[derive(Debug)]
pub struct XmlWorker<'c> {
    trace: &'c Trace,
    aliases: Arc<Aliases>,
    out: Vec<u8>,
    prepared: Prepared<Texts>,
    time: TimeCache,
}

/// What is the same for nearly all events of a key.
#[derive(Debug)]
struct Texts {
    head: Vec<u8>,
    tail: Vec<u8>,
    columns: OfFields<Columns>,
    info: Info,
}

impl Texts {
    fn new(trace: &Trace, event: &Event<'_>, aliases: &Aliases, known: Option<&Self>) -> Self {
        let alias = aliases.of(&event.raw);
        Self {
            head: system::head(trace, event),
            tail: system::tail(event),
            columns: Columns::of(event, alias, known.map(|known| &known.columns)),
            info: Info::new(event, &Words::of(trace, event, aliases)),
        }
    }
}

impl Worker for XmlWorker<'_> {
    type Batch = Vec<u8>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let raw = &event.raw;
        let (trace, aliases) = (self.trace, &self.aliases);
        let prepared = self.prepared.of(event, |known| Texts::new(trace, event, aliases, known));
        let out = &mut self.out;
        out.extend_from_slice(&prepared.head);
        system::push_middle(out, trace, event, &mut self.time);
        out.extend_from_slice(&prepared.tail);
        let clock = trace.clock(raw.place().file);
        data::push(out, event, &prepared.columns, clock);
        prepared.info.push(out, event, clock);
        out.extend_from_slice(b"</Event>\n");
        Ok(())
    }

    fn take(&mut self) -> Vec<u8> {
        let capacity = self.out.capacity().min(8 << 20);
        std::mem::replace(&mut self.out, Vec::with_capacity(capacity))
    }
}
