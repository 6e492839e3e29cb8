//! Events of an activity that are not spans.

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::event::EventTypeId;
use etwkit_kernel_analyses::ProcessKey;

use crate::span::SpanId;

/// An event that is not a span and happened within the activity that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Instant {
    pub(crate) time: FileTime,
    pub(crate) kind: EventTypeId,
    pub(crate) parent: Option<SpanId>,
    pub(crate) process: ProcessKey,
    pub(crate) tid: Option<u32>,
    pub(crate) activity: Option<Guid>,
}
