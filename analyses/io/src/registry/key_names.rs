//! Paths of keys by the addresses of their control blocks.

use std::collections::HashMap;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::{Filter, Glob, Trace};
use etwkit_analysis::{Excess, shared_name};

use crate::limits::MOST_OPEN;

/// The events that name a control block. Those of rundowns, and of its end, hold from the beginning of the trace unless
/// an earlier one has another name.
const NAMED_BY: [&str; 4] =
    ["Registry/KCBCreate", "Registry/KCBDelete", "Registry/KCBRundownBegin", "Registry/KCBRundownEnd"];
const CREATE: u8 = 22;

/// The control block of a key: the machine, and its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Block(u16, u64);

impl Block {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        Some(Self(event.system().machine.number, event.get("KeyHandle").ok()?))
    }
}

/// Paths of keys over time: the kernel uses addresses of control blocks again.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyNames {
    by_block: HashMap<Block, Vec<(FileTime, Box<str>)>>,
    excess: Excess,
}

impl KeyNames {
    /// Reads the names of a trace, whatever the filter.
    pub(super) fn of(trace: &Trace) -> Result<Self> {
        let mut found = Self::default();
        let mut names = 0;
        let mut events = trace.select(&Filter::default().names(NAMED_BY.map(Glob::new)));
        while let Some(event) = events.next()? {
            if found.excess.admits(names, MOST_OPEN) {
                names += usize::from(found.add(&event).is_some());
            }
        }
        Ok(found)
    }

    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Returns the path of the key with a control block at a time.
    pub(super) fn at(&self, block: Block, time: FileTime) -> Option<&str> {
        let names = self.by_block.get(&block)?;
        let before = names.partition_point(|(since, _)| *since <= time).checked_sub(1)?;
        names.get(before).map(|(_, name)| &**name)
    }

    fn add(&mut self, event: &Event<'_>) -> Option<()> {
        let (block, name) = (Block::of(event)?, event.get::<String>("KeyName").ok().filter(|name| !name.is_empty())?);
        let name = shared_name(&name);
        let names = self.by_block.entry(block).or_default();
        let since = if event.opcode() == CREATE { event.time()? } else { FileTime(i64::MIN) };
        let is_new = names.last().is_none_or(|(before, known)| *before < since && *known != name);
        is_new.then(|| names.push((since, name)))
    }
}
