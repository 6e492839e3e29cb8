//! SYSTEM, COMPACT and PERFINFO headers: events of the kernel logger (sections 5.2 to 5.4).

use super::common::{Common, common_setters};
use super::{Event, ExtendedItem, HeaderKind, PointerSize};
use crate::narrow::u8_of;
use crate::payload::Payload;

/// Builds a kernel event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemEvent {
    common: Common,
    kind: HeaderKind,
    hook: u16,
    version: u8,
    pebs_index: Option<u64>,
    counters: Vec<u64>,
}

impl SystemEvent {
    /// `SYSTEM_TRACE_HEADER`: ids, time, CPU times. `hook` = group * 256 + opcode.
    pub fn system(size: PointerSize, hook: u16) -> Self {
        Self::of(size.pick(HeaderKind::System32, HeaderKind::System64), hook)
    }

    /// COMPACT: as SYSTEM without CPU times.
    pub fn compact(size: PointerSize, hook: u16) -> Self {
        Self::of(size.pick(HeaderKind::Compact32, HeaderKind::Compact64), hook)
    }

    /// `PERFINFO_TRACE_HEADER`: time only.
    pub fn perfinfo(size: PointerSize, hook: u16) -> Self {
        Self::of(size.pick(HeaderKind::PerfInfo32, HeaderKind::PerfInfo64), hook)
    }

    fn of(kind: HeaderKind, hook: u16) -> Self {
        Self { common: Common::default(), kind, hook, version: 2, pebs_index: None, counters: Vec::new() }
    }

    common_setters!();

    /// Payload version, the low byte of the header's Version.
    #[must_use]
    pub fn version(mut self, version: u8) -> Self {
        self.version = version;
        self
    }

    /// A PEBS index after the header: flag bit 7 of the Version's high byte.
    #[must_use]
    pub fn pebs_index(mut self, index: u64) -> Self {
        self.pebs_index = Some(index);
        self
    }

    /// Up to 7 performance counter values after the header: flag bits 0-2 of the Version's high byte.
    ///
    /// # Panics
    /// If there are more than 7.
    #[must_use]
    pub fn counters(mut self, counters: &[u64]) -> Self {
        assert!(counters.len() <= 7, "three bits count the counters");
        self.counters = counters.to_vec();
        self
    }

    fn header(&self) -> Payload {
        let flags = u8_of(self.counters.len()) | if self.pebs_index.is_some() { 0x80 } else { 0 };
        let start = Payload::new().u8(self.version).u8(flags).u8(self.kind.type_byte()).u8(0xc0).u16(0).u16(self.hook);
        let fixed = self.fixed_rest(start);
        let with_pebs = self.pebs_index.into_iter().fold(fixed, Payload::u64);
        self.counters.iter().fold(with_pebs, |header, &counter| header.u64(counter))
    }

    fn fixed_rest(&self, start: Payload) -> Payload {
        let Common { time, pid, tid, kernel_time, user_time, .. } = self.common;
        match self.kind {
            HeaderKind::PerfInfo32 | HeaderKind::PerfInfo64 => start.i64(time),
            HeaderKind::Compact32 | HeaderKind::Compact64 => start.u32(tid).u32(pid).i64(time),
            _ => start.u32(tid).u32(pid).i64(time).u32(kernel_time).u32(user_time),
        }
    }

    fn derived_items(&self) -> Vec<ExtendedItem> {
        let pebs = self.pebs_index.map(ExtendedItem::pebs_index);
        let counters = (!self.counters.is_empty()).then(|| ExtendedItem::pmc_counters(&self.counters));
        pebs.into_iter().chain(counters).collect()
    }
}

impl From<SystemEvent> for Event {
    fn from(from: SystemEvent) -> Self {
        let has_ids = !matches!(from.kind, HeaderKind::PerfInfo32 | HeaderKind::PerfInfo64);
        Self {
            time: Some(from.common.time),
            pid: has_ids.then_some(from.common.pid),
            tid: has_ids.then_some(from.common.tid),
            hook: Some(from.hook),
            version: u16::from(from.version),
            opcode: from.hook.to_le_bytes()[0],
            derived_items: from.derived_items(),
            ..Self::empty(from.kind)
        }
        .seal(from.header(), &from.common.payload, 4)
    }
}
