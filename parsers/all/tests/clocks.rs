//! Files of different clocks read as one trace: processes and stacks from one file apply to the events of the other
//! at the right times.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use etwkit::FileId;
use etwkit::input::Input;
use etwkit::system::Unknown;
use etwkit::time::{FileTime, RawTime};
use etwkit::trace::{Filter, TimeRange, Trace};
use etwkit_synth::{Buffer, Clock, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder, kernel};

const SECOND: i64 = 10_000_000;
const PID: u32 = 40;

/// Returns a kernel file by performance counter: a process that runs from second 1 to 3, a sample and its stack.
fn kernel_file() -> Vec<u8> {
    let header = LogfileHeader::default();
    let size = PointerSize::Eight;
    let process = |hook, at| kernel::process(size, hook, PID, "app.exe", "").at(header.after(at)).by(PID, 44);
    let stack = kernel::stack_walk(size, header.after(2 * SECOND), PID, 44, &[0x1000]);
    let buffer = Buffer::on(0)
        .event(process(0x0301, SECOND))
        .event(kernel::sampled_profile(size, 0x1000, 44).at(header.after(2 * SECOND)))
        .event(stack.at(header.after(2 * SECOND + 5)))
        .event(process(0x0302, 3 * SECOND));
    TraceBuilder::new(header).buffer(buffer).build().bytes
}

/// Returns a file by system time, with one event of the process at each of these times.
fn user_file(times: &[i64]) -> Vec<u8> {
    let header = LogfileHeader::default().on_system_time();
    let provider = Guid::new(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
    let event = |at: &i64| ModernEvent::new(provider).id(1).at(header.after(*at)).by(PID, 48).payload(Payload::new());
    let buffer = times.iter().fold(Buffer::on(0), |buffer, at| buffer.event(event(at)));
    TraceBuilder::new(header.clone()).buffer(buffer).build().bytes
}

#[test]
fn what_one_file_tells_holds_for_the_other() {
    let files = [kernel_file(), user_file(&[SECOND / 2, 2 * SECOND, 5 * SECOND])];
    let sources = files.iter().map(|bytes| Input::bytes("memory", bytes.clone()));
    let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard());
    let trace = Trace::open_all(sources, parsers).unwrap();
    let state = trace.system();
    let (mut why, mut stacks, mut frames) = (Vec::new(), Vec::new(), Vec::new());
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        if event.stack(&mut frames).is_some() {
            stacks.push(frames.clone());
        }
        if event.raw().id() == 1 {
            why.push(state.why_no_process(event.raw().pid(), event.raw()));
        }
    }
    assert_eq!(why, [Some(Unknown::Later), None, Some(Unknown::Ended)]);
    assert_eq!(stacks, [[0x1000]]);
}

/// What a trace knows of the process and its image, in calendar time.
fn facts(trace: &Trace) -> Facts {
    let system = trace.system();
    let (_, process) = system.processes.list().find(|(_, process)| process.facts.pid == PID).unwrap();
    let image = system.images.list().iter().find(|image| image.pid == PID).unwrap();
    Facts { ran: [process.start, process.end], mapped: [image.load, image.unload] }
}

#[derive(Debug, PartialEq, Eq)]
struct Facts {
    ran: [Option<FileTime>; 2],
    mapped: [Option<FileTime>; 2],
}

/// A kernel file whose clock is faster than 10 MHz: a process, a second one with the same id that starts some ticks
/// later, so that the end of the first was lost, and an image of the second that comes and goes.
fn fast_kernel_file(later: i64) -> (Vec<u8>, [i64; 3]) {
    let header = LogfileHeader { clock: Clock::Qpc(24_000_000), ..LogfileHeader::default() };
    let size = PointerSize::Eight;
    let ticks = [24_000_001, 24_000_001 + later, 72_000_007].map(|tick| header.t0 + tick);
    let process = |hook, at, image| kernel::process(size, hook, PID, image, "").at(at).by(PID, 44);
    let image = |hook, at| kernel::image(size, hook, 0x1000, 0x1000, PID, r"\a.dll").at(at).by(PID, 44);
    let buffer = Buffer::on(0)
        .event(process(0x0301, ticks[0], "first.exe"))
        .event(process(0x0301, ticks[1], "second.exe"))
        .event(image(0x140A, ticks[1]))
        .event(image(0x1402, ticks[2]))
        .event(process(0x0302, ticks[2], "second.exe"));
    (TraceBuilder::new(header).buffer(buffer).build().bytes, ticks)
}

