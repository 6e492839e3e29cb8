//! Which process had an id when.

use super::*;
use crate::limits;

fn facts(pid: u32, image: &str) -> ProcessFacts {
    ProcessFacts { pid, image: image.into(), ..ProcessFacts::default() }
}

const fn at(tick: i64) -> Moment {
    Moment { tick, time: Some(FileTime(tick)) }
}

fn rundown(tick: i64, session: i64) -> Rundown {
    Rundown { event: at(tick), session: at(session) }
}

fn name(processes: &Processes, time: i64) -> Option<&str> {
    processes.at(7, Ticks::one(time)).map(|process| &*process.facts.image)
}

#[test]
fn a_defunct_process_has_ended_and_is_known() {
    let (mut all, mut budget) = (Processes::default(), StateBudget::default());
    all.defunct(at(20), facts(7, "zombie.exe"), Some(FileTime(3)), &mut budget);
    all.defunct(at(30), facts(7, "other.exe"), None, &mut budget);
    all.exists(rundown(0, 0), facts(8, "a.exe"), &mut budget);
    all.defunct(at(30), facts(8, "b.exe"), None, &mut budget);
    all.defunct(at(40), facts(9, "late.exe"), None, &mut budget);
    all.freeze(Processes::default());
    let found: Vec<_> = all.list().map(|(_, process)| (&*process.facts.image, process.end)).collect();
    let late = ("late.exe", Some(FileTime(40)));
    assert_eq!(found, [("zombie.exe", Some(FileTime(3))), ("a.exe", None), late]);
    assert_eq!(name(&all, 20), None, "it does not run");
    let before = all.at_or_before(7, Ticks::one(20)).map(Process::file_name);
    assert_eq!(before, Some("zombie.exe"));
}

/// Two sessions of one boot, one after the other.
#[test]
fn a_later_session_lists_the_next_process_of_an_id() {
    let (mut all, mut budget) = (Processes::default(), StateBudget::default());
    let of = |key, image| ProcessFacts { key: Some(key), ..facts(7, image) };
    for (tick, session, key, image) in [(11, 10, 1, "a.exe"), (19, 10, 1, ""), (51, 50, 2, "b.exe"), (59, 50, 2, "")] {
        let facts = of(key, image);
        assert_eq!(all.has_open(&facts), image.is_empty());
        all.exists(rundown(tick, session), facts, &mut budget);
    }
    assert_eq!(
        [0, 49, 50, 99].map(|tick| name(&all, tick)),
        [Some("a.exe"), Some("a.exe"), Some("b.exe"), Some("b.exe")]
    );
    let ends: Vec<_> = all.list().map(|(_, process)| (process.start, process.end)).collect();
    assert_eq!(ends, [(None, Some(FileTime(50))), (Some(FileTime(50)), None)]);
}

#[test]
fn an_id_is_used_again() {
    let (mut all, mut budget) = (Processes::default(), StateBudget::default());
    all.exists(rundown(0, 0), facts(7, "a.exe"), &mut budget);
    all.stop(rundown(10, 0), facts(7, "a.exe"), &mut budget);
    all.start(at(20), facts(7, "b.exe"), &mut budget);
    all.stop(rundown(30, 0), facts(7, "b.exe"), &mut budget);
    all.exists(rundown(0, 0), facts(7, "c.exe"), &mut budget);
    let names: Vec<_> = [-5, 10, 11, 20, 30, 31].iter().map(|t| name(&all, *t)).collect();
    assert_eq!(names, [Some("a.exe"), Some("a.exe"), None, Some("b.exe"), Some("b.exe"), Some("c.exe")]);
    assert_eq!(all.at_or_before(7, Ticks::one(15)).map(Process::short_name), Some("a"));
    assert_eq!(all.list().count(), 3);
}

