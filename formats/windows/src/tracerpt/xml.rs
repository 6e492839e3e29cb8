//! Events as XML, in the shape of `tracerpt -of XML` (`docs/xml.md`).

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::output::{LineFormat, LineSink, PerType};
use etwkit::render::Zone;
use etwkit::render::pen::GrowingPen;
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

/// What one thread keeps between events.
#[derive(Debug)]
pub struct XmlState {
    texts: PerType<Texts>,
    time: TimeCache,
    times: HeaderTimes,
    pen: GrowingPen,
}

/// The end of an event.
const END: &[u8; 9] = b"</Event>\n";

/// What is the same for nearly all events of a key.
#[derive(Debug)]
struct Texts {
    head: Vec<u8>,
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
        Self { head, tail, columns, info }
    }
}

impl LineFormat for TracerptXml {
    type State = XmlState;

    fn state(&self, trace: &Trace) -> XmlState {
        let time = TimeCache::new(self.zone.clone()).nanoseconds();
        XmlState { texts: PerType::default(), time, times: HeaderTimes::new(trace), pen: GrowingPen::default() }
    }

    fn head(&self, _: &Trace) -> Vec<u8> {
        b"<Events>\n".to_vec()
    }

    fn event(&self, state: &mut XmlState, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()> {
        let XmlState { texts, time, times, pen } = state;
        let texts = texts.of(event, |known| Texts::new(event, &self.aliases, known));
        let fields = event.placed();
        pen.begin();
        pen.bytes(&texts.head);
        system::write_middle(pen, event, time, times);
        pen.bytes(&texts.tail);
        data::write(pen, event, &texts.columns, fields.as_ref());
        texts.info.write(pen, event, &texts.columns, fields.as_ref());
        pen.block(END, END.len());
        out.extend_from_slice(pen.text().unwrap_or_default());
        Ok(())
    }

    fn tail(&self) -> Vec<u8> {
        b"</Events>\n".to_vec()
    }
}
