//! A run of the engine that makes tapes.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::decode::{Event, Fit, PendingEvent};
use etwkit::output::{JsonFormat, JsonLines, LineWorker};
use etwkit::sink::{Sink, Worker};
use etwkit::trace::Trace;

use crate::heads::Heads;
use crate::keys::{Keys, OwnKeys};
use crate::lines::{self, BadLine};
use crate::shapes::NO_SHAPE;
use crate::tape::{Tape, Token};

/// Hands tapes to a function, which may end the run.
pub(crate) struct TapeSink<'t, F> {
    lines: JsonLines<'t, io::Sink>,
    keys: Arc<Keys>,
    fields: Option<Arc<[String]>>,
    take: F,
}

impl<'t, F: FnMut(Tape) -> ControlFlow<()>> TapeSink<'t, F> {
    /// With `fields`, events have these members alone: parts of the header, or fields of the payload.
    pub(crate) fn new(trace: &'t Trace, keys: Arc<Keys>, fields: Option<Arc<[String]>>, take: F) -> Self {
        Self { lines: JsonLines::new(trace, io::sink()), keys, fields, take }
    }
}

impl<F: FnMut(Tape) -> ControlFlow<()>> Sink for TapeSink<'_, F> {
    type Worker = TapeWorker;

    fn worker(&self) -> TapeWorker {
        let keys = OwnKeys::new(Arc::clone(&self.keys));
        TapeWorker { lines: self.lines.worker(), keys, heads: Heads::default(), fields: self.fields.clone() }
    }

    fn accept(&mut self, tape: Result<Tape, BadLine>) -> etwkit::Result<ControlFlow<()>> {
        Ok((self.take)(tape.map_err(etwkit::Error::caller)?))
    }
}

/// What works on one thread: JSON lines are what the engine writes fastest.
pub(crate) struct TapeWorker {
    lines: LineWorker<JsonFormat>,
    keys: OwnKeys,
    heads: Heads,
    fields: Option<Arc<[String]>>,
}

impl Worker for TapeWorker {
    type Batch = Result<Tape, BadLine>;

    #[inline]
    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        self.lines.event(event)
    }

    #[inline]
    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> etwkit::Result<Option<Fit>> {
        self.lines.pending(pending)
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.lines.is_full()
    }

    #[inline]
    fn is_overfull(&self) -> bool {
        self.lines.is_full()
    }

    fn take(&mut self) -> Self::Batch {
        // What the engine writes is UTF-8.
        let lines = String::from_utf8(self.lines.take());
        let lines = lines.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let mut tape = lines::read(lines, &mut self.keys, &mut self.heads)?;
        Ok(match &self.fields {
            Some(fields) => chosen(&mut tape, fields, &mut self.keys),
            None => tape,
        })
    }
}

/// Returns the events with these members alone; null where an event has none of the name.
fn chosen(tape: &mut Tape, fields: &[String], keys: &mut OwnKeys) -> Tape {
    let mut out = tape.emptied();
    let inner = keys.number("fields");
    let names: Vec<u32> = fields.iter().map(|name| keys.number(name)).collect();
    for place in tape.events.iter().map(|place| *place as usize) {
        let start = out.tokens.len();
        out.events.push(start as u32);
        out.tokens.push(Token::Object(0, NO_SHAPE));
        for key in names.iter().copied() {
            out.tokens.push(Token::Key(key));
            let of = |key: u32, place: usize| tape.members(place).find(|(found, _)| *found == key).map(|(_, at)| at);
            let in_header = of(key, place);
            match in_header.or_else(|| of(inner, place).and_then(|payload| of(key, payload))) {
                Some(at) => out.copy(tape, at),
                None => out.tokens.push(Token::Null),
            }
        }
        out.close(start);
        keys.set_shape(&mut out, start, true);
    }
    out
}
