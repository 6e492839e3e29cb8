//! Processes over time.

use hashbrown::HashMap;

use crate::limits;

use super::{StateBudget, Unknown};

/// A process of the trace: its place in [`Processes::list`]. Unlike the system's process id it is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(pub u32);

/// What an event tells of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessFacts {
    /// Process id.
    pub pid: u32,
    /// Process id of the parent.
    pub parent: Option<u32>,
    /// Terminal session.
    pub session: Option<u32>,
    /// Address of the kernel's process object.
    pub key: Option<u64>,
    /// Exit status, if it ended.
    pub exit_status: Option<i32>,
    /// File name of its image, as the event has it (with or without directory).
    pub image: Box<str>,
    /// Command line.
    pub command_line: Box<str>,
    /// Full name of its application package.
    pub package: Box<str>,
    /// User, as SID text.
    pub user: Box<str>,
}

/// One process: who had this id in this span of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// What events told of it.
    pub facts: ProcessFacts,
    /// Time of its start; `None` if it ran before the trace (or nothing told).
    pub start: Option<i64>,
    /// Time of its end; `None` if it ran on.
    pub end: Option<i64>,
}

impl Process {
    /// Whether it ran at that time; both ends belong to it.
    pub fn ran_at(&self, time: i64) -> bool {
        self.start.is_none_or(|start| start <= time) && self.end.is_none_or(|end| time <= end)
    }

    /// Its image's name without directory; of one that is longer than any file's can be, the first
    /// [`limits::MAX_FILE_NAME`] bytes.
    pub fn file_name(&self) -> &str {
        file_name(&self.facts.image)
    }

    /// Its image's name without directory and without `.exe`.
    pub fn short_name(&self) -> &str {
        let file = self.file_name();
        file.rfind('.').and_then(|dot| file.get(..dot)).unwrap_or(file)
    }
}

/// All processes.
#[derive(Clone, Debug, Default)]
pub struct Processes {
    list: Vec<Process>,
    /// Places by process id, in order of time.
    by_pid: HashMap<u32, Vec<u32>>,
    /// Whether a rundown told of any.
    rundown: bool,
}

impl Processes {
    /// A process started.
    pub fn start(&mut self, time: i64, facts: ProcessFacts, room: &mut StateBudget) {
        if let Some(before) = self.last_mut(facts.pid).filter(|process| process.end.is_none()) {
            if before.start == Some(time) {
                return;
            }
            // Its end was lost: the id is in use again.
            before.end = Some(time.saturating_sub(1));
        }
        self.add(Process { facts, start: Some(time), end: None }, room);
    }

    /// A process ended.
    pub fn stop(&mut self, time: i64, facts: ProcessFacts, room: &mut StateBudget) {
        match self.last_mut(facts.pid).filter(|process| process.end.is_none()) {
            Some(process) => {
                process.end = Some(time);
                process.facts.exit_status = facts.exit_status;
            }
            None => self.add(Process { facts, start: None, end: Some(time) }, room),
        }
    }

    /// A rundown, at the beginning or the end of a session, found the process there.
    pub fn exists(&mut self, facts: ProcessFacts, room: &mut StateBudget) {
        self.rundown = true;
        if let Some(open) = self.last_mut(facts.pid).filter(|process| process.end.is_none()) {
            open.facts.fill(&facts);
            return;
        }
        let start = self.last_mut(facts.pid).and_then(|process| process.end).map(|end| end.saturating_add(1));
        self.add(Process { facts, start, end: None }, room);
    }

    /// Who ran as this process id at this time. `None` before its start, after its end, and if nothing told of it.
    pub fn at(&self, pid: u32, time: i64) -> Option<&Process> {
        self.at_or_before(pid, time).filter(|process| process.ran_at(time))
    }

    /// Who ran as this process id at this time, or was the last to do so: events of a process are still written
    /// when its end was.
    pub fn at_or_before(&self, pid: u32, time: i64) -> Option<&Process> {
        let places = self.by_pid.get(&pid)?;
        let of = |place: &u32| self.list.get(*place as usize);
        let started = places.partition_point(|place| of(place).is_some_and(|process| process.start <= Some(time)));
        of(places.get(started.checked_sub(1)?)?)
    }

    /// Sorts by time, for lookups: a crafted trace may tell of very many processes with one id, in any order.
    pub(super) fn freeze(&mut self) {
        let list = &self.list;
        for places in self.by_pid.values_mut() {
            places.sort_by_key(|place| list.get(*place as usize).and_then(|process| process.start));
        }
    }

    /// Why [`Processes::at`] knows nobody of that id at that time; `None` if it does.
    pub fn why_unknown(&self, pid: Option<u32>, time: i64) -> Option<Unknown> {
        let Some(pid) = pid.filter(|pid| *pid != u32::MAX) else { return Some(Unknown::NotTold) };
        if self.at(pid, time).is_some() {
            return None;
        }
        Some(match (self.at_or_before(pid, time), pid) {
            (Some(_), _) => Unknown::Ended,
            (None, _) if self.by_pid.contains_key(&pid) => Unknown::Later,
            (None, 0) => Unknown::Idle,
            (None, _) => Unknown::never(self.list.is_empty(), self.rundown),
        })
    }

