//! Analyses of traces that are made here: what one machine has is not stated of another one, and sums are exact.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::Input;
use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_kernel_analyses::{CpuSamples, DpcIsrByRoutine, ThreadList};
use etwkit_synth::file::Clock;
use etwkit_synth::kernel::sampled_profile;
use etwkit_synth::scheduling::{Leaves, context_switch, dpc, thread};
use etwkit_synth::{Event, LogfileHeader, PointerSize, TraceBuilder};

const SIZE: PointerSize = PointerSize::Eight;
const DAY: i64 = 864_000_000_000;

/// A trace that starts some days later than others.
fn file(days: i64, events: impl FnOnce(&LogfileHeader) -> Vec<Event>) -> Input {
    let usual = LogfileHeader::default();
    let [start_time, end_time, boot_time] =
        [usual.start_time, usual.end_time, usual.boot_time].map(|time| time + DAY * days);
    let header = LogfileHeader { start_time, end_time, boot_time, ..usual };
    let events = events(&header);
    let builder = TraceBuilder::new(header);
    let bytes = events.into_iter().fold(builder, |builder, event| builder.log(0, event)).build().bytes;
    Input::bytes(format!("day {days}"), bytes)
}

fn found<A: Analysis>(inputs: impl IntoIterator<Item = Input>) -> Vec<A::Row> {
    let trace = Trace::open_all(inputs, etwkit_parsers::standard()).unwrap();
    rows::<A>(&trace, &RunOptions::default()).unwrap()
}

/// A machine with context switches of thread 8, and one with a sample of thread 12.
fn machines() -> [Input; 2] {
    let switches = file(0, |header| {
        let at = |ms: i64| header.after(10_000 * ms);
        vec![
            thread(SIZE, 0x0503, 100, 8, 0x40).at(at(0)).by(100, 8).into(),
            context_switch(SIZE, 8, 0, Leaves::idle()).at(at(1)).into(),
            context_switch(SIZE, 0, 8, Leaves::waiting(6, 1)).at(at(3)).into(),
        ]
    });
    let samples = file(6, |header| {
        vec![
            thread(SIZE, 0x0503, 200, 12, 0x40).at(header.after(0)).by(200, 12).into(),
            sampled_profile(SIZE, 0x40, 12).at(header.after(10)).into(),
        ]
    });
    [switches, samples]
}

#[test]
fn a_machine_without_context_switches_has_no_time_by_them() {
    let mut cpu: Vec<_> =
        found::<CpuSamples>(machines()).iter().map(|row| (row.pid, row.samples, row.run_ms, row.switches)).collect();
    cpu.sort_by_key(|row| row.0);
    assert_eq!(cpu, [(Some(100), 0, Some(2.0), Some(1)), (Some(200), 1, None, None)]);
    let mut threads: Vec<_> =
        found::<ThreadList>(machines()).iter().map(|row| (row.tid, row.run_ms, row.switches)).collect();
    threads.sort_by_key(|row| row.0);
    assert_eq!(threads, [(8, Some(2.0), Some(1)), (12, None, None)]);
}

#[test]
fn microseconds_of_many_runs_are_added_without_an_error_of_rounding() {
    // 590 ticks of 100 ns each in all.
    let runs = [61, 21, 79, 81, 37, 89, 71, 52, 2, 97];
    let trace = file(0, |header| {
        let mut begin = header.after(0);
        let mut events = Vec::new();
        for ticks in runs {
            events.push(Event::from(dpc(SIZE, 0x0f44, begin, 0x1000).at(begin + ticks)));
            begin += ticks + 5;
        }
        events
    });
    let rows = found::<DpcIsrByRoutine>([trace]);
    let found: Vec<_> = rows.iter().map(|row| (row.count, row.total_us, row.max_us, row.avg_us)).collect();
    assert_eq!(found, [(10, Some(59.0), Some(9.7), Some(5.9))]);
}