#[test]
fn spans_that_come_out_of_order_are_found() {
    let (mut all, mut budget) = (Processes::default(), StateBudget::default());
    for time in [30, 10, 20] {
        all.start(at(time), facts(7, &format!("{time}.exe")), &mut budget);
    }
    all.freeze(Processes::default());
    let names = [9, 15, 25, 35].map(|t| all.at_or_before(7, Ticks::one(t)).map(Process::short_name));
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
fn an_end_alone_holds_from_the_beginning() {
    let (mut all, mut budget) = (Processes::default(), StateBudget::default());
    all.stop(rundown(50, 0), facts(7, "x.exe"), &mut budget);
    assert_eq!(name(&all, 0), Some("x.exe"));
    let mut other = Processes::default();
    other.exists(rundown(0, 0), facts(7, "y.exe"), &mut budget);
    assert_eq!(name(&other, i64::MAX), Some("y.exe"));
}

#[test]
fn an_end_alone_holds_since_the_end_before() {
    let (mut all, mut budget) = (Processes::default(), StateBudget::default());
    all.start(at(1), facts(7, "a.exe"), &mut budget);
    all.stop(rundown(5, 0), facts(7, "a.exe"), &mut budget);
    all.stop(rundown(20, 0), facts(7, "b.exe"), &mut budget);
    // Out of order.
    all.stop(rundown(3, 0), facts(7, "c.exe"), &mut budget);
    all.freeze(Processes::default());
    assert_eq!([2, 6, 20].map(|tick| name(&all, tick)), [Some("a.exe"), Some("b.exe"), Some("b.exe")]);
    let times: Vec<_> = all.list().map(|(_, process)| (process.start, process.end)).collect();
    let time = |tick| Some(FileTime(tick));
    assert_eq!(times, [(time(1), time(5)), (time(5), time(20)), (time(3), time(3))]);
}

/// Its own end is in no session, or was lost.
#[test]
fn an_end_of_another_process_is_not_of_the_one_that_runs() {
    let of = |key, image| ProcessFacts { key: Some(key), exit_status: Some(3), ..facts(7, image) };
    for (session, first_of_other) in [(0, 20), (10, 10)] {
        let (mut all, mut budget) = (Processes::default(), StateBudget::default());
        all.start(at(1), of(1, "a.exe"), &mut budget);
        all.stop(rundown(20, session), of(2, "b.exe"), &mut budget);
        let names = [1, first_of_other - 1, first_of_other, 20, 21].map(|tick| name(&all, tick));
        assert_eq!(names, [Some("a.exe"), Some("a.exe"), Some("b.exe"), Some("b.exe"), None]);
        let found: Vec<_> = all.list().map(|(_, process)| (process.end, process.facts.exit_status)).collect();
        assert_eq!(found, [(Some(FileTime(first_of_other)), None), (Some(FileTime(20)), Some(3))]);
    }
}

#[test]
fn an_end_that_two_sessions_wrote_is_of_one_process() {
    let (mut all, mut budget) = (Processes::default(), StateBudget::default());
    let facts = || ProcessFacts { key: Some(5), ..facts(7, "a.exe") };
    all.start(at(10), facts(), &mut budget);
    all.stop(rundown(20, 0), facts(), &mut budget);
    all.stop(rundown(23, 0), facts(), &mut budget);
    assert_eq!(all.list().count(), 1);
}

#[test]
fn a_process_may_start_in_the_tick_in_which_the_one_before_ended() {
    let (mut all, mut budget) = (Processes::default(), StateBudget::default());
    all.start(at(10), facts(7, "a.exe"), &mut budget);
    all.stop(rundown(20, 0), facts(7, "a.exe"), &mut budget);
    all.start(at(20), facts(7, "b.exe"), &mut budget);
    let (bounds, _) = all.bounds(Owner { pid: 7, instance: 1 }).unwrap();
    assert_eq!(bounds, Lifetime { start: Some(20), end: None });
}

/// What a header states as the start of a session may be later than its first events.
#[test]
fn a_rundown_before_the_start_of_its_session_holds_from_its_event_on() {
    let (mut all, mut budget) = (Processes::default(), StateBudget::default());
    let of = |key, image| ProcessFacts { key: Some(key), ..facts(7, image) };
    all.exists(rundown(10, 50), of(1, "a.exe"), &mut budget);
    all.exists(rundown(20, 50), of(2, "b.exe"), &mut budget);
    assert_eq!([19, 20, 60].map(|tick| name(&all, tick)), [Some("a.exe"), Some("b.exe"), Some("b.exe")]);
}

#[test]
fn a_lost_end_is_the_next_start() {
    let (mut all, mut budget) = (Processes::default(), StateBudget::default());
    all.start(at(5), facts(7, "a.exe"), &mut budget);
    all.start(at(9), facts(7, "b.exe"), &mut budget);
    assert_eq!((name(&all, 4), name(&all, 8), name(&all, 9)), (None, Some("a.exe"), Some("b.exe")));
}
