//! Which files are of one machine and boot, by their headers.
//!
//! Process ids, thread ids, keys and addresses mean something only on one machine between two boots. Two files are of
//! the same one if nothing in them speaks against it and their boot times agree:
//!
//! * Computer names, where both files have one, are the same.
//! * Performance counters, where both files count by them, have the same frequency.
//! * Boot times differ by at most [`TOLERANCE`]. Windows moves the boot time when somebody sets the clock, and keeps it
//!   to half a second; no machine boots twice within that time.
//! * A file without a boot time (old performance logs, some tools) belongs to the machine whose counter was zero at the
//!   same time, by the same tolerance. Without a counter, or without a header, it is a machine of its own.
//! * A file that fits two machines equally well belongs to neither: no process is better than a wrong one.

use std::sync::Arc;

use crate::FileId;
use crate::clock::Clock;
use crate::format::ClockType;
use crate::system::{Machine, StateBudget, System, Systems, Timeline};
use crate::time::{FileTime, RawTime};

use super::TraceFile;

/// Units of 100 ns by which the boot times of one boot may differ.
const TOLERANCE: u64 = 10 * FileTime::UNITS_PER_SECOND.unsigned_abs();

/// The machines of a trace.
#[derive(Clone, Debug)]
pub(super) struct Machines {
    list: Vec<Machine>,
    /// The number of each file's machine.
    of_file: Arc<[u16]>,
}

/// What a file states about its machine.
#[derive(Clone, Debug)]
struct Evidence {
    file: FileId,
    boot: Option<FileTime>,
    /// When its performance counter was zero.
    zero: Option<FileTime>,
    frequency: Option<i64>,
    computer: Option<Box<str>>,
}

impl Machines {
    /// Groups files; `computers` are the computer names that were found in them.
    pub(super) fn new(files: &[TraceFile], mut computers: Vec<Option<Box<str>>>) -> Self {
        computers.resize(files.len(), None);
        let files = FileId::all().zip(files).zip(computers);
        Self::group(files.map(|((id, file), computer)| Evidence::of(id, file, computer)).collect())
    }

    /// Puts files that state most first, so that the order in which they were given does not matter.
    fn group(mut files: Vec<Evidence>) -> Self {
        let mut of_file = vec![0; files.len()];
        files.sort_by_key(|file| {
            let lacks = (file.boot.is_none(), file.computer.is_none(), file.frequency.is_none());
            (lacks, file.boot, file.zero, file.file)
        });
        let mut groups: Vec<(Evidence, Vec<FileId>)> = Vec::new();
        for file in files {
            let near = groups.iter().enumerate().filter_map(|(place, group)| Some((file.distance(&group.0)?, place)));
            match nearest(near).and_then(|place| groups.get_mut(place)) {
                Some((known, ids)) => {
                    ids.push(file.file);
                    known.add(file);
                }
                None => groups.push((file.clone(), vec![file.file])),
            }
        }
        for (_, ids) in &mut groups {
            ids.sort_unstable();
        }
        groups.sort_by(|(_, a), (_, b)| a.cmp(b));
        let list = (0..).zip(groups).map(|(number, (known, ids))| {
            for file in &ids {
                if let Some(slot) = of_file.get_mut(file.index()) {
                    *slot = number;
                }
            }
            known.machine(number, ids)
        });
        let list = list.collect();
        Self { list, of_file: of_file.into() }
    }

    /// Returns whether all files are of one machine and boot.
    pub(super) const fn is_one(&self) -> bool {
        self.list.len() <= 1
    }

    pub(super) fn list(&self) -> &[Machine] {
        &self.list
    }

    /// Makes the systems, still empty.
    pub(super) fn systems(&self, files: &[TraceFile], clocks: &Arc<[Clock]>, budget: &StateBudget) -> Systems {
        let mut all = self.list.iter().map(|machine| {
            let is_shared = share_clock(machine.files.iter().filter_map(|file| files.get(file.index())));
            let timeline = Timeline::new(machine, Arc::clone(clocks), Arc::clone(&self.of_file), is_shared);
            System::new(machine.clone(), timeline, self.list.len(), budget.clone())
        });
        let first = all.next().unwrap_or_default();
        let others = all.collect();
        Systems::new(first, others, Arc::clone(&self.of_file))
    }
}

impl Evidence {
    fn of(id: FileId, file: &TraceFile, computer: Option<Box<str>>) -> Self {
        let (head, log) = (&file.head, &file.head.log);
        let counts = !head.is_missing() && head.clock.kind() == ClockType::QPC && log.frequency > 0;
        Self {
            file: id,
            boot: Some(log.boot_time).filter(|boot| boot.0 > 0),
            zero: head.clock.filetime(RawTime(0)).filter(|_| counts),
            frequency: counts.then_some(log.frequency),
            computer,
        }
    }

    /// Returns by how much its boot time differs from that of a machine; `None` if it is of another one.
    fn distance(&self, machine: &Self) -> Option<u64> {
        if differ(self.computer.as_ref(), machine.computer.as_ref())
            || differ(self.frequency.as_ref(), machine.frequency.as_ref())
        {
            return None;
        }
        let (a, b) = match (self.boot, machine.boot) {
            (Some(a), Some(b)) => (a, b),
            _ => (self.zero?, machine.zero?),
        };
        Some(a.0.abs_diff(b.0)).filter(|distance| *distance <= TOLERANCE)
    }

