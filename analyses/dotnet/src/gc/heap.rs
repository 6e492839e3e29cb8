//! What the runtime states about the heap after a collection.

use etwkit::decode::Event;
use etwkit_analysis::{NumberReader, PackedNumbers};

/// Generations: three, large objects, pinned objects. Versions before 5 of the runtime have no heap of pinned objects.
pub(super) const GENERATIONS: usize = 5;
/// The place of the pinned objects.
pub(super) const PINNED_OBJECTS: usize = 4;
const SIZES: [&str; GENERATIONS] =
    ["GenerationSize0", "GenerationSize1", "GenerationSize2", "GenerationSize3", "GenerationSize4"];
const PROMOTED: [&str; GENERATIONS] =
    ["TotalPromotedSize0", "TotalPromotedSize1", "TotalPromotedSize2", "TotalPromotedSize3", "TotalPromotedSize4"];

/// What `GC/HeapStats` states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HeapStats {
    /// Bytes of each generation after the collection.
    pub(super) sizes: [Option<u64>; GENERATIONS],
    /// Bytes of each generation that survived it.
    pub(super) promoted: [Option<u64>; GENERATIONS],
    /// Bytes that are kept for finalizers.
    pub(super) for_finalizers: Option<u64>,
    pub(super) pinned_objects: Option<u32>,
    pub(super) handles: Option<u32>,
}

impl HeapStats {
    pub(super) fn of(event: &Event<'_>) -> Self {
        let all = |names: [&str; GENERATIONS]| names.map(|name| event.get(name).ok());
        Self {
            sizes: all(SIZES),
            promoted: all(PROMOTED),
            for_finalizers: event.get("FinalizationPromotedSize").ok(),
            pinned_objects: event.get("PinnedObjectCount").ok(),
            handles: event.get("GCHandleCount").ok(),
        }
    }

    pub(super) fn pack(&self, numbers: &mut PackedNumbers) {
        numbers.push_options(&self.sizes);
        numbers.push_options(&self.promoted);
        let counts = [self.pinned_objects, self.handles].map(|count| count.map(u64::from));
        numbers.push_options(&[self.for_finalizers, counts[0], counts[1]]);
    }

    pub(super) fn unpack(numbers: &mut NumberReader<'_>) -> Self {
        let (sizes, promoted) = (numbers.options(), numbers.options());
        let [for_finalizers, pinned_objects, handles] = numbers.options();
        let [pinned_objects, handles] = [pinned_objects, handles].map(|count| count.map(|count| count as u32));
        Self { sizes, promoted, for_finalizers, pinned_objects, handles }
    }

    /// Returns the bytes of all generations.
    pub(super) fn size(&self) -> u64 {
        sum(&self.sizes)
    }

    /// Returns the bytes of all generations that survived.
    pub(super) fn promoted(&self) -> u64 {
        sum(&self.promoted)
    }
}

fn sum(numbers: &[Option<u64>; GENERATIONS]) -> u64 {
    numbers.iter().flatten().copied().fold(0, u64::wrapping_add)
}
