//! Exceptions that .NET throws.

use etwkit::decode::{Event, EventType};
use etwkit_analysis::guids::{DOT_NET_NATIVE, DOT_NET_RUNTIME};
use etwkit_analysis::{Interest, Need};

use super::{Reading, Weigher};
use crate::Unit;

const START: &[u16] = &[80];

const INTEREST: Interest = Interest {
    manifest: &[(DOT_NET_RUNTIME, START), (DOT_NET_NATIVE, START)],
    classic: &[],
    need: Need::Keywords("Microsoft-Windows-DotNETRuntime with the keywords Exception (0x8000) and Stack (0x40000000)"),
};

/// Exceptions that .NET throws (`Exception/Start`), with their types.
#[derive(Clone, Copy, Debug)]
pub struct Exceptions;

impl Weigher for Exceptions {
    fn title(&self) -> &'static str {
        "exceptions"
    }

    fn units(&self) -> &'static [Unit] {
        &[Unit::Samples]
    }

    fn need(&self) -> Need {
        INTEREST.need
    }

    fn reads(&self, event_type: &EventType) -> bool {
        INTEREST.has(event_type.key())
    }

    fn read(&self, event: &Event<'_>) -> Option<Reading> {
        let name = event.get::<&str>("ExceptionType").ok().filter(|name| !name.is_empty());
        Some(Reading { label: name.map(|name| format!("Throw {name}").into()), ..Reading::default() })
    }
}
