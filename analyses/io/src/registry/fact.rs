//! What an event states about an operation on the registry.

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit_analysis::guids::REGISTRY;
use etwkit_analysis::{Interest, Need};
use etwkit_kernel_analyses::{Name, NamedProcess};

use super::key_names::{Block, KeyNames};
use crate::derived::elapsed;
use etwkit_analysis::is_error;

pub(super) const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(REGISTRY, &[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 26, 27, 28, 29])],
    need: Need::KernelFlags("PROC_THREAD+REGISTRY"),
};

/// An operation on the registry.
#[derive(Clone, Debug)]
pub struct RegistryFact {
    pub(super) time: FileTime,
    pub(super) process: NamedProcess,
    pub(super) tid: Option<u32>,
    pub(super) kind: OperationKind,
    block: Option<Block>,
    /// Path below the key of the control block, or name of a value.
    name: Name,
    pub(super) status: Option<u32>,
    pub(super) elapsed: Option<f64>,
}

/// Kinds of operations, by their opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperationKind {
    Create,
    Open,
    Delete,
    Query,
    SetValue,
    DeleteValue,
    QueryValue,
    EnumerateKey,
    EnumerateValue,
    QueryMultipleValue,
    SetInformation,
    Flush,
    Virtualize,
    Close,
    SetSecurity,
    QuerySecurity,
}

/// The kinds, with their opcodes and names.
const KINDS: [(u8, OperationKind, &str); 16] = [
    (10, OperationKind::Create, "create"),
    (11, OperationKind::Open, "open"),
    (12, OperationKind::Delete, "delete"),
    (13, OperationKind::Query, "query"),
    (14, OperationKind::SetValue, "set_value"),
    (15, OperationKind::DeleteValue, "delete_value"),
    (16, OperationKind::QueryValue, "query_value"),
    (17, OperationKind::EnumerateKey, "enumerate_key"),
    (18, OperationKind::EnumerateValue, "enumerate_value"),
    (19, OperationKind::QueryMultipleValue, "query_multiple_value"),
    (20, OperationKind::SetInformation, "set_information"),
    (21, OperationKind::Flush, "flush"),
    (26, OperationKind::Virtualize, "virtualize"),
    (27, OperationKind::Close, "close"),
    (28, OperationKind::SetSecurity, "set_security"),
    (29, OperationKind::QuerySecurity, "query_security"),
];

impl OperationKind {
    pub(super) fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind, _)| *kind == self).map_or("", |(.., name)| name)
    }

    /// Returns whether the event names a value of the key, not a key below it.
    const fn names_value(self) -> bool {
        matches!(
            self,
            Self::SetValue | Self::DeleteValue | Self::QueryValue | Self::EnumerateValue | Self::QueryMultipleValue
        )
    }
}

impl RegistryFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let (_, kind, _) = KINDS.iter().find(|(opcode, ..)| *opcode == event.opcode())?;
        Some(Self {
            time: event.time()?,
            process: NamedProcess::of(event),
            tid: event.tid(),
            kind: *kind,
            block: Block::of(event),
            name: event.get::<String>("KeyName").ok().filter(|name| !name.is_empty()).map(Box::from),
            status: event.get::<u64>("Status").ok().map(|status| status as u32),
            elapsed: elapsed(event),
        })
    }

    pub(super) fn is_failure(&self) -> bool {
        self.status.is_some_and(is_error)
    }

    /// Returns the path of the key: that of its control block, and what the event names below it.
    pub(super) fn key(&self, names: &KeyNames) -> Name {
        let base = self.block.and_then(|block| names.at(block, self.time));
        match (base, self.name.as_deref().filter(|_| !self.kind.names_value())) {
            (Some(base), Some(below)) if !below.starts_with('\\') => Some(format!("{base}\\{below}").into()),
            (base, below) => below.or(base).map(Box::from),
        }
    }

    /// Returns the name of the value.
    pub(super) fn value(&self) -> Option<&str> {
        self.name.as_deref().filter(|_| self.kind.names_value())
    }
}
