//! What the first pass counts of each event.

use crate::event::{Header, RawEvent};
use crate::format::{CPU_CONFIG_HOOK, HeaderType, counters_len, event_flags};

use super::recent_types::ShortKey;

/// What the first pass needs of a header, found in one go: a header is looked at for each event of a trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glance {
    pub(super) key: Option<ShortKey>,
    /// Hook of a kernel event.
    pub(crate) hook: Option<u16>,
    /// Bytes of the payload.
    pub(crate) payload: usize,
    /// Whether it may have extended items, a processor of its own, or what is known of the computer.
    pub(crate) is_rare: bool,
}

impl Glance {
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `census`")]
    #[inline(always)]
    pub(crate) fn of(event: &RawEvent<'_>) -> Self {
        let len = event.bytes().len();
        let plain = |key, header: HeaderType| {
            let payload = len.saturating_sub(header.fixed_len());
            Self { key: Some(key), hook: None, payload, is_rare: false }
        };
        let kernel = |hook: u16, version: u16, header: HeaderType| {
            let (pebs, counters) = counters_len(version);
            let payload = len.saturating_sub(header.fixed_len() + pebs + counters);
            let key = Some(ShortKey::of_hook(hook, version));
            Self { key, hook: Some(hook), payload, is_rare: hook == CPU_CONFIG_HOOK }
        };
        match event.header() {
            Header::System(h) => kernel(h.hook.get(), h.version.get(), HeaderType::System64),
            Header::Compact(h) => kernel(h.hook.get(), h.version.get(), HeaderType::Compact64),
            Header::PerfInfo(h) => kernel(h.hook.get(), h.version.get(), HeaderType::PerfInfo64),
            Header::Event(h) if h.flags.get() & (event_flags::EXTENDED_INFO | event_flags::STRING_ONLY) == 0 => {
                plain(ShortKey::of_event(h), HeaderType::Event64)
            }
            Header::Classic(h) => plain(ShortKey::of_class(h), HeaderType::Classic64),
            _ => Self::longer(event),
        }
    }

    #[inline(never)]
    fn longer(event: &RawEvent<'_>) -> Self {
        Self { key: ShortKey::of(event), hook: None, payload: event.payload().len(), is_rare: true }
    }
}
