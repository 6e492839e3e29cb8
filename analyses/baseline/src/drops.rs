//! Events that TraceEvent leaves out.

use std::collections::HashMap;

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::event::Kind;

/// Fields and masks whose bits keep an event.
type Unless = Vec<(Box<str>, u64)>;

/// The list of `views/dropped.list`.
#[derive(Debug)]
pub(crate) struct Drops {
    list: HashMap<(bool, Guid, u16), Unless>,
}

impl Drops {
    pub(crate) fn built_in() -> Self {
        let lines = include_str!("../views/dropped.list").lines();
        Self { list: lines.filter(|line| !line.starts_with('#')).filter_map(entry).collect() }
    }

    /// Returns whether the event is left out.
    pub(crate) fn holds(&self, event: &Event<'_>) -> bool {
        let key = event.raw().key();
        let place = match key.kind {
            Kind::Classic => (true, key.provider, u16::from(key.opcode)),
            Kind::Manifest => (false, key.provider, key.id),
            _ => return false,
        };
        let Some(unless) = self.list.get(&place) else { return false };
        let value = |name: &str| event.field(name)?.value()?.as_u64();
        !unless.iter().any(|(name, mask)| value(name).unwrap_or(0) & mask != 0)
    }
}

fn entry(line: &str) -> Option<((bool, Guid, u16), Unless)> {
    let mut words = line.split_whitespace();
    let classic = words.next()? == "opcode";
    let number = words.next()?.parse().ok()?;
    let guid = words.next()?.parse().ok()?;
    let mut unless = Unless::new();
    while let (Some(name), Some(mask)) = (words.next(), words.next()) {
        unless.push((name.into(), u64::from_str_radix(mask.strip_prefix("0x")?, 16).ok()?));
    }
    Some(((classic, guid, number), unless))
}
