//! Analyses of the fixture `scheduling.etl`. The expected times are worked out by hand from the list of its events in
//! `synth/src/fixtures/scheduling.rs`.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::FileTime;
use etwkit::trace::{Filter, Glob, RunOptions, TimeRange, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_kernel_analyses::{
    CpuSamples, CpuUsage, CriticalPath, DpcIsrByRoutine, ImageList, Marks, Processes, ReadyPairs, ThreadList,
    WaitsByThread, WaitsEach,
};
use etwkit_synth::scheduling::{Leaves, context_switch, ready, thread};
use etwkit_synth::{Buffer, Event, LogfileHeader, PointerSize, TraceBuilder};

fn open(name: &str) -> Trace {
    let fixture = etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == name).unwrap();
    Trace::open(etwkit::Input::bytes(name, fixture.bytes), etwkit_parsers::standard()).unwrap()
}

fn of<A: Analysis>(trace: &Trace) -> Vec<A::Row> {
    let one = rows::<A>(trace, &RunOptions::default().threads(1)).unwrap();
    assert_eq!(rows::<A>(trace, &RunOptions::default().threads(3)).unwrap().len(), one.len());
    one
}

fn ms(time: i64) -> FileTime {
    FileTime(etwkit_synth::time::START + time * 10_000)
}

#[test]
fn threads_ran_were_ready_and_waited() {
    let rows = of::<WaitsByThread>(&open("scheduling.etl"));
    let found: Vec<_> = rows
        .iter()
        .map(|row| {
            let name = row.process.as_deref().unwrap();
            (name, row.tid, [row.run_ms, row.ready_ms, row.wait_ms, row.unknown_ms], row.switches, row.preemptions)
        })
        .collect();
    let expected = [
        ("app.exe", 5204, [18.9, 1.2, 4.0, 0.0], 2, 0),
        ("app.exe", 5208, [15.1, 2.0, 0.0, 0.0], 2, 1),
        ("System", 100, [5.0, 1.2, 33.3, 0.5], 3, 0),
        ("tool.exe", 5204, [4.5, 0.5, 5.0, 0.0], 1, 0),
    ];
    assert_eq!(found, expected);
    let longest: Vec<_> = rows.iter().map(|row| row.ready_ms_max).collect();
    assert_eq!(longest, [Some(1.0), Some(1.5), Some(0.7), Some(0.5)]);
    let worker = rows.iter().find(|row| row.tid == 100).unwrap();
    assert_eq!((worker.waits, worker.reason.as_deref()), (2, Some("WrQueue")));
    assert_eq!(worker.reasons, ["WrQueue: 2 in 33.300 ms"]);
}

#[test]
fn each_wait_says_who_ended_it() {
    let rows = of::<WaitsEach>(&open("scheduling.etl"));
    let found: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.tid,
                row.wait_ms,
                row.ready_ms,
                &*row.reason,
                row.mode.as_deref(),
                row.readied_by_tid,
                row.readied_by_dpc,
            )
        })
        .collect();
    let expected = [
        (100, 25.5, Some(0.5), "WrQueue", Some("kernel"), None, Some(true)),
        (100, 7.8, Some(0.7), "WrQueue", Some("kernel"), None, Some(true)),
        (5204, 5.0, None, "DelayExecution", Some("user"), None, None),
        (5204, 4.0, Some(1.0), "UserRequest", Some("user"), Some(5208), Some(false)),
    ];
    assert_eq!(found, expected);
    assert_eq!(rows.iter().map(|row| row.is_complete).collect::<Vec<_>>(), [true, true, false, true]);
}

/// The trace ends before the threads run again: one of them was made ready before.
#[test]
fn a_wait_is_complete_once_its_thread_is_ready() {
    let header = LogfileHeader::default();
    let t = |milliseconds: i64| header.after(milliseconds * 10_000);
    let (size, readied, waiting) = (PointerSize::Eight, 5204, 5208);
    let switch = |time, new, old, leaves| Event::from(context_switch(size, new, old, leaves).at(t(time)));
    let events = [
        switch(0, readied, 0, Leaves::idle()),
        switch(1, waiting, readied, Leaves::waiting(6, 1)),
        switch(2, 0, waiting, Leaves::waiting(6, 1)),
        ready(size, readied, true).at(t(4)).into(),
        switch(9, 5212, 0, Leaves::idle()),
    ];
    let bytes = TraceBuilder::new(header.clone()).buffer(Buffer::on(0).events(events)).build().bytes;
    let trace = Trace::open(etwkit::Input::bytes("made", bytes), etwkit_parsers::standard()).unwrap();
    let found: Vec<_> =
        of::<WaitsEach>(&trace).iter().map(|row| (row.tid, row.wait_ms, row.ready_ms, row.is_complete)).collect();
    assert_eq!(found, [(waiting, 7.0, None, false), (readied, 3.0, Some(5.0), true)]);
}

