//! The time of threads in a made trace, which has stacks and all that threads may wait for. Times are written by hand.

use etwkit_synth::event::{Event, ModernEvent, PointerSize, SystemEvent};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::guid::Guid;
use etwkit_synth::kernel;
use etwkit_synth::payload::Payload;
use etwkit_synth::scheduling::{Leaves, context_switch, ready, thread};

use crate::forms::folded;
use etwkit::FileTime;
use etwkit::input::Input;
use etwkit::trace::{Filter, TimeRange, Trace};
use etwkit_profile::{Profile, ThreadTime};

use crate::thread_time::of;

const SIZE: PointerSize = PointerSize::Eight;
const PID: u32 = 5200;
const FIRST: u32 = 5204;
const SECOND: u32 = 5208;
const BASE: u64 = 0x7ff6_1a00_0000;
const DOTNET: Guid = Guid::new(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4);

/// Wait reasons.
const EXECUTIVE: u8 = 0;
const DELAY: u8 = 4;
const USER_REQUEST: u8 = 6;
const QUEUE: u8 = 15;
const PUSH_LOCK: u8 = 28;

const KERNEL_NETWORK: Guid = Guid::new(0x7dd4_2a49_5329_4832_8dfd_43d9_7915_3a88);

/// Events by their times in units of 100 ns, and whether the provider writes those of networks.
#[derive(Default)]
struct Events(Vec<Event>, LogfileHeader, bool);

impl Events {
    fn add(&mut self, time: i64, event: SystemEvent) {
        self.0.push(event.at(self.1.after(time)).into());
    }

    /// A switch to a thread, and its stack: a number for each.
    fn switch(&mut self, time: i64, new: u32, old: u32, leaves: Leaves, stack: u64) {
        self.add(time, context_switch(SIZE, new, old, leaves));
        if new != 0 {
            self.stack(time, new, stack);
        }
    }

    fn stack(&mut self, of: i64, tid: u32, stack: u64) {
        let addresses = [BASE + stack, BASE + 0x10];
        self.add(of + 1, kernel::stack_walk(SIZE, self.1.after(of), PID, tid, &addresses));
    }

    fn contention(&mut self, time: i64, id: u16) {
        let event = ModernEvent::new(DOTNET).id(id).version(1).by(PID, FIRST);
        let payload = Payload::new().u8(0).u16(7);
        let payload = if id == 91 { payload.f64(1.0) } else { payload };
        self.0.push(event.payload(payload).at(self.1.after(time)).into());
    }
}

fn waits_of_the_first(events: &mut Events) {
    let wait = |reason| Leaves::waiting(reason, 0);
    events.switch(1_000, FIRST, 0, Leaves::idle(), 0x100);
    events.add(3_000, kernel::sampled_profile(SIZE, BASE + 0x200, FIRST));
    events.stack(3_000, FIRST, 0x200);
    let issue = Payload::new().ptr(SIZE, 0xf0).u32(FIRST);
    events.add(5_000, SystemEvent::system(SIZE, 0x010c).version(3).by(PID, FIRST).payload(issue));
    events.switch(6_000, 0, FIRST, wait(EXECUTIVE), 0);
    let head = Payload::new().u32(0).u32(0).u32(8_192).u32(0).u64(0).ptr(SIZE, 0x78).ptr(SIZE, 0xf0);
    let done = head.u64(10_500).u32(FIRST);
    events.add(15_500, SystemEvent::system(SIZE, 0x010a).version(3).by(u32::MAX, u32::MAX).payload(done));
    events.add(16_000, ready(SIZE, FIRST, true));
    events.switch(16_500, FIRST, 0, Leaves::idle(), 0x300);
    // The operation is long over.
    events.switch(20_000, 0, FIRST, wait(PUSH_LOCK), 0);
    events.switch(24_000, FIRST, 0, Leaves::idle(), 0x400);
    events.switch(25_000, 0, FIRST, wait(QUEUE), 0);
    let received = Payload::new().u32(PID).u32(100).u32(0).u32(0).u16(80).u16(1).u32(0).ptr(SIZE, 0);
    if events.2 {
        // Its header has the process that ran.
        let event = ModernEvent::new(KERNEL_NETWORK).id(11).by(4, 4).payload(received.clone());
        events.0.push(event.at(events.1.after(34_000)).into());
    } else {
        events.add(34_000, SystemEvent::system(SIZE, 0x060b).version(2).by(4, 4).payload(received.clone()));
    }
    events.add(34_500, ready(SIZE, FIRST, true));
    // After the wait.
    events.add(34_800, SystemEvent::system(SIZE, 0x060b).version(2).by(4, 4).payload(received));
    events.switch(35_000, FIRST, 0, Leaves::idle(), 0x500);
    events.switch(40_000, 0, FIRST, wait(EXECUTIVE), 0);
    events.switch(45_000, FIRST, 0, Leaves::idle(), 0x600);
    let fault = Payload::new().i64(events.1.after(39_900)).u64(0).ptr(SIZE, 0x40).ptr(SIZE, 0x78);
    let fault = SystemEvent::system(SIZE, 0x0220).by(PID, FIRST).payload(fault.u32(FIRST).u32(4_096));
    events.add(45_500, fault);
}

