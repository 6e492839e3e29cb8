//! Joins operations with their ends, and names their files.

use std::collections::HashMap;

use etwkit::FileTime;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Excess, KernelSessions, milliseconds};
use etwkit_kernel_analyses::Name;

use super::fact::{FileFact, INTEREST, Operation, OperationKind, Request, What};
use crate::limits::MOST_OPEN;
use etwkit_analysis::file_operation::End;
use etwkit_analysis::is_error;

/// An operation, with its end if the trace has it.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub(super) time: FileTime,
    pub(super) operation: Operation,
    end: Option<(FileTime, End)>,
    /// Whether the filter chooses the event of its begin.
    is_chosen: bool,
}

/// What is known between events.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    sessions: KernelSessions,
    open: HashMap<Request, Done>,
    /// Paths by machine and file object, as the events that open files have them.
    paths: HashMap<(u16, u64), Box<str>>,
    /// Operations, and paths, that have no room.
    excess: Excess,
}

impl State {
    pub(super) fn new(trace: &Trace) -> Result<Self> {
        Ok(Self { sessions: KernelSessions::of(INTEREST, trace)?, ..Self::default() })
    }

    /// Takes what an event states. Returns an operation that counts, if it ended or its end is not in the trace.
    pub(super) fn take(&mut self, fact: FileFact, is_chosen: bool) -> Option<Done> {
        let FileFact { machine, is_classic, time, request, what } = fact;
        if !self.sessions.count(machine, is_classic) {
            return None;
        }
        let done = match what {
            What::Ended(end) => {
                let mut done = self.open.remove(&request?)?;
                done.end = Some((time, end));
                Some(done)
            }
            What::Begun(mut operation) => {
                operation.file = self.path(&mut operation);
                let done = Done { time, operation, end: None, is_chosen };
                match request {
                    Some(request)
                        if self.open.contains_key(&request) || self.excess.admits(self.open.len(), MOST_OPEN) =>
                    {
                        self.open.insert(request, done)
                    }
                    _ => Some(done),
                }
            }
        };
        done.filter(|done| done.is_chosen)
    }

    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Takes the operations that count and whose ends are not in the trace, in order of time.
    pub(super) fn take_open(&mut self) -> Vec<Done> {
        let mut open: Vec<(Request, Done)> = self.open.drain().filter(|(_, done)| done.is_chosen).collect();
        open.sort_by_key(|(request, done)| (done.time, *request));
        open.into_iter().map(|(_, done)| done).collect()
    }

    /// Returns the path of an operation's file: that of the event, else that with which its object was opened.
    fn path(&mut self, operation: &mut Operation) -> Name {
        let object = (operation.process.key.machine, operation.object?);
        let own = operation.file.take();
        if operation.kind != OperationKind::Create {
            return own.or_else(|| self.paths.get(&object).cloned());
        }
        match &own {
            Some(path) if self.paths.contains_key(&object) || self.excess.admits(self.paths.len(), MOST_OPEN) => {
                self.paths.insert(object, path.clone());
            }
            _ => {
                self.paths.remove(&object);
            }
        }
        own
    }
}

impl Done {
    /// Returns the milliseconds that it took. Waiting for changes of a folder is not work, and has none.
    pub(super) fn elapsed(&self) -> Option<f64> {
        let (end, _) = self.end.filter(|_| self.operation.kind != OperationKind::DirNotify)?;
        Some(milliseconds(self.time, end))
    }

    /// Returns the bytes that were read or written; those that were asked for, if the end is not in the trace. `None`
    /// of other operations.
    pub(super) fn bytes(&self) -> Option<u64> {
        let has_bytes = matches!(self.operation.kind, OperationKind::Read | OperationKind::Write);
        has_bytes.then(|| match self.end {
            Some((_, end)) if is_error(end.status) => 0,
            Some((_, end)) => end.information,
            None => self.operation.bytes,
        })
    }

    /// Returns the status; `None` if the end is not in the trace.
    pub(super) fn status(&self) -> Option<u32> {
        self.end.map(|(_, end)| end.status)
    }

    pub(super) fn is_failure(&self) -> bool {
        self.status().is_some_and(is_error)
    }
}
