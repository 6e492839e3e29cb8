//! Files of different clocks read as one trace: processes and stacks from one file apply to the events of the other
//! at the right times.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use etwkit::input::Input;
use etwkit::system::Unknown;
use etwkit::trace::Trace;
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder, kernel};

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
        assert_eq!(event.time().map(|time| time.0), Some(state.times.of(event.raw())), "the time line is UTC");
        if event.stack(&mut frames).is_some() {
            stacks.push(frames.clone());
        }
        if event.raw().id() == 1 {
            why.push(state.processes.why_unknown(event.raw().pid(), state.times.of(event.raw())));
        }
    }
    assert_eq!(why, [Some(Unknown::Later), None, Some(Unknown::Ended)]);
    assert_eq!(stacks, [[0x1000]]);
}
