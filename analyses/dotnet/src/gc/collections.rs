//! Collections that are over, in few bytes.

use etwkit::FileTime;
use etwkit_analysis::PackedNumbers;

use super::collection::Collection;
use super::cpu::CollectionCpu;
use super::heap::HeapStats;
use super::history::HeapHistory;

/// Collections of which all events were there, in the order in which they were over.
#[derive(Clone, Debug, Default)]
pub(super) struct Collections {
    numbers: PackedNumbers,
    /// When each one began, and its place among the numbers.
    places: Vec<(FileTime, usize)>,
}

impl Collections {
    /// Adds a collection.
    pub(super) fn add(&mut self, gc: &Collection) {
        let numbers = &mut self.numbers;
        self.places.push((gc.start, numbers.end()));
        for number in [gc.number, gc.generation, gc.reason, gc.kind] {
            numbers.push(number.into());
        }
        let (stop, statistics) =
            (gc.stop.map(|stop| stop.0.wrapping_sub(gc.start.0).cast_unsigned()), gc.stats.is_some());
        numbers.push_options(&[stop, statistics.then_some(0), gc.history.is_some().then_some(0)]);
        numbers.push(gc.allocated);
        numbers.push_measure(Some(gc.pause));
        [gc.suspend, gc.since_last].into_iter().chain(gc.marks).for_each(|measure| numbers.push_measure(measure));
        gc.cpu.pack(numbers);
        gc.stats.iter().for_each(|stats| stats.pack(numbers));
        gc.history.iter().for_each(|history| history.pack(numbers));
    }

    /// Returns when each one began, with its place for [`Collections::get`].
    pub(super) fn places(&self) -> &[(FileTime, usize)] {
        &self.places
    }

    /// Returns what was stated of a collection.
    pub(super) fn get(&self, (start, place): (FileTime, usize)) -> Collection {
        let numbers = &mut self.numbers.read(place);
        let [number, generation, reason, kind] = [(); 4].map(|()| numbers.number() as u32);
        let [stop, statistics, history] = numbers.options();
        let stop = stop.map(|after| FileTime(start.0.wrapping_add(after.cast_signed())));
        let allocated = numbers.number();
        let pause = numbers.measure().unwrap_or(0.0);
        let (suspend, since_last) = (numbers.measure(), numbers.measure());
        let marks = [(); _].map(|()| numbers.measure());
        let cpu = CollectionCpu::unpack(numbers);
        let stats = statistics.map(|_| HeapStats::unpack(numbers));
        let history = history.map(|_| HeapHistory::unpack(numbers));
        Collection {
            number,
            generation,
            reason,
            kind,
            start,
            stop,
            pause,
            suspend,
            stats,
            history,
            allocated,
            marks,
            since_last,
            cpu,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cpu() -> impl Strategy<Value = CollectionCpu> {
        any::<(f64, Option<f64>)>().prop_map(|(collecting, since_last)| {
            let mut numbers = PackedNumbers::default();
            numbers.push_measure(Some(collecting));
            numbers.push_measure(since_last);
            CollectionCpu::unpack(&mut numbers.read(0))
        })
    }

    fn stats() -> impl Strategy<Value = HeapStats> {
        let sizes = any::<([Option<u64>; 5], [Option<u64>; 5])>();
        (sizes, any::<(Option<u64>, Option<u32>, Option<u32>)>()).prop_map(|((sizes, promoted), counts)| {
            let (for_finalizers, pinned_objects, handles) = counts;
            HeapStats { sizes, promoted, for_finalizers, pinned_objects, handles }
        })
    }

    fn history() -> impl Strategy<Value = HeapHistory> {
        any::<(bool, [u64; 25])>().prop_map(|(is_private, all)| {
            let mut numbers = PackedNumbers::default();
            numbers.push(is_private.into());
            for number in all {
                numbers.push(number);
            }
            HeapHistory::unpack(&mut numbers.read(0))
        })
    }

    prop_compose! {
        fn collection()(
            [number, generation, reason, kind] in any::<[u32; 4]>(),
            (start, stop) in any::<(i64, Option<i64>)>(),
            (pause, suspend, since_last) in any::<(f64, Option<f64>, Option<f64>)>(),
            (allocated, marks) in any::<(u64, [Option<f64>; 4])>(),
            (cpu, stats, history) in (cpu(), proptest::option::of(stats()), proptest::option::of(history())),
        ) -> Collection {
            let (start, stop) = (FileTime(start), stop.map(FileTime));
            Collection { number, generation, reason, kind, start, stop, pause, suspend, stats, history, allocated, marks, since_last, cpu }
        }
    }

    proptest! {
        #[test]
        fn collections_come_back(list in prop::collection::vec(collection(), 0..8)) {
            let mut collections = Collections::default();
            for gc in &list {
                collections.add(gc);
            }
            let found: Vec<Collection> = collections.places().iter().map(|place| collections.get(*place)).collect();
            prop_assert_eq!(found, list);
        }
    }
}
