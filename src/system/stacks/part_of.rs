//! A part of a stack, and whose it is.

use hashbrown::HashMap;

use super::{OwnerAt, StackPart};

/// What is known of the frames of a part while the trace is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frames {
    /// Number of an interned stack.
    Known(u32),
    /// A key and the tick of its use: its definition comes later.
    Key(u64, i64),
    /// Not kept: too many.
    Refused,
}

/// A stack, or a part of one, and the event it belongs to: a trace has millions of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartOf {
    pub(super) tick: i64,
    /// Number of a [`Whose`].
    pub(super) whose: u32,
    pub(super) frames: Frames,
}

/// All but the time of the event that a part belongs to, and which part it is: many parts have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Whose {
    pub(crate) tid: u32,
    /// [`NO_ID`](crate::event::NO_ID) if it is not known.
    pub(crate) pid: u32,
    pub(super) cpu: u16,
    pub(super) part: StackPart,
}

/// A thread of which stacks are taken. Thread 0 is another one on each processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StackThread {
    tid: u32,
    /// 0 for all threads but thread 0.
    cpu: u16,
}

impl StackThread {
    /// Returns a thread that runs on a processor.
    pub(super) const fn new(tid: u32, cpu: u16) -> Self {
        Self { tid, cpu: if tid == 0 { cpu } else { 0 } }
    }
}

/// Different ones, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct WhoseList {
    list: Vec<Whose>,
    numbers: HashMap<Whose, u32>,
}

impl Whose {
    pub(super) const fn new(OwnerAt { tid, pid, cpu, .. }: OwnerAt, part: StackPart) -> Self {
        Self { tid, pid, cpu, part }
    }

    pub(super) const fn thread(&self) -> StackThread {
        StackThread::new(self.tid, self.cpu)
    }
}

impl WhoseList {
    /// Returns the number of one.
    pub(super) fn number(&mut self, whose: Whose) -> u32 {
        let Self { list, numbers } = self;
        *numbers.entry(whose).or_insert_with(|| {
            list.push(whose);
            list.len() as u32 - 1
        })
    }

    pub(super) fn get(&self, number: u32) -> Option<&Whose> {
        self.list.get(number as usize)
    }

    /// In which order the parts of a tick are looked up: by thread, kernel frames before those of the process.
    pub(super) fn order(&self, number: u32) -> (StackThread, bool) {
        let order = |whose: &Whose| (whose.thread(), whose.part == StackPart::User);
        self.get(number).map_or((StackThread::new(0, 0), false), order)
    }

    /// Forgets what only [`WhoseList::number`] needs.
    pub(super) fn freeze(&mut self) {
        self.numbers = HashMap::new();
        self.list.shrink_to_fit();
    }
}