    /// Takes over what one more file of the machine states.
    fn add(&mut self, file: Self) {
        self.computer = self.computer.take().or(file.computer);
        self.frequency = self.frequency.or(file.frequency);
        self.zero = self.zero.or(file.zero);
        self.boot = self.boot.or(file.boot);
    }

    fn machine(self, number: u16, files: Vec<FileId>) -> Machine {
        Machine { number, boot_time: self.boot, computer_name: self.computer, files: files.into() }
    }
}

/// Returns the place with the least distance; `None` if another one is as near.
fn nearest(all: impl Iterator<Item = (u64, usize)>) -> Option<usize> {
    let mut best: Option<(u64, usize)> = None;
    let mut is_tie = false;
    for (distance, place) in all {
        match best {
            Some((least, _)) if distance > least => {}
            Some((least, _)) if distance == least => is_tie = true,
            _ => (best, is_tie) = (Some((distance, place)), false),
        }
    }
    best.filter(|_| !is_tie).map(|(_, place)| place)
}

fn differ<T: PartialEq>(a: Option<&T>, b: Option<&T>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a != b)
}

/// Returns whether the raw times of files of one machine can be compared.
#[expect(single_use_lifetimes, reason = "an elided lifetime is not stable here")]
pub(super) fn share_clock<'f>(files: impl Iterator<Item = &'f TraceFile>) -> bool {
    let (mut first, mut is_same, mut is_system) = (None, true, true);
    for head in files.map(|file| &file.head) {
        // QPC counts from the machine's start: equal frequency and boot time mean the same counter (section 8.1).
        let counter = (head.log.effective_clock(), head.log.frequency, head.log.boot_time);
        is_same &= *first.get_or_insert(counter) == counter;
        // The system clock counts UTC already (section 8.2).
        is_system &= head.clock.kind() == ClockType::SYSTEM;
    }
    is_same || is_system
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = FileTime::UNITS_PER_SECOND;

    /// Returns what a file by performance counter states; times are in seconds.
    fn file(boot: i64, zero: i64) -> Evidence {
        let (boot, zero) = (FileTime(boot * SECOND), FileTime(zero * SECOND));
        Evidence {
            file: FileId::FIRST,
            boot: Some(boot).filter(|boot| boot.0 > 0),
            zero: Some(zero),
            frequency: Some(7),
            computer: None,
        }
    }

    fn named(name: &str, file: &Evidence) -> Evidence {
        Evidence { computer: Some(name.into()), ..file.clone() }
    }

    /// Returns the machine of each file, whatever the order in which they are given.
    fn machines<const N: usize>(files: &[Evidence; N]) -> [u16; N] {
        let numbered =
            |files: Vec<Evidence>| FileId::all().zip(files).map(|(file, known)| Evidence { file, ..known }).collect();
        let found = Machines::group(numbered(files.to_vec()));
        let back = Machines::group(numbered(files.iter().rev().cloned().collect()));
        for (a, b) in (0..N).flat_map(|a| (0..N).map(move |b| (a, b))) {
            let same = |of: &Machines, a: usize, b: usize| of.of_file.get(a) == of.of_file.get(b);
            assert_eq!(same(&found, a, b), same(&back, N - 1 - a, N - 1 - b), "the order matters");
        }
        let files: usize = found.list.iter().map(|machine| machine.files.len()).sum();
        assert_eq!(files, N);
        std::array::from_fn(|at| found.of_file.get(at).copied().unwrap_or(u16::MAX))
    }

    #[test]
    fn boot_times_agree_to_ten_seconds() {
        assert_eq!(machines(&[file(100, 0), file(110, 5000), file(100, 9)]), [0, 0, 0]);
        assert_eq!(machines(&[file(100, 0), file(111, 0)]), [0, 1]);
        assert_eq!(machines(&[file(500, 0), file(100, 0), file(501, 0)]), [0, 1, 0]);
    }

    #[test]
    fn names_and_frequencies_that_differ_are_of_two_machines() {
        assert_eq!(
            machines(&[named("A", &file(100, 0)), named("B", &file(100, 0)), named("A", &file(101, 0))]),
            [0, 1, 0]
        );
        let other = Evidence { frequency: Some(8), ..file(100, 0) };
        let system_time = Evidence { frequency: None, zero: None, ..file(100, 0) };
        assert_eq!(machines(&[file(100, 0), other, system_time.clone()]), [0, 1, 2]);
        assert_eq!(machines(&[named("A", &file(100, 0)), system_time, file(105, 0)]), [0, 0, 0]);
    }

    #[test]
    fn a_file_without_boot_time_goes_by_its_counter() {
        assert_eq!(machines(&[file(0, 90), file(100, 95), file(400, 395)]), [0, 0, 1]);
        assert_eq!(machines(&[file(0, 90), file(0, 95), file(0, 200)]), [0, 0, 1]);
        let nothing = Evidence { zero: None, frequency: None, ..file(0, 0) };
        assert_eq!(machines(&[nothing.clone(), nothing, file(100, 0)]), [0, 1, 2]);
    }
}
