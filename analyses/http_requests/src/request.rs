//! The rows that an analysis returns.

use std::sync::Arc;

use etwkit::FileId;
use etwkit::FileTime;
use etwkit::bytes::Guid;

/// A request, as far as the trace describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// Its activity id. If no event carries the second half of the id, that half is zero. All is zero for a line of an
    /// IIS log that names no request.
    pub activity: Guid,
    /// Time of its first event; of a line of an IIS log that names no request, the time at which the request began.
    pub first: FileTime,
    /// Time of its last event.
    pub last: FileTime,
    /// Indexes of the files in the trace that its events are from, in the order of the events.
    pub files: Vec<FileId>,
    /// Address and port of the client, as the server prints them; a log has no port.
    pub client: Option<String>,
    /// `GET`, `POST` and so on.
    pub verb: Option<String>,
    /// The URL; in a log, path and query.
    pub url: Option<String>,
    /// The status of the response; IIS adds its substatus: `404.13`.
    pub status: Option<String>,
    /// What the last of its events of level Error or Critical states, or the Win32 status of a log by its name.
    pub error: Option<String>,
    /// Its events in the order of the trace, at most [`MAX_STAGES_EACH`](crate::limits::MAX_STAGES_EACH).
    pub stages: Vec<Stage>,
    /// The number of events that are not in `stages`.
    pub more_stages: u64,
}

/// An event of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stage {
    /// What happened: the opcode's name, or the beginning of the text of iisnode. Equal names share their memory.
    pub name: Arc<str>,
    /// When.
    pub time: FileTime,
}

/// The requests of a trace, and what is in none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Requests {
    /// The requests, by the time of their first event.
    pub rows: Vec<Request>,
    /// Events of HTTP.sys, IIS or iisnode that pass the filter and name no activity; lines of logs need none.
    pub without_activity: u64,
    /// Events whose time is not known.
    pub without_time: u64,
    /// Events of requests beyond [`MAX_REQUESTS`](crate::limits::MAX_REQUESTS), and events whose texts are beyond
    /// [`MAX_TEXT`](crate::limits::MAX_TEXT).
    pub beyond_limit: u64,
    /// Activities that are not requests: connections, configuration.
    pub other_activities: u64,
}

impl Request {
    pub(crate) const fn new(activity: Guid, first: FileTime) -> Self {
        Self {
            activity,
            first,
            last: first,
            files: Vec::new(),
            client: None,
            verb: None,
            url: None,
            status: None,
            error: None,
            stages: Vec::new(),
            more_stages: 0,
        }
    }
}
