//! The process and thread of an event whose header does not have them.

/// Fields with the process and thread that an event is about.
///
/// Kernel events are often written by another thread than the one they describe, or have no ids in their header; the
/// payload has them. `TraceEvent` calls this the header fix-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Subject {
    /// Place of the field with the process id.
    pub process: Option<u16>,
    /// Place of the field with the thread id.
    pub thread: Option<u16>,
    /// The event is about no thread: the one in its header, if any, only wrote it.
    pub no_thread: bool,
}
