//! The requests of one process.

use std::collections::HashMap;

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::{Excess, Interest, Need};

use crate::origin::{Origin, milliseconds};
use crate::processes::{Bounded, MOST};

/// The class `AspNetReq` of the provider `AspNetTrace`.
const REQUEST: Guid = Guid::from_u128(0x06a01367_79d3_4594_8eb3_c721603c4679);
const OPCODES: &[u8] = &[1, 2, 3, 4, 8, 9, 18, 19];

pub(super) const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(REQUEST, OPCODES)],
    need: Need::Keywords("AspNetTrace {aff081fe-0247-4275-9c4e-021f3dc1da35}, level 5"),
};

/// The contents of an event, and the process that wrote it.
#[derive(Clone, Debug)]
pub struct AspNetFact {
    pub(crate) origin: Origin,
    context: Guid,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Start { method: Box<str>, path: Box<str>, query: Box<str> },
    Stop,
    Queued,
    Dequeued,
    HandlerStart { pair: Pair, name: Box<str> },
    HandlerStop { pair: Pair },
}

/// Two pairs of events state the begin and the end of a handler: one may be within the other.
#[derive(Clone, Copy, Debug)]
enum Pair {
    /// `StartHandler` and `EndHandler`.
    Handler,
    /// `HttpHandlerEnter` and `HttpHandlerLeave`.
    HttpHandler,
}

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) context: Guid,
    pub(super) tid: u32,
    pub(super) method: Box<str>,
    pub(super) path: Box<str>,
    pub(super) query: Box<str>,
    pub(super) start: Option<FileTime>,
    pub(super) stop: Option<FileTime>,
    queued: Option<FileTime>,
    /// Milliseconds in the queue.
    pub(super) queue: Option<f64>,
    /// When the outermost handler began, and how many of each [`Pair`] are open.
    handled: Option<FileTime>,
    open_handlers: [u32; 2],
    pub(super) handler_name: Option<Box<str>>,
    /// Milliseconds in handlers.
    pub(super) handler: Option<f64>,
    /// When it was mentioned first.
    pub(super) seen: FileTime,
    /// Whether the filter chooses that event.
    is_chosen: bool,
}

impl Request {
    fn new(context: Guid, origin: &Origin, is_chosen: bool) -> Self {
        let (method, path, query, start, stop, queued, queue, handled, handler_name, handler) = <_>::default();
        let (tid, seen) = (origin.tid, origin.time);
        Self {
            context,
            tid,
            method,
            path,
            query,
            start,
            stop,
            queued,
            queue,
            handled,
            open_handlers: [0; 2],
            handler_name,
            handler,
            seen,
            is_chosen,
        }
    }

    fn enter_handler(&mut self, pair: Pair, time: FileTime) {
        self.handled = self.handled.or(Some(time));
        if let Some(open) = self.open_handlers.get_mut(pair as usize) {
            *open = open.saturating_add(1);
        }
    }

    /// Adds the time of the outermost handler, if it is the one that ends.
    fn leave_handler(&mut self, pair: Pair, time: FileTime) {
        if let Some(open) = self.open_handlers.get_mut(pair as usize) {
            *open = open.saturating_sub(1);
        }
        if self.open_handlers == [0; 2]
            && let Some(start) = self.handled.take()
        {
            *self.handler.get_or_insert(0.0) += milliseconds(start, time);
        }
    }

    /// Returns the milliseconds from start to stop.
    pub(super) fn total(&self) -> Option<f64> {
        Some(milliseconds(self.start?, self.stop?))
    }
}

/// The requests of one process, by the number of their context, which is one of each request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    list: Vec<Request>,
    open: HashMap<Guid, usize>,
    excess: Excess,
}

impl AspNetFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let text = |name: &str| event.get::<String>(name).unwrap_or_default().into();
        let what = match event.raw().opcode() {
            1 => What::Start { method: text("Method"), path: text("Path"), query: text("QueryString") },
            2 => What::Stop,
            3 => What::Queued,
            4 => What::Dequeued,
            8 => What::HandlerStart { pair: Pair::Handler, name: text("HandlerName") },
            9 => What::HandlerStop { pair: Pair::Handler },
            18 => What::HandlerStart { pair: Pair::HttpHandler, name: "".into() },
            _ => What::HandlerStop { pair: Pair::HttpHandler },
        };
        Some(Self { origin: Origin::of(event)?, context: event.get("ContextId").ok()?, what })
    }
}

impl Bounded for Requests {
    fn excess(&self) -> u64 {
        self.excess.count()
    }
}

impl Requests {
    /// Returns the requests that count.
    pub(super) fn into_counted(self) -> impl Iterator<Item = Request> {
        self.list.into_iter().filter(|request| request.is_chosen)
    }

    pub(super) fn take(&mut self, fact: AspNetFact, is_chosen: bool) {
        let time = fact.origin.time;
        let is_stop = matches!(fact.what, What::Stop);
        let context = fact.context;
        let Some(request) = self.request(context, &fact.origin, is_chosen) else { return };
        let since = |start: Option<FileTime>| start.map(|start| milliseconds(start, time));
        match fact.what {
            What::Start { method, path, query } => {
                (request.start, request.tid) = (Some(time), fact.origin.tid);
                (request.method, request.path, request.query) = (method, path, query);
            }
            What::Stop => request.stop = Some(time),
            What::Queued => request.queued = Some(time),
            What::Dequeued => request.queue = since(request.queued.take()).or(request.queue),
            What::HandlerStart { pair, name } => {
                request.enter_handler(pair, time);
                request.handler_name = request.handler_name.take().or(Some(name).filter(|name| !name.is_empty()));
            }
            What::HandlerStop { pair } => request.leave_handler(pair, time),
        }
        if is_stop {
            self.open.remove(&context);
        }
    }

    /// Returns the request of a context; `None` if there are more than are kept.
    fn request(&mut self, context: Guid, origin: &Origin, is_chosen: bool) -> Option<&mut Request> {
        let next = self.list.len();
        let place = match self.open.get(&context) {
            Some(place) => *place,
            None if !self.excess.admits(next, MOST) => return None,
            None => {
                self.open.insert(context, next);
                self.list.push(Request::new(context, origin, is_chosen));
                next
            }
        };
        self.list.get_mut(place)
    }
}
