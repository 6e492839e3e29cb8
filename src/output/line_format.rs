//! The trait of line formats.

use crate::decode::{Event, PendingEvent};
use crate::error::Result;
use crate::trace::Trace;

/// How events become text. A new output format is one type that implements this; [`super::LineSink`] does the rest:
/// threads, order, buffers and the writer.
///
/// | of an event | from |
/// |---|---|
/// | header | [`Event::time`], [`Event::provider`], [`Event::name`]; any member by name: [`HeaderField`] |
/// | text of a time | [`TimeCache`] |
/// | fields | [`Event::fields`]; those with [`DisplayFormat::Hidden`] are not shown |
/// | text of a field | [`FieldView::visit`], which enters structs and arrays; [`value::push`] for each value |
/// | bytes that no field has | [`Event::remainder`]: the whole payload if there is no schema |
///
/// [`FieldView::visit`]: crate::decode::FieldView::visit
/// [`HeaderField`]: crate::select::HeaderField
/// [`DisplayFormat::Hidden`]: crate::schema::DisplayFormat::Hidden
/// [`TimeCache`]: crate::render::time::TimeCache
/// [`value::push`]: crate::render::value::push
///
/// All threads share the format, so it contains options only. What a thread keeps from one event to the next is its
/// [`LineFormat::State`].
///
/// ```
/// use etwkit::decode::Event;
/// use etwkit::output::{LineFormat, LineSink};
/// use etwkit::trace::{RunOptions, Trace};
///
/// /// The provider and the event's id, with a blank between them.
/// #[derive(Default)]
/// struct Ids;
///
/// impl LineFormat for Ids {
///     type State = ();
///
///     fn state(&self, _: &Trace) {}
///
///     fn event(&self, (): &mut (), event: &Event<'_>, out: &mut Vec<u8>) -> etwkit::Result<()> {
///         out.extend_from_slice(format!("{} {}\n", event.provider(), event.id()).as_bytes());
///         Ok(())
///     }
/// }
///
/// # fn main() -> etwkit::Result<()> {
/// # let input = etwkit::input::Input::open(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hello.etl"))?;
/// let trace = Trace::open(input, etwkit::parser::Parsers::none())?;
/// let mut sink = LineSink::<Ids, _>::new(&trace, Vec::new());
/// trace.run(&RunOptions::default(), &mut sink)?;
/// let text = sink.finish()?;
/// # assert!(text.ends_with(b"\n"));
/// # Ok(())
/// # }
/// ```
pub trait LineFormat: Send + Sync {
    /// The state of one thread between events: prepared texts ([`super::PerType`]), buffers that are used again.
    type State: Send;

    /// Returns the state of one more thread.
    fn state(&self, trace: &Trace) -> Self::State;

    /// Returns the text before the first event, whether or not an event comes.
    fn head(&self, _: &Trace) -> Vec<u8> {
        Vec::new()
    }

    /// Appends one event with its line feed, or nothing.
    fn event(&self, state: &mut Self::State, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()>;

    /// Appends one event whose fields have not been located, if the format has compiled its type and the payload is as
    /// the type's schema states, or the type has none. Returns false, and appends nothing, for all others.
    #[inline]
    fn compiled(&self, _: &mut Self::State, _: &mut PendingEvent<'_>, _: &mut Vec<u8>) -> bool {
        false
    }

    /// Returns the text after the last event.
    fn tail(&self) -> Vec<u8> {
        Vec::new()
    }
}
