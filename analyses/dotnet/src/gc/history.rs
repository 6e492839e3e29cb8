//! What the runtime states about the generations of each heap before and after a collection.

use etwkit::decode::{Event, Value, Visitor};
use etwkit::schema::Field;
use etwkit_analysis::{NumberReader, PackedNumbers, per_cent};

use super::heap::{GENERATIONS, PINNED_OBJECTS};

/// What is stated about a generation, summed over the heaps. All are bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Generation {
    size_before: u64,
    free_before: u64,
    size_after: u64,
    free_after: u64,
    survived: u64,
}

/// What `GC/PerHeapHistory` states, summed over the heaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HeapHistory {
    generations: [Generation; GENERATIONS],
    /// Whether the runtime's private provider wrote it: that of .NET Framework before 4.6.
    is_private: bool,
}

impl Generation {
    const fn numbers(&self) -> [u64; 5] {
        [self.size_before, self.free_before, self.size_after, self.free_after, self.survived]
    }

    const fn of_numbers([size_before, free_before, size_after, free_after, survived]: [u64; 5]) -> Self {
        Self { size_before, free_before, size_after, free_after, survived }
    }

    /// Returns what survived as a share of the objects before the collection, in per cent; `None` if there were none.
    fn survival_percent(&self) -> Option<f64> {
        per_cent(self.survived, self.size_before.saturating_sub(self.free_before))
    }

    /// Returns the free bytes as a share of its size after the collection, in per cent; `None` if it is empty.
    fn fragmentation_percent(&self) -> Option<f64> {
        per_cent(self.free_after, self.size_after)
    }

    fn add(&mut self, other: &Self) {
        let add = |sum: &mut u64, number: u64| *sum = sum.saturating_add(number);
        add(&mut self.size_before, other.size_before);
        add(&mut self.free_before, other.free_before);
        add(&mut self.size_after, other.size_after);
        add(&mut self.free_after, other.free_after);
        add(&mut self.survived, other.survived);
    }

    fn number(&mut self, name: &str) -> Option<&mut u64> {
        Some(match name {
            "SizeBefore" => &mut self.size_before,
            "SizeAfter" => &mut self.size_after,
            "Out" | "PinnedSurv" | "NonePinnedSurv" => &mut self.survived,
            "FreeListBefore" | "FreeObjBefore" => &mut self.free_before,
            "FreeListAfter" | "FreeObjAfter" => &mut self.free_after,
            _ => return None,
        })
    }
}

impl HeapHistory {
    /// Reads that of one heap. Version 0 (.NET 4.0) has other numbers, whose meaning is not documented. Before versions
    /// that state how many generations follow, a fifth one repeats generation 0: its second pass.
    pub(super) fn of(event: &Event<'_>, is_private: bool) -> Option<Self> {
        let mut reader = Reader::default();
        event.field("Values")?.visit(&mut reader);
        if event.field("Count").is_none() {
            reader.generations[PINNED_OBJECTS] = Generation::default();
        }
        reader.has_free.then_some(Self { generations: reader.generations, is_private })
    }

    pub(super) fn pack(&self, numbers: &mut PackedNumbers) {
        numbers.push(u64::from(self.is_private));
        self.generations.iter().flat_map(Generation::numbers).for_each(|number| numbers.push(number));
    }

    pub(super) fn unpack(numbers: &mut NumberReader<'_>) -> Self {
        let is_private = numbers.number() != 0;
        let generations = [(); GENERATIONS].map(|()| Generation::of_numbers([(); 5].map(|()| numbers.number())));
        Self { generations, is_private }
    }

    /// Adds another heap. A runtime that writes both providers does not count twice.
    pub(super) fn add(&mut self, other: &Self) {
        if self.is_private == other.is_private {
            self.generations.iter_mut().zip(&other.generations).for_each(|(sum, generation)| sum.add(generation));
        }
    }

    /// Returns the bytes of all generations before the collection.
    pub(super) fn size_before(&self) -> u64 {
        self.generations.iter().map(|generation| generation.size_before).fold(0, u64::saturating_add)
    }

    /// Returns what survived of each generation, in per cent; `None` of those that a collection up to generation
    /// `condemned` does not collect. Large and pinned objects belong to generation 2.
    pub(super) fn survival_percent(&self, condemned: u32) -> [Option<f64>; GENERATIONS] {
        let mut oldest = 0..;
        self.generations.map(|generation| {
            let is_collected = oldest.next().is_some_and(|own: u32| own.min(2) <= condemned);
            generation.survival_percent().filter(|_| is_collected)
        })
    }

    /// Returns how fragmented each generation is after the collection, in per cent.
    pub(super) fn fragmentation_percent(&self) -> [Option<f64>; GENERATIONS] {
        self.generations.map(|generation| generation.fragmentation_percent())
    }
}

/// Reads an array of generations.
#[derive(Default)]
struct Reader {
    generations: [Generation; GENERATIONS],
    /// Generations that have begun.
    begun: usize,
    has_free: bool,
}

impl Visitor for Reader {
    fn begin_struct(&mut self, _: usize, _: &Field) {
        self.begun += 1;
    }

    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        let (Value::Pointer(number, _) | Value::Unsigned(number, _)) = value else { return };
        self.has_free |= &*field.name == "FreeListBefore";
        let generation = self.begun.checked_sub(1).and_then(|place| self.generations.get_mut(place));
        if let Some(sum) = generation.and_then(|generation| generation.number(&field.name)) {
            *sum = sum.saturating_add(number);
        }
    }
}
