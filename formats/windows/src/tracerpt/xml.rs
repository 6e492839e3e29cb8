//! Events as XML, in the shape of `tracerpt -of XML` (`docs/xml.md`).

use etwkit::FileTime;
use etwkit::decode::{Event, PendingEvent, PlacedFields};
use etwkit::error::Result;
use etwkit::event::RawEvent;
use etwkit::output::{LineFormat, LineSink, PerType};
use etwkit::render::Zone;
use etwkit::render::pen::Pen;
use etwkit::render::time::TimeCache;
use etwkit::trace::Trace;

use super::data::{self, DataColumns};
use super::rendering_info::{RenderingInfo, Words};
use super::system;
use crate::header::HeaderTimes;
use crate::names::{Aliases, OfSchema};

/// Writes a document of `<Event>` elements. Without [`LineSink::finish`] the document has no end.
pub type XmlEvents<'t, W> = LineSink<'t, TracerptXml, W>;

/// The XML of `tracerpt -of XML`.
#[derive(Clone, Debug)]
pub struct TracerptXml {
    aliases: Aliases,
    zone: Zone,
}

impl Default for TracerptXml {
    fn default() -> Self {
        Self { aliases: Aliases::kernel(), zone: Zone::default() }
    }
}

impl TracerptXml {
    /// Sets the zone for the times of events.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// Sets the names of classic events and fields; without, [`Aliases::kernel`].
    #[must_use]
    pub fn aliases(mut self, aliases: Aliases) -> Self {
        self.aliases = aliases;
        self
    }
}

/// State that a thread keeps between events.
#[derive(Debug)]
pub struct XmlState {
    texts: PerType<Texts>,
    header: HeaderState,
    pen: Pen,
}

/// What the headers of events need.
#[derive(Debug)]
struct HeaderState {
    time: TimeCache,
    times: HeaderTimes,
}

/// What is the same for nearly all events of a key.
#[derive(Debug)]
struct Texts {
    head: Vec<u8>,
    is_local_time: bool,
    tail: Vec<u8>,
    columns: OfSchema<DataColumns>,
    info: RenderingInfo,
}

impl Texts {
    fn new(event: &Event<'_>, aliases: &Aliases, known: Option<&Self>) -> Self {
        let alias = aliases.of(event.raw());
        let (head, tail) = (system::head(event), system::tail(event));
        let columns = DataColumns::of(event, alias, known.map(|known| &known.columns));
        let info = RenderingInfo::new(event, &Words::of(event, aliases));
        Self { head, is_local_time: event.is_local_time(), tail, columns, info }
    }

    /// Appends an event whose fields are all readable; nothing, and `false`, if it has no room.
    fn write(
        &self,
        pen: &mut Pen,
        fields: &PlacedFields<'_>,
        at: Option<FileTime>,
        state: &mut HeaderState,
        out: &mut Vec<u8>,
    ) -> bool {
        pen.begin();
        state.write(pen, fields.raw(), (at, self.is_local_time));
        pen.bytes(&self.tail);
        data::write(pen, fields, &self.columns);
        let end = self.info.write(pen, fields, &self.columns);
        pen.text().is_some_and(|text| {
            out.extend_from_slice(&self.head);
            out.extend_from_slice(text);
            out.extend_from_slice(end);
            true
        })
    }

    /// Appends any event.
    fn push(&self, out: &mut Vec<u8>, event: &Event<'_>, pen: &mut Pen, state: &mut HeaderState) {
        out.extend_from_slice(&self.head);
        pen.begin();
        state.write(pen, event.raw(), (event.time(), self.is_local_time));
        out.extend_from_slice(pen.text().unwrap_or_default());
        out.extend_from_slice(&self.tail);
        data::push(out, event, &self.columns);
        self.info.push(out, event, &self.columns);
    }
}

impl HeaderState {
    #[inline]
    fn write(&mut self, pen: &mut Pen, raw: &RawEvent<'_>, at: (Option<FileTime>, bool)) {
        system::write_middle(pen, raw, at, &mut self.time, &self.times);
    }
}

impl LineFormat for TracerptXml {
    type State = XmlState;

    fn state(&self, trace: &Trace) -> XmlState {
        let time = TimeCache::new(self.zone.clone()).nanoseconds();
        let header = HeaderState { time, times: HeaderTimes::new(trace) };
        XmlState { texts: PerType::default(), header, pen: Pen::default() }
    }

    fn head(&self, _: &Trace) -> Vec<u8> {
        b"<Events>\n".to_vec()
    }

    fn event(&self, state: &mut XmlState, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()> {
        let XmlState { texts, header, pen } = state;
        let texts = texts.of(event, |known| Texts::new(event, &self.aliases, known));
        let placed = if data::unterminated(event).is_some() { None } else { event.placed() };
        let is_written = placed.is_some_and(|fields| texts.write(pen, &fields, event.time(), header, out));
        if !is_written {
            texts.push(out, event, pen, header);
        }
        Ok(())
    }

    fn compiled(&self, state: &mut XmlState, pending: &mut PendingEvent<'_>, out: &mut Vec<u8>) -> bool {
        let XmlState { texts, header, pen } = state;
        let texts = texts.of_pending(pending, |event, known| Texts::new(event, &self.aliases, known));
        let (Some(texts), at) = (texts, pending.time()) else { return false };
        pending.placed().is_some_and(|fields| texts.write(pen, &fields, at, header, out))
    }

    fn tail(&self) -> Vec<u8> {
        b"</Events>\n".to_vec()
    }
}