fn preemption_and_contention(events: &mut Events) {
    let wait = |reason| Leaves::waiting(reason, 0);
    events.switch(50_000, SECOND, FIRST, Leaves::preempted(), 0x700);
    events.switch(60_000, FIRST, SECOND, wait(DELAY), 0x800);
    events.contention(64_000, 81);
    events.switch(65_000, 0, FIRST, wait(USER_REQUEST), 0);
    events.switch(75_000, FIRST, 0, Leaves::idle(), 0x900);
    events.contention(76_000, 91);
    events.switch(80_000, 0, FIRST, wait(USER_REQUEST), 0);
}

fn trace() -> Trace {
    trace_by(false)
}

/// A trace whose events of networks are those of the provider, or of the kernel's session.
fn trace_by(provider: bool) -> Trace {
    let mut events = Events { 2: provider, ..Events::default() };
    let path = r"\Device\HarddiskVolume3\synth\app.exe";
    events.add(0, kernel::process(SIZE, 0x0303, PID, "app.exe", "app").by(PID, FIRST));
    events.add(0, kernel::image(SIZE, 0x1403, BASE, 0x2_4000, PID, path).by(PID, FIRST));
    for tid in [FIRST, SECOND] {
        events.add(0, thread(SIZE, 0x0503, PID, tid, BASE).by(4, 100));
    }
    waits_of_the_first(&mut events);
    preemption_and_contention(&mut events);
    events.add(90_000, thread(SIZE, 0x0504, PID, FIRST, BASE).by(4, 100));
    let Events(list, header, _) = events;
    let file = TraceBuilder::new(header).buffer(Buffer::on(0).events(list)).build().bytes;
    let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard());
    Trace::open(Input::bytes("made", file), parsers).unwrap()
}

/// The lines of a profile without what they have in common, by thread and stack.
fn lines(profile: &Profile) -> Vec<String> {
    let text = folded(profile);
    let short = |line: &str| {
        let line = line.replace("app.exe (5200);thread ", "").replace(";app.exe+0x10;app.exe+", ";");
        line.replace("(5204)", "first").replace("(5208)", "second")
    };
    text.lines().map(short).collect()
}

#[test]
fn running_time_counts_at_the_newest_stack() {
    let profile = of(&trace(), ThreadTime::Running, &Filter::default());
    let expected = [
        "first;0x100 0.2",
        "first;0x200 0.3",
        "first;0x300 0.35",
        "first;0x400 0.1",
        "first;0x500 0.5",
        "first;0x600 0.5",
        "first;0x800 0.5",
        "first;0x900 0.5",
        "second;0x700 1",
    ];
    assert_eq!(lines(&profile), expected);
    assert_eq!((profile.quality.samples, profile.quality.with_stack), (9, 9));
}

#[test]
fn waits_say_what_they_were_for() {
    let trace = trace();
    let profile = of(&trace, ThreadTime::Wall, &Filter::default());
    let expected = [
        // Until the end of the trace: no switch states where.
        "first;Waiting (UserRequest) 1",
        "first;0x100;Running 0.2",
        "first;0x100;Unknown 0.1",
        "first;0x200;Running 0.3",
        "first;0x300;Ready 0.05",
        "first;0x300;Running 0.35",
        "first;0x300;Waiting for disk (Executive) 1",
        "first;0x400;Running 0.1",
        "first;0x400;Waiting for lock (WrPushLock) 0.4",
        "first;0x500;Ready 0.05",
        "first;0x500;Running 0.5",
        "first;0x500;Waiting for network (WrQueue) 0.95",
        "first;0x600;Running 0.5",
        "first;0x600;Waiting for hard fault (Executive) 0.5",
        "first;0x800;Ready (WrPreempted) 1",
        "first;0x800;Running 0.5",
        "first;0x900;Running 0.5",
        "first;0x900;Waiting for lock (UserRequest) 1",
        "second;Waiting (DelayExecution) 3",
        "second;0x700;Running 1",
        "second;0x700;Unknown 5",
    ];
    assert_eq!(lines(&profile), expected);
    // The lifetime of both threads.
    assert_eq!(profile.total().weight, 2 * 90_000);
}

/// The provider's events have the process that received the data in their payload alone.
#[test]
fn data_arrives_for_the_process_of_the_payload() {
    let of = |provider| lines(&of(&trace_by(provider), ThreadTime::Wall, &Filter::default()));
    assert_eq!(of(true), of(false));
}

#[test]
fn a_window_cuts_times_and_keeps_their_stacks() {
    let trace = trace();
    let since = |units: i64| FileTime(etwkit_synth::time::START + units);
    let time = TimeRange::default().since(since(2_000)).until(since(10_000));
    let filter = Filter::default().time(time).tids([FIRST]);
    let expected = ["first;0x100 0.1", "first;0x200 0.3"];
    assert_eq!(lines(&of(&trace, ThreadTime::Running, &filter)), expected);
    let expected =
        ["first;0x100;Running 0.1", "first;0x200;Running 0.3", "first;0x300;Waiting for disk (Executive) 0.4"];
    assert_eq!(lines(&of(&trace, ThreadTime::Wall, &filter)), expected);
}
