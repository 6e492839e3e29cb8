//! What an event states about exceptions.

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::guids::{DOT_NET_NATIVE, DOT_NET_RUNTIME};
use etwkit_analysis::{Interest, Need};

use crate::origin::Origin;

const IDS: &[u16] = &[80];
const EVENTS: &[(Guid, &[u16])] = &[(DOT_NET_RUNTIME, IDS), (DOT_NET_NATIVE, IDS)];

pub(super) const INTEREST: Interest = Interest {
    manifest: EVENTS,
    classic: &[],
    need: Need::Keywords("Microsoft-Windows-DotNETRuntime with the keyword Exception (0x8000), level 2"),
};

/// Of the flags: it is thrown once more.
const THROWN_AGAIN: u16 = 4;

/// An exception that was thrown.
#[derive(Clone, Debug)]
pub struct ExceptionFact {
    pub(crate) origin: Origin,
    pub(super) kind: Box<str>,
    pub(super) message: Box<str>,
    pub(super) hresult: Option<u32>,
    pub(super) flags: u16,
}

impl ExceptionFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let text = |name: &str| event.get::<String>(name).unwrap_or_default().into();
        Some(Self {
            origin: Origin::of(event)?,
            kind: text("ExceptionType"),
            message: text("ExceptionMessage"),
            hresult: event.get("ExceptionHRESULT").ok(),
            flags: event.get("ExceptionFlags").unwrap_or(0),
        })
    }

    pub(super) const fn is_thrown_again(&self) -> bool {
        self.flags & THROWN_AGAIN != 0
    }
}