#[test]
fn a_window_and_a_process_are_chosen_without_breaking_the_accounts() {
    let trace = open("scheduling.etl");
    let window = TimeRange::default().since(ms(4)).until(ms(11));
    let chosen = |filter: Filter| rows::<WaitsByThread>(&trace, &RunOptions::default().filter(filter)).unwrap();
    let times = |filter| -> Vec<_> {
        let row = |row: etwkit_kernel_analyses::WaitRow| (row.tid, [row.run_ms, row.ready_ms, row.wait_ms]);
        chosen(filter).into_iter().map(row).collect()
    };
    let all = times(Filter::default().time(window));
    assert_eq!(all, [(5208, [6.5, 0.5, 0.0]), (5204, [2.0, 1.0, 4.0]), (100, [0.5, 0.7, 5.8])]);
    assert_eq!(times(Filter::default().time(window).pids([4])), all[2..]);
    assert_eq!(times(Filter::default().time(window).tids([5204])), all[1..2]);
    // Two of them had got a processor before the window began.
    let switches: Vec<_> = chosen(Filter::default().time(window)).iter().map(|row| (row.tid, row.switches)).collect();
    assert_eq!(switches, [(5208, 0), (5204, 1), (100, 1)]);
}

#[test]
fn threads_that_are_not_there_in_a_window_have_no_row() {
    let trace = open("scheduling.etl");
    let after = FileTime(etwkit_synth::time::START + 30 * 10_000);
    let options = RunOptions::default().filter(Filter::default().time(TimeRange::default().since(after)));
    let rows = rows::<WaitsByThread>(&trace, &options).unwrap();
    // The threads of app.exe ended at 20.1 and 25.1 ms; tool.exe, which has its id, began at 30 ms.
    assert!(rows.iter().all(|row| row.process.as_deref() != Some("app.exe")), "{rows:?}");
    assert!(rows.iter().any(|row| row.process.as_deref() == Some("tool.exe")), "{rows:?}");
}

#[test]
fn what_happens_at_the_ends_of_a_window_is_in_it() {
    let trace = open("scheduling.etl");
    let of = |since: i64, until: i64| {
        let at = |tenths: i64| FileTime(etwkit_synth::time::START + tenths * 1_000);
        RunOptions::default().filter(Filter::default().time(TimeRange::default().since(at(since)).until(at(until))))
    };
    let switches = |options: &RunOptions| -> u64 {
        let rows = rows::<WaitsByThread>(&trace, options).unwrap();
        rows.iter().filter(|row| row.process.as_deref() == Some("app.exe")).map(|row| row.switches).sum()
    };
    // Thread 5204 gets a processor at 1.2 and at 10 ms, thread 5208 at 3.5 ms.
    assert_eq!([of(0, 100), of(100, 110), of(101, 110)].map(|options| switches(&options)), [3, 1, 0]);
    let readied = |options: &RunOptions| -> Vec<_> {
        rows::<ReadyPairs>(&trace, options).unwrap().iter().map(|row| (row.tid, row.count)).collect()
    };
    // Thread 5204 is made ready at 9 ms and runs at 10 ms, thread 100 is made ready at 9.8 ms: of what began before the
    // window, only the time counts.
    assert_eq!(readied(&of(95, 99)), [(100, 1), (5204, 0)]);
    assert_eq!(readied(&of(99, 100)), [(100, 0), (5204, 0)]);
    let counted = |options| readied(&options).into_iter().filter(|(_, count)| *count > 0).collect::<Vec<_>>();
    assert_eq!((counted(of(91, 98)), counted(of(85, 90))), (vec![(100, 1)], vec![(5204, 1)]));
}

#[test]
fn processors_are_busy_idle_or_unknown() {
    let trace = open("scheduling.etl");
    let rows = of::<CpuUsage>(&trace);
    let sum = |processor: u16| {
        let own = || rows.iter().filter(move |row| row.processor == processor);
        let round = |sum: f64| (sum * 1000.0).round() / 1000.0;
        [own().map(|row| row.busy_ms).sum(), own().map(|row| row.idle_ms).sum(), own().map(|row| row.unknown_ms).sum()]
            .map(round)
    };
    assert_eq!([sum(0), sum(1)], [[20.1, 19.4, 0.5], [23.4, 15.4, 1.2]]);
    let second = rows.iter().find(|row| row.processor == 0 && row.start.0 == ms(2)).unwrap();
    assert_eq!((second.idle_ms, second.busy), (1.0, Some(0.0)));
}

