//! What an event states about spans.

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::event::{EventTypeId, Kind};
use etwkit_kernel_analyses::ProcessKey;

use crate::family::FamilyId;
use crate::roles::{Role, Rule, TASK, TypeRoles};
use crate::stem::Side;

/// What an event states about spans.
#[derive(Clone, Debug)]
pub struct SpanFact {
    pub(crate) time: Option<FileTime>,
    pub(crate) what: What,
    pub(crate) activity: Option<Guid>,
    pub(crate) related: Option<Guid>,
    pub(crate) process: ProcessKey,
    pub(crate) name: Option<Box<str>>,
    pub(crate) tid: Option<u32>,
}

/// What an event is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// The start or the stop of a span.
    Side { side: Side, family: FamilyId, key: Match, version: Option<Version> },
    /// A task was scheduled.
    Scheduled { task: u64 },
    /// Another event.
    Other { kind: EventTypeId },
}

/// Id and version of a manifest's event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) id: u16,
    pub(crate) version: u8,
}

/// By what a stop finds its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// By the activity id, or without one by the thread.
    Usual,
    /// By the number within the process.
    Number(u64),
    /// By the number of a task within the process.
    Task(u64),
    /// By thread and number.
    ThreadAndNumber(u64),
}

impl Version {
    fn of(event: &Event<'_>) -> Option<Self> {
        let key = event.raw().key();
        (key.kind == Kind::Manifest).then_some(Self { id: key.id, version: key.version })
    }
}

impl SpanFact {
    /// Reads an event.
    pub(crate) fn read(event: &Event<'_>, own: &TypeRoles, others: Option<EventTypeId>, facts: &mut Vec<Self>) {
        let opcode = event.raw().opcode();
        let before = facts.len();
        for role in &own.roles {
            if let Some(side) = role.side(opcode) {
                let (key, version) = (key(event, role), Version::of(event));
                facts.push(Self::of(event, What::Side { side, family: role.family, key, version }));
            }
        }
        if own.schedules {
            let task = event.get::<u64>(TASK).ok();
            facts.extend(task.map(|task| Self::of(event, What::Scheduled { task })));
        }
        if facts.len() == before {
            facts.extend(others.map(|kind| Self::of(event, What::Other { kind })));
        }
    }

    fn of(event: &Event<'_>, what: What) -> Self {
        let known = |id: Option<Guid>| id.filter(|id| !id.is_null());
        Self {
            time: event.time(),
            what,
            activity: known(event.raw().activity_id()),
            related: known(event.raw().related_activity_id()),
            process: ProcessKey::of(event),
            name: event.process_name().map(Box::from),
            tid: event.tid(),
        }
    }
}

/// By what an event is matched: without the field that its rule names, as usual.
fn key(event: &Event<'_>, role: &Role) -> Match {
    let number = |field| event.get::<u64>(field).ok();
    match role.rule {
        Rule::Usual => None,
        Rule::Number(field) => number(field).map(Match::Number),
        Rule::Task => number(TASK).map(Match::Task),
        Rule::ThreadAndNumber(field) => number(field).map(Match::ThreadAndNumber),
    }
    .unwrap_or(Match::Usual)
}