    /// All of them with their ids, in the order in which the trace told of them.
    pub fn list(&self) -> impl Iterator<Item = (ProcessId, &Process)> {
        (0..).map(ProcessId).zip(&self.list)
    }

    /// A process.
    pub fn get(&self, id: ProcessId) -> Option<&Process> {
        self.list.get(id.0 as usize)
    }

    fn last_mut(&mut self, pid: u32) -> Option<&mut Process> {
        let place = *self.by_pid.get(&pid)?.last()?;
        self.list.get_mut(place as usize)
    }

    fn add(&mut self, process: Process, room: &mut StateBudget) {
        let facts = &process.facts;
        if room.take(facts.image.len() + facts.command_line.len() + facts.package.len() + facts.user.len()) {
            self.by_pid.entry(facts.pid).or_default().push(self.list.len() as u32);
            self.list.push(process);
        }
    }
}

/// The last part of a path. Events without number may name one process or image: what is longer than any file's name
/// can be is cut.
pub(super) fn file_name(path: &str) -> &str {
    let name = path.rsplit(['\\', '/']).next().unwrap_or_default();
    if name.len() <= limits::MAX_FILE_NAME {
        return name;
    }
    // `floor_char_boundary` is younger than the Rust that this is made for.
    (0..=limits::MAX_FILE_NAME).rev().find_map(|len| name.get(..len)).unwrap_or_default()
}

impl ProcessFacts {
    /// Takes what is not known yet. Names are not replaced, so that memory stays counted.
    fn fill(&mut self, other: &Self) {
        self.parent = self.parent.or(other.parent);
        self.session = self.session.or(other.session);
        self.key = self.key.or(other.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(pid: u32, image: &str) -> ProcessFacts {
        ProcessFacts { pid, image: image.into(), ..ProcessFacts::default() }
    }

    fn name(processes: &Processes, time: i64) -> Option<&str> {
        processes.at(7, time).map(|process| &*process.facts.image)
    }

    #[test]
    fn an_id_is_used_again() {
        let (mut all, mut room) = (Processes::default(), StateBudget::default());
        all.exists(facts(7, "a.exe"), &mut room);
        all.stop(10, facts(7, "a.exe"), &mut room);
        all.start(20, facts(7, "b.exe"), &mut room);
        all.stop(30, facts(7, "b.exe"), &mut room);
        all.exists(facts(7, "c.exe"), &mut room);
        let names: Vec<_> = [-5, 10, 11, 20, 30, 31].iter().map(|t| name(&all, *t)).collect();
        assert_eq!(names, [Some("a.exe"), Some("a.exe"), None, Some("b.exe"), Some("b.exe"), Some("c.exe")]);
        assert_eq!(all.at_or_before(7, 15).map(Process::short_name), Some("a"));
        assert_eq!(all.list().count(), 3);
    }

    #[test]
    fn spans_that_come_out_of_order_are_found() {
        let (mut all, mut room) = (Processes::default(), StateBudget::default());
        for time in [30, 10, 20] {
            all.start(time, facts(7, &format!("{time}.exe")), &mut room);
        }
        all.freeze();
        let names: Vec<_> = [9, 15, 25, 35].iter().map(|t| all.at_or_before(7, *t).map(Process::short_name)).collect();
        assert_eq!(names, [None, Some("10"), Some("20"), Some("30")]);
    }

    #[test]
    fn no_name_is_longer_than_a_files() {
        let mut process = Process { facts: facts(7, "C:\\a.exe"), start: None, end: None };
        assert_eq!((process.file_name(), process.short_name()), ("a.exe", "a"));
        process.facts.image = "ä".repeat(limits::MAX_FILE_NAME).into();
        assert_eq!(process.file_name().len(), limits::MAX_FILE_NAME - 1);
    }

    #[test]
    fn what_only_the_end_tells_holds_from_the_beginning() {
        let (mut all, mut room) = (Processes::default(), StateBudget::default());
        all.stop(50, facts(7, "x.exe"), &mut room);
        assert_eq!(name(&all, 0), Some("x.exe"));
        let mut other = Processes::default();
        other.exists(facts(7, "y.exe"), &mut room);
        assert_eq!(name(&other, i64::MAX), Some("y.exe"));
    }

    #[test]
    fn a_lost_end_is_the_next_start() {
        let (mut all, mut room) = (Processes::default(), StateBudget::default());
        all.start(5, facts(7, "a.exe"), &mut room);
        all.start(9, facts(7, "b.exe"), &mut room);
        assert_eq!((name(&all, 4), name(&all, 8), name(&all, 9)), (None, Some("a.exe"), Some("b.exe")));
    }
}