#[test]
fn cpu_time_is_exact_beside_samples() {
    let rows = of::<CpuSamples>(&open("scheduling.etl"));
    let found: Vec<_> =
        rows.iter().map(|row| (row.process.as_deref().unwrap(), row.samples, row.run_ms, row.switches)).collect();
    let expected =
        [("app.exe", 1, Some(34.0), Some(4)), ("System", 0, Some(5.0), Some(3)), ("tool.exe", 0, Some(4.5), Some(1))];
    assert_eq!(found, expected);
    assert_eq!(rows[0].cpu_ms, Some(1.0));
    let without = of::<CpuSamples>(&open("kernel-stacks.etl"));
    assert!(without.iter().all(|row| row.run_ms.is_none() && row.switches.is_none()));
}

fn rows_of_filter(trace: &Trace, filter: Filter) -> Vec<(u64, f64)> {
    let rows = rows::<DpcIsrByRoutine>(trace, &RunOptions::default().filter(filter)).unwrap();
    rows.iter().map(|row| (row.count, row.total_us.unwrap())).collect()
}

#[test]
fn interrupts_are_not_time_of_the_dpc_that_they_interrupt() {
    let rows = of::<DpcIsrByRoutine>(&open("scheduling.etl"));
    let found: Vec<_> = rows
        .iter()
        .map(|row| (&*row.kind, &*row.routine, row.count, row.total_us.unwrap(), row.max_elapsed_us.unwrap()))
        .collect();
    let expected = [
        ("DPC", "ntoskrnl.exe+0x1000", 1, 300.0, 400.0),
        ("TimerDPC", "ntoskrnl.exe+0x2000", 1, 100.0, 100.0),
        ("ISR", "storport.sys+0x20", 1, 100.0, 100.0),
    ];
    assert_eq!(found.len(), expected.len());
    assert!(expected.iter().all(|row| found.contains(row)), "{found:?}");
    // A filter that leaves out the interrupt does not make it time of the DPC.
    let filter = Filter::default().names([Glob::new("PerfInfo/DPC")]);
    let trace = open("scheduling.etl");
    let chosen = rows_of_filter(&trace, filter);
    assert_eq!(chosen, [(1, 300.0)]);
}

#[test]
fn threads_and_processes_of_one_id_are_told_apart() {
    let trace = open("scheduling.etl");
    let rows = of::<ThreadList>(&trace);
    let found: Vec<_> = rows
        .iter()
        .map(|row| (row.tid, row.process.as_deref().unwrap(), row.start.map(|time| time.0), row.end.map(|time| time.0)))
        .collect();
    let at = |microseconds: i64| Some(FileTime(etwkit_synth::time::START + microseconds * 10));
    let expected = [
        (100, "System", None, None),
        (5204, "app.exe", at(1_000), at(25_100)),
        (5208, "app.exe", at(3_000), at(20_100)),
        (5204, "tool.exe", at(30_000), None),
    ];
    assert_eq!(found, expected);
    let addresses: Vec<_> = rows.iter().map(|row| row.start_address.as_deref().unwrap()).collect();
    assert_eq!(addresses[..3], ["ntoskrnl.exe+0x500", "app.exe+0x40", "app.exe+0x80"]);
    assert_eq!((rows[0].priority, rows[0].run_ms, rows[0].switches), (Some(8), Some(5.0), Some(3)));
    let processes = of::<Processes>(&trace);
    let started = processes.iter().filter(|row| row.pid == 5200).map(|row| row.start.unwrap().0);
    assert_eq!(started.collect::<Vec<_>>(), [ms(1), ms(30)]);
}

#[test]
fn ready_events_are_added_up_by_pair() {
    let rows = of::<ReadyPairs>(&open("scheduling.etl"));
    let found: Vec<_> = rows
        .iter()
        .map(|row| (row.by_tid, row.by_dpc, row.tid, row.count, row.wait_ms_sum, row.ready_ms_sum, row.ready_ms_max))
        .collect();
    assert_eq!(found, [(None, true, 100, 2, 33.3, 1.2, 0.7), (Some(5208), false, 5204, 1, 4.0, 1.0, 1.0)]);
}

