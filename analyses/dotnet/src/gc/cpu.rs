//! CPU time of collections, by samples.

use std::collections::HashSet;

use etwkit_analysis::{Excess, NumberReader, PackedNumbers};

/// CPU time of a process and of the threads that collect.
#[derive(Clone, Debug, Default)]
pub(super) struct Cpu {
    /// Milliseconds of all samples of the process.
    all: f64,
    /// Those of samples that count.
    pub(super) counted: f64,
    /// Those of these that are of threads that collected.
    pub(super) collecting: f64,
    /// Those of all samples until the last collection ended.
    until_last: f64,
    /// Threads that marked for a collection that they did not suspend for: those of a server's heaps, and that of
    /// background collections.
    collectors: HashSet<u32>,
    excess: Excess,
}

/// CPU time of a collection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CollectionCpu {
    /// Milliseconds of samples of the threads that collected, until it ended.
    pub(super) collecting: f64,
    /// Those of the process until the collection before ended.
    until_last: f64,
    /// Those of the process since then; known when it ended.
    since_last: Option<f64>,
}

/// Threads of a process that are kept: a heap for each processor, and a thread or two for each heap.
const MOST_COLLECTORS: usize = 8192;

impl Cpu {
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Adds a sample of a thread, while a collection runs or not: whether it is of a blocking one, and the thread that
    /// suspended the program for it.
    pub(super) fn sample(
        &mut self,
        ms: f64,
        (tid, is_chosen): (u32, bool),
        running: Option<(Option<u32>, &mut CollectionCpu)>,
    ) {
        let counted = if is_chosen { ms } else { 0.0 };
        self.all += ms;
        self.counted += counted;
        let Some((blocking, cpu)) = running else { return };
        if blocking == Some(tid) || self.collectors.contains(&tid) {
            cpu.collecting += ms;
            self.collecting += counted;
        }
    }

    /// A thread marked.
    pub(super) fn collector(&mut self, tid: u32) {
        if self.collectors.contains(&tid) || self.excess.admits(self.collectors.len(), MOST_COLLECTORS) {
            self.collectors.insert(tid);
        }
    }

    /// A collection begins.
    pub(super) const fn begin(&self) -> CollectionCpu {
        CollectionCpu { collecting: 0.0, until_last: self.until_last, since_last: None }
    }

    /// A collection ended.
    pub(super) const fn end(&mut self, cpu: &mut CollectionCpu) {
        cpu.since_last = Some(self.all - cpu.until_last);
        self.until_last = self.all;
    }
}

impl CollectionCpu {
    /// Packs what is known when it is over.
    pub(super) fn pack(&self, numbers: &mut PackedNumbers) {
        numbers.push_measure(Some(self.collecting));
        numbers.push_measure(self.since_last);
    }

    pub(super) fn unpack(numbers: &mut NumberReader<'_>) -> Self {
        let (collecting, since_last) = (numbers.measure().unwrap_or(0.0), numbers.measure());
        Self { collecting, until_last: 0.0, since_last }
    }

    /// Returns its time as a share of that of the process since the collection before ended, in per cent; `None` if
    /// there was no sample.
    pub(super) fn percent(&self) -> Option<f64> {
        let all = self.since_last.filter(|all| *all > 0.0)?;
        Some(self.collecting * 100.0 / all)
    }
}
