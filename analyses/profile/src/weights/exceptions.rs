//! Exceptions that .NET throws.

use etwkit::bytes::Guid;
use etwkit::decode::{Event, EventType};
use etwkit_analysis::{Interest, Need};

use super::{Reading, Weigher};
use crate::Unit;

const RUNTIME: Guid = Guid::from_u128(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4);
const NATIVE: Guid = Guid::from_u128(0x47c3ba0c_77f1_4eb0_8d4d_aef447f16a85);
const START: &[u16] = &[80];

const INTEREST: Interest = Interest {
    manifest: &[(RUNTIME, START), (NATIVE, START)],
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