#[test]
fn runs_of_one_routine_count_by_the_clock_of_their_file() {
    let session = |header: LogfileHeader, tenth_of_ms: i64| {
        let run = |number: i64| {
            let begin = header.after(10 * number * tenth_of_ms);
            dpc(SIZE, 0x0f44, begin, 0x1000).at(begin + tenth_of_ms)
        };
        let builder = TraceBuilder::new(header.clone());
        let bytes = (1..=4).fold(builder, |builder, number| builder.log(0, run(number))).build().bytes;
        Input::bytes(format!("{tenth_of_ms}"), bytes)
    };
    let counter = LogfileHeader { clock: Clock::Qpc(2_500_000), ..LogfileHeader::default() };
    let system = LogfileHeader::default().on_system_time();
    let rows = found::<DpcIsrByRoutine>([session(counter, 250), session(system, 1_000)]);
    let found: Vec<_> =
        rows.iter().map(|row| (row.count, row.total_us, row.max_us, row.avg_us, row.max_elapsed_us)).collect();
    assert_eq!(found, [(8, Some(800.0), Some(100.0), Some(100.0), Some(100.0))]);
}

/// A session of the machine of others that starts some milliseconds after the first one and takes ten.
fn session(start_ms: i64, events: impl FnOnce(&dyn Fn(i64) -> i64) -> Vec<Event>) -> Input {
    let usual = LogfileHeader::default();
    let later = 10_000 * start_ms;
    let (t0, start_time) = (usual.t0 + later, usual.start_time + later);
    let header = LogfileHeader { t0, start_time, end_time: start_time + 100_000, ..usual };
    let events = events(&|ms| header.after(10_000 * ms));
    let builder = TraceBuilder::new(header);
    let bytes = events.into_iter().fold(builder, |builder, event| builder.log(0, event)).build().bytes;
    Input::bytes(format!("from {start_ms} ms"), bytes)
}

#[test]
fn nothing_is_known_between_two_sessions() {
    let first = session(0, |at| {
        vec![
            thread(SIZE, 0x0503, 100, 8, 0x40).at(at(0)).by(100, 8).into(),
            context_switch(SIZE, 8, 0, Leaves::idle()).at(at(1)).into(),
            thread(SIZE, 0x0503, 100, 12, 0x40).at(at(4)).by(100, 12).into(),
        ]
    });
    let second = session(1_000, |at| {
        vec![
            thread(SIZE, 0x0503, 100, 8, 0x40).at(at(0)).by(100, 8).into(),
            context_switch(SIZE, 0, 8, Leaves::waiting(6, 1)).at(at(2)).into(),
            context_switch(SIZE, 8, 0, Leaves::idle()).at(at(5)).into(),
            context_switch(SIZE, 0, 8, Leaves::waiting(6, 1)).at(at(9)).into(),
        ]
    });
    let rows = found::<ThreadList>([first, second]);
    // From 1 to 4 ms, when the last event of the session about threads was, and from 1,005 to 1,009.
    let run = rows.iter().find(|row| row.tid == 8).and_then(|row| row.run_ms);
    assert_eq!(run, Some(7.0));
}

#[test]
fn a_thread_of_another_process_has_the_id_again() {
    let run = |pid: u32| {
        move |at: &dyn Fn(i64) -> i64| {
            vec![
                thread(SIZE, 0x0503, pid, 8, 0x40).at(at(0)).by(pid, 8).into(),
                context_switch(SIZE, 8, 0, Leaves::idle()).at(at(1)).into(),
                context_switch(SIZE, 0, 8, Leaves::waiting(6, 1)).at(at(3)).into(),
            ]
        }
    };
    let rows = found::<ThreadList>([session(0, run(100)), session(1_000, run(200))]);
    let mut found: Vec<_> = rows.iter().map(|row| (row.pid, row.tid, row.run_ms)).collect();
    found.sort_by_key(|row| row.0);
    assert_eq!(found, [(Some(100), 8, Some(2.0)), (Some(200), 8, Some(2.0))]);
}