/// A later file of the same clock, which counts from its own start.
fn sample_file() -> Vec<u8> {
    let header = LogfileHeader { clock: Clock::Qpc(24_000_000), ..LogfileHeader::default() };
    let (t0, start_time) = (header.t0 + 24_000_017, header.start_time + SECOND + 7);
    let header = LogfileHeader { t0, start_time, ..header };
    let sample = kernel::sampled_profile(PointerSize::Eight, 0x1000, 44).at(t0 + 11);
    TraceBuilder::new(header).buffer(Buffer::on(0).event(sample)).build().bytes
}

fn open(files: &[Vec<u8>]) -> Trace {
    let inputs = files.iter().map(|bytes| Input::bytes("memory", bytes.clone()));
    Trace::open_all(inputs, etwkit_parsers::standard()).unwrap()
}

fn times(trace: &Trace, ticks: [i64; 3]) -> [FileTime; 3] {
    ticks.map(|tick| trace.clock(FileId::FIRST).unwrap().filetime(RawTime(tick)).unwrap())
}

#[test]
fn times_are_the_same_in_one_file_and_in_two() {
    let (kernel, ticks) = fast_kernel_file(10);
    let one = open(std::slice::from_ref(&kernel));
    let two = open(&[kernel.clone(), user_file(&[2 * SECOND])]);
    let shared = open(&[kernel, sample_file()]);
    let [start, second, end] = times(&one, ticks);
    let expected = Facts { ran: [Some(start), Some(second)], mapped: [Some(second), Some(end)] };
    for (trace, what) in [(&one, "one file"), (&two, "two clocks"), (&shared, "one clock twice")] {
        assert_eq!(facts(trace), expected, "{what}");
        let system = trace.system();
        let before = |time: FileTime| FileTime(time.0 - 1);
        let after = |time: FileTime| FileTime(time.0 + 1);
        let names = [before(start), start, second, after(end)].map(|time| system.process_name_at(PID, time));
        assert_eq!(names, [None, Some("first.exe"), Some("second.exe"), Some("second.exe")], "{what}");
        let runs = [before(start), start, end, after(end)].map(|time| system.running_process_at(PID, time).is_some());
        let maps = [before(second), second, end, after(end)].map(|time| system.image_at(PID, 0x1234, time).is_some());
        assert_eq!([runs, maps], [[false, true, true, false]; 2], "{what}");
    }
}

#[test]
fn events_are_exact_to_the_tick_and_of_one_time_the_last_is_found() {
    let (kernel, ticks) = fast_kernel_file(1);
    let trace = open(&[kernel]);
    let [start, second, _] = times(&trace, ticks);
    assert_eq!(start, second, "two ticks, one time");
    assert_eq!(trace.system().process_name_at(PID, start), Some("second.exe"));
    let mut names = Vec::new();
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        if ticks.contains(&event.raw_time().0) {
            names.push(trace.system().process_name_at(PID, event.raw()).map(str::to_owned));
        }
    }
    let names: Vec<_> = names.iter().map(Option::as_deref).collect();
    let [first, second] = [Some("first.exe"), Some("second.exe")];
    assert_eq!(names, [first, second, second, second, second]);
}

/// A file of the same clock whose header states a start 50 µs later than that of the other one.
fn shifted_file() -> Vec<u8> {
    let header = LogfileHeader::default();
    let (t0, start_time) = (header.after(SECOND), header.start_time + SECOND + 500);
    let header = LogfileHeader { t0, start_time, ..header };
    let provider = Guid::new(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
    let event = |at| ModernEvent::new(provider).id(1).at(header.after(at)).by(PID, 48);
    TraceBuilder::new(header.clone()).buffer(Buffer::on(0).event(event(SECOND)).event(event(SECOND + 10))).build().bytes
}

#[test]
fn a_window_of_time_is_by_the_clock_of_each_file() {
    let (kernel, shifted) = (kernel_file(), shifted_file());
    for files in [[kernel.clone(), shifted.clone()], [shifted, kernel]] {
        let trace = open(&files);
        let mut times = Vec::new();
        let mut events = trace.events();
        while let Some(event) = events.next().unwrap() {
            times.extend(event.time().filter(|_| event.raw().id() == 1));
        }
        let [first, second] = times.try_into().unwrap();
        let count = |since: Option<FileTime>, until: Option<FileTime>| {
            let filter = Filter::default().ids([1]).time(TimeRange::default().since(since).until(until));
            let (mut events, mut count) = (trace.select(&filter), 0);
            while events.next().unwrap().is_some() {
                count += 1;
            }
            count
        };
        assert_eq!(
            [count(Some(first), None), count(Some(FileTime(first.0 + 1)), None), count(Some(second), None)],
            [2, 1, 1]
        );
        assert_eq!([count(None, Some(first)), count(None, Some(second)), count(Some(first), Some(first))], [1, 2, 1]);
        assert_eq!(count(Some(FileTime(second.0 + 1)), None), 0);
    }
}