#[test]
fn the_critical_path_goes_on_with_the_thread_that_ended_the_wait() {
    let trace = open("scheduling.etl");
    let window = TimeRange::default().since(ms(4)).until(ms(11));
    let filter = Filter::default().time(window).tids([5204]);
    let rows = rows::<CriticalPath>(&trace, &RunOptions::default().filter(filter)).unwrap();
    let found: Vec<_> =
        rows.iter().map(|row| (row.start.0, row.ms, row.tid, &*row.state, row.processor, row.depth)).collect();
    let expected = [
        (ms(4), 1.0, 5204, "running", Some(1), 0),
        (ms(5), 4.0, 5208, "running", Some(0), 1),
        (ms(9), 1.0, 5204, "ready", None, 0),
        (ms(10), 1.0, 5204, "running", Some(1), 0),
    ];
    assert_eq!(found, expected);
}

/// A thread waits for one that starts later: before that, the path is the wait itself.
#[test]
fn the_critical_path_covers_a_wait_for_a_thread_that_starts_later() {
    let header = LogfileHeader::default();
    let t = |milliseconds: i64| header.after(milliseconds * 10_000);
    let (size, waiter, starter) = (PointerSize::Eight, 5204, 5208);
    let switch = |time, new, old, leaves| Event::from(context_switch(size, new, old, leaves).at(t(time)));
    let start = |time, hook, tid| Event::from(thread(size, hook, 5200, tid, 0x40).at(t(time)).by(5200, waiter));
    let events = [
        start(0, 0x0503, waiter),
        switch(1, waiter, 0, Leaves::idle()),
        switch(2, 0, waiter, Leaves::waiting(6, 1)),
        start(5, 0x0501, starter),
        switch(6, starter, 0, Leaves::idle()),
        ready(size, waiter, false).at(t(9)).into(),
        switch(9, waiter, starter, Leaves::waiting(6, 1)),
        switch(12, 0, waiter, Leaves::waiting(6, 1)),
    ];
    let bytes = TraceBuilder::new(header.clone()).buffer(Buffer::on(0).events(events)).build().bytes;
    let trace = Trace::open(etwkit::Input::bytes("made", bytes), etwkit_parsers::standard()).unwrap();
    let filter = Filter::default().time(TimeRange::default().since(ms(1)).until(ms(12))).tids([waiter]);
    let rows = rows::<CriticalPath>(&trace, &RunOptions::default().filter(filter)).unwrap();
    let found: Vec<_> = rows.iter().map(|row| (row.ms, row.tid, &*row.state, row.depth)).collect();
    let expected = [
        (1.0, waiter, "running", 0),
        (3.0, waiter, "waiting", 0),
        (1.0, starter, "ready", 1),
        (3.0, starter, "running", 1),
        (3.0, waiter, "running", 0),
    ];
    assert_eq!(found, expected);
}

#[test]
fn images_and_marks_are_listed() {
    let trace = open("scheduling.etl");
    let images = of::<ImageList>(&trace);
    let app = images.iter().find(|row| row.path.ends_with("app.exe")).unwrap();
    assert_eq!((app.pid, app.process.as_deref(), &*app.base), (5200, Some("app.exe"), "0x7ff61a000000"));
    assert_eq!((images.len(), app.load.is_some(), app.time_stamp.as_deref()), (3, true, Some("65789abc")));
    let marks = of::<Marks>(&trace);
    assert_eq!(marks.iter().map(|row| (row.time.unwrap().0, &*row.text)).collect::<Vec<_>>(), [(ms(21), "phase two")]);
}

#[test]
fn time_beside_lost_events_is_unknown() {
    let rows = of::<WaitsByThread>(&open("scheduling-lost.etl"));
    let mut found: Vec<_> = rows.iter().map(|row| (row.tid, [row.run_ms, row.wait_ms, row.unknown_ms])).collect();
    found.sort_by_key(|(tid, _)| *tid);
    let expected = [
        (100, [4.0, 10.0, 1.0]),
        (104, [0.0, 0.0, 15.0]),
        (108, [0.0, 5.0, 10.0]),
        (112, [0.0, 0.0, 15.0]),
        (116, [0.0, 11.0, 4.0]),
    ];
    assert_eq!(found, expected);
    let usage = of::<CpuUsage>(&open("scheduling-lost.etl"));
    let unknown = |processor: u16| -> f64 {
        usage.iter().filter(|row| row.processor == processor).map(|row| row.unknown_ms).sum()
    };
    assert_eq!([unknown(0), unknown(1)].map(|ms| (ms * 1000.0).round() as i64), [8_000, 4_000]);
}
