//! Hands the events of a trace to handlers, one for each kind of event.

use std::fmt;
use std::ops::ControlFlow;

use crate::decode::Event;
use crate::error::Result;
use crate::event::EventTypeId;
use crate::trace::{EventType, Filter, Glob, Trace};

use super::{EventId, TypedEvent};

/// Calls a handler for each event that has one, with the event and its view.
///
/// ```no_run
/// # use etwkit::Guid;
/// # use etwkit::typed::EventId;
/// # etwkit::typed_events! { pub struct ProcessStart = "Process/Start" [EventId::classic(Guid::NULL, 1)];
/// # { process_id: u64 = "ProcessID"; } }
/// # fn example(trace: &etwkit::Trace) -> etwkit::Result<()> {
/// use etwkit::typed::Dispatcher;
///
/// let mut started = 0;
/// Dispatcher::new()
///     .on::<ProcessStart>(|event, process| {
///         started += 1;
///         println!("{:?}: {:?}", event.time(), process.process_id());
///     })
///     .run(trace)?;
/// # Ok(()) }
/// ```
///
/// A handler may borrow what is around it for as long as `'h`. Handlers that change the same variable need a
/// [`Cell`](std::cell::Cell) or [`RefCell`](std::cell::RefCell).
#[derive(Default)]
pub struct Dispatcher<'h> {
    handlers: Vec<Handler<'h>>,
}

struct Handler<'h> {
    ids: &'static [EventId],
    call: Box<Call<'h>>,
}

type Call<'h> = dyn FnMut(&Event<'_>) -> Result<ControlFlow<()>> + 'h;

impl<'h> Dispatcher<'h> {
    /// Makes a dispatcher without handlers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a handler for the events `E`. Several handlers of an event are called in the order in which they were
    /// added.
    #[must_use]
    pub fn on<E: TypedEvent + 'h>(self, mut handler: impl for<'a> FnMut(&'a Event<'a>, E::View<'a>) + 'h) -> Self {
        self.try_on::<E>(move |event, view| {
            handler(event, view);
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Adds a handler for the events `E` that can end the run: [`ControlFlow::Break`] ends it, an error ends it and is
    /// returned.
    #[must_use]
    pub fn try_on<E: TypedEvent + 'h>(
        mut self,
        mut handler: impl for<'a> FnMut(&'a Event<'a>, E::View<'a>) -> Result<ControlFlow<()>> + 'h,
    ) -> Self {
        let call = move |event: &Event<'_>| match E::view(event) {
            Some(view) => handler(event, view),
            None => Ok(ControlFlow::Continue(())),
        };
        self.handlers.push(Handler { ids: E::IDS, call: Box::new(call) });
        self
    }

    /// Hands all events of a trace that have a handler to it, in the order of their times. Other events are not
    /// decoded.
    pub fn run(&mut self, trace: &Trace) -> Result<()> {
        let routes = self.routes(trace);
        let Some(filter) = handled(trace, &routes) else { return Ok(()) };
        let mut events = trace.select(&filter);
        while let Some(event) = events.next()? {
            if self.dispatch(&event, &routes)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn dispatch(&mut self, event: &Event<'_>, routes: &[Box<[usize]>]) -> Result<ControlFlow<()>> {
        let route = event.type_id().and_then(|EventTypeId(key)| routes.get(key as usize));
        for number in route.into_iter().flatten() {
            let Some(handler) = self.handlers.get_mut(*number) else { continue };
            if (handler.call)(event)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the handlers for each type of a trace, by its place in the table of types.
    fn routes(&self, trace: &Trace) -> Vec<Box<[usize]>> {
        let route = |row: &EventType| {
            let is_for = |handler: &Handler<'_>| handler.ids.iter().any(|id| id.is_of_key(row.key()));
            (0..).zip(&self.handlers).filter(|(_, handler)| is_for(handler)).map(|(number, _)| number).collect()
        };
        trace.types().iter().map(route).collect()
    }
}

/// Returns a filter that passes the events with handlers, and others of the same names; `None` if the trace has none of
/// them.
fn handled(trace: &Trace, routes: &[Box<[usize]>]) -> Option<Filter> {
    let with_handlers =
        trace.types().iter().zip(routes).filter(|(row, route)| !route.is_empty() && row.schema().is_some());
    let names: Vec<Glob> = with_handlers.map(|(row, _)| Glob::new(row.name().unwrap_or_default())).collect();
    (!names.is_empty()).then(|| Filter { names, ..Filter::default() })
}

impl fmt::Debug for Dispatcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.handlers.iter().map(|handler| handler.ids)).finish()
    }
}
