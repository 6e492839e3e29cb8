//! Which frames the key of a stack stands for.

use hashbrown::HashMap;

use super::{MissingFrames, StackCaps};

/// Stands for a definition that was not kept.
const REFUSED: u32 = u32::MAX;

/// Definitions of keys over time. A key that was given up may be used again for other frames.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions {
    /// Tick of each definition and the number of an interned stack, or [`REFUSED`]; in order of time once frozen.
    pub(super) by_key: HashMap<u64, Vec<(i64, u32)>>,
    /// Definitions in all.
    pub(super) count: usize,
    refused: u64,
}

impl Definitions {
    /// Adds a definition: the number of an interned stack, or `None` if that was not kept.
    pub(super) fn add(&mut self, tick: i64, key: u64, stack: Option<u32>, caps: StackCaps) {
        let full = self.by_key.len() >= caps.stacks && !self.by_key.contains_key(&key);
        let number = stack.filter(|_| !full).unwrap_or(REFUSED);
        self.refused += u64::from(number == REFUSED);
        if full {
            return;
        }
        let definitions = self.by_key.entry(key).or_default();
        match definitions.last_mut() {
            Some(last) if last.1 == number => last.0 = tick,
            // One more a key is kept even so: it states that there were others.
            Some(_) if self.count >= caps.stacks => {
                self.refused += u64::from(number != REFUSED);
                match definitions.last_mut() {
                    Some(last) if last.1 == REFUSED => last.0 = tick,
                    _ => definitions.push((tick, REFUSED)),
                }
            }
            _ => {
                definitions.push((tick, number));
                self.count += 1;
            }
        }
    }

    /// Returns the number of the interned stack that a key stood for when it was used.
    pub(super) fn find(&self, key: u64, used: i64) -> Result<u32, MissingFrames> {
        // Where definitions of other keys were not kept, its own may be among them.
        let none = if self.refused > 0 { MissingFrames::TooMany } else { MissingFrames::NoDefinition };
        let definitions = self.by_key.get(&key).ok_or(none)?;
        // The first definition after the use: it comes when the key is made or given up.
        let after = definitions.partition_point(|(tick, _)| *tick < used);
        match definitions.get(after).or(definitions.last()) {
            Some((_, REFUSED)) => Err(MissingFrames::TooMany),
            Some((_, number)) => Ok(*number),
            None => Err(none),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// Returns the number of definitions that were not kept.
    pub(super) const fn refused(&self) -> u64 {
        self.refused
    }

    pub(super) fn freeze(&mut self) {
        self.by_key.values_mut().for_each(|definitions| definitions.sort_by_key(|(tick, _)| *tick));
    }
}
