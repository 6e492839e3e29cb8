//! Profiles of a made trace, which has what no real trace at hand has: hardware counters, file operations, operations
//! whose start or end is missing.

use crate::forms::{folded, in_json, text};
use etwkit::FileTime;
use etwkit::input::Input;
use etwkit::trace::{Filter, Glob, RunOptions, TimeRange, Trace};
use etwkit_profile::weights::{CounterSamples, CpuSamples, DiskOperations, Events, FileOperations, Weigher};
use etwkit_profile::{
    Neighbor, Profile, ProfileOptions, Selection, Unit, callees, callers, functions, profile, select,
};
use etwkit_synth::event::{ModernEvent, PointerSize, SystemEvent};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::payload::Payload;
use etwkit_synth::{Guid, kernel};

use crate::sums::all_forms;

const SIZE: PointerSize = PointerSize::Eight;
const PID: u32 = 5200;
const TID: u32 = 5204;
const VICTIM: u32 = 6300;
const BASE: u64 = 0x7ff6_1a00_0000;

/// The trace. Ticks of its clock are units of 100 ns.
fn trace() -> Trace {
    let header = LogfileHeader::default();
    let mut buffer = Buffer::on(0);
    let mut add = |ticks: i64, event: SystemEvent| {
        let buffer_with = std::mem::replace(&mut buffer, Buffer::on(0));
        buffer = buffer_with.event(event.at(header.after(ticks)));
    };
    let stack = |ticks: i64, offset: u64| {
        kernel::stack_walk(SIZE, header.after(ticks), PID, TID, &[BASE + offset, BASE + 0x10])
    };
    let path = r"\Device\HarddiskVolume3\synth\app.exe";
    add(0, kernel::process(SIZE, 0x0303, PID, "app.exe", "app").by(PID, TID));
    add(0, kernel::image(SIZE, 0x1403, BASE, 0x2_4000, PID, path).by(PID, TID));
    let interval = |source: u32, interval: u32, name: &str| {
        let payload = Payload::new().u32(source).u32(interval).u32(interval).utf16z(name);
        SystemEvent::perfinfo(SIZE, 0x0f49).version(3).payload(payload)
    };
    add(1, interval(0, 10_000, "Timer"));
    add(1, interval(10, 65_536, "CacheMisses"));
    add(1, interval(19, 4_096, "TotalCycles"));
    let counter = |offset: u64, source: u16| {
        let payload = Payload::new().ptr(SIZE, BASE + offset).u32(TID).u16(source).u16(0);
        SystemEvent::perfinfo(SIZE, 0x0f2f).payload(payload)
    };
    for (ticks, offset, source) in [(1_000, 0x100, 10), (2_000, 0x200, 10), (3_000, 0x300, 19)] {
        add(ticks, counter(offset, source));
        add(ticks + 1, stack(ticks, offset));
    }
    for ticks in [10_000, 20_003, 30_000] {
        add(ticks, kernel::sampled_profile(SIZE, BASE + 0x400, TID));
        add(ticks + 1, stack(ticks, 0x400));
    }
    let read = |irp: u64, size: u32| {
        let ids = Payload::new().u64(0).ptr(SIZE, irp).ptr(SIZE, 0x77).ptr(SIZE, 0x78).u32(TID);
        SystemEvent::system(SIZE, 0x0443).version(3).by(PID, TID).payload(ids.u32(size).u32(0).u32(0))
    };
    let end = |irp: u64, bytes: u64, status: u32| {
        let payload = Payload::new().ptr(SIZE, irp).ptr(SIZE, bytes).u32(status);
        SystemEvent::system(SIZE, 0x044c).version(3).by(PID, TID).payload(payload)
    };
    let notify = |irp: u64| {
        let ids = Payload::new().ptr(SIZE, irp).ptr(SIZE, 0x77).ptr(SIZE, 0x78).ptr(SIZE, 0x79).u32(TID);
        SystemEvent::system(SIZE, 0x044d).version(3).by(PID, TID).payload(ids.u32(64).u32(1).u32(0).utf16z(""))
    };
    // A wait for changes of a folder; two at once, of which one transfers less; one whose start is missing; one whose end is missing, and one that fails,
    // whose IRP is used again.
    add(39_000, notify(0xf0));
    add(40_000, read(0xa0, 4_096));
    add(40_001, stack(40_000, 0x500));
    add(40_500, read(0xb0, 512));
    add(42_500, end(0xb0, 512, 0));
    add(47_000, end(0xa0, 4_000, 0));
    add(48_000, end(0xc0, 7, 0));
    add(49_000, read(0xd0, 1));
    add(49_500, read(0xd0, 2));
    add(49_700, end(0xd0, 2, 0xc000_0011));
    add(49_800, read(0xe0, 1));
    add(49_900, end(0xf0, 64, 0));
    let completion = |irp: u64, elapsed: u64| {
        let head = Payload::new().u32(0).u32(0).u32(8_192).u32(0).u64(0).ptr(SIZE, 0x78).ptr(SIZE, irp);
        SystemEvent::system(SIZE, 0x010a).version(3).by(u32::MAX, u32::MAX).payload(head.u64(elapsed).u32(TID))
    };
    let issue = Payload::new().ptr(SIZE, 0xf0).u32(TID);
    add(50_000, SystemEvent::system(SIZE, 0x010c).version(3).by(PID, TID).payload(issue));
    add(50_001, stack(50_000, 0x600));
    add(51_500, completion(0xf0, 1_500));
    // Its start is missing, but it states how long it took.
    add(52_000, completion(0xf1, 2_500));
    let file = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard());
    Trace::open(Input::bytes("made", file), parsers).unwrap()
}

fn of(trace: &Trace, weigher: impl Weigher + 'static, unit: Unit) -> Profile {
    let options = ProfileOptions { unit, has_timeline: true };
    let profile = profile(trace, weigher, options, &RunOptions::default()).unwrap();
    all_forms(&profile);
    profile
}

#[test]
fn counters_are_apart() {
    let trace = trace();
    let sources = CounterSamples::sources(&trace).unwrap();
    let found: Vec<_> = sources.iter().map(|source| (source.number, &*source.name, source.samples)).collect();
    assert_eq!(found, [(10, "CacheMisses", 2), (19, "TotalCycles", 1)]);
    let weights = |source, unit| of(&trace, CounterSamples::new(&trace, source).unwrap(), unit).total().weight;
    assert_eq!((weights(10, Unit::Samples), weights(10, Unit::Events)), (2, 2 * 65_536));
    assert_eq!((weights(19, Unit::Samples), weights(19, Unit::Events)), (1, 4_096));
}

/// Of the process that only the stack states, as no event of the thread states it.
#[test]
fn samples_are_chosen_by_the_process_of_their_stack() {
    let trace = trace();
    let samples = |filter: Filter| {
        let options = RunOptions::default().filter(filter);
        let profile = profile(&trace, CpuSamples::new(&trace).unwrap(), ProfileOptions::default(), &options).unwrap();
        profile.total().samples
    };
    let globs = |name: &str| Filter::default().processes([Glob::new(name)]);
    let options = RunOptions::default().filter(Filter::default().pids([PID + 4]));
    let files = FileOperations::new(&trace).unwrap();
    let others = profile(&trace, files, ProfileOptions::default(), &options).unwrap().quality;
    assert_eq!((others.samples, others.without_start, others.without_end), (0, 0, 0));
    assert_eq!([PID, PID + 4].map(|pid| samples(Filter::default().pids([pid]))), [3, 0]);
    assert_eq!([TID, TID + 4].map(|tid| samples(Filter::default().tids([tid]))), [3, 0]);
    assert_eq!(["app*", "other*"].map(|name| samples(globs(name))), [3, 0]);
}

#[test]
fn samples_stand_for_their_interval() {
    let trace = trace();
    let profile = of(&trace, CpuSamples::new(&trace).unwrap(), Unit::Time);
    assert_eq!(folded(&profile), "app.exe (5200);thread (5204);app.exe+0x10;app.exe+0x400 3\n");
    assert_eq!(profile.quality.with_stack, 3);
}

#[test]
fn callers_and_callees_are_those_of_functions_alone() {
    let trace = trace();
    let profile = of(&trace, CpuSamples::new(&trace).unwrap(), Unit::Samples);
    let names = |list: Vec<Neighbor>| list.into_iter().map(|row| (row.name, row.weight)).collect::<Vec<_>>();
    // The process is called so, too.
    let of = Glob::new("app.exe*");
    assert_eq!(names(callers(&profile, &of)), [("thread (5204)".to_owned(), 3)]);
    assert_eq!(names(callees(&profile, &of)), [("[self]".to_owned(), 3)]);
    for name in ["app.exe (5200)", "thread (5204)"] {
        assert_eq!((callers(&profile, &Glob::new(name)), callees(&profile, &Glob::new(name))), (vec![], vec![]));
    }
}

#[test]
fn file_operations_weigh_where_they_began() {
    let trace = trace();
    let profile = of(&trace, FileOperations::new(&trace).unwrap(), Unit::Time);
    let lines: Vec<String> = folded(&profile).lines().map(str::to_owned).collect();
    let root = "app.exe (5200);thread (5204)";
    assert_eq!(lines, [format!("{root} 0.22"), format!("{root};app.exe+0x10;app.exe+0x500 0.7")]);
    assert_eq!((profile.quality.without_start, profile.quality.without_end), (1, 2));
    let times: Vec<i64> = profile.samples().iter().map(|sample| sample.time.0 - profile.samples()[0].time.0).collect();
    assert_eq!(times, [0, 500, 9_500]);
    assert_eq!(of(&trace, FileOperations::new(&trace).unwrap(), Unit::Bytes).total().weight, 4_000 + 512);
}

#[test]
fn events_that_repeat_an_operation_with_its_path_begin_none() {
    let header = LogfileHeader::default();
    let information = |irp: u64| {
        let ids = Payload::new().ptr(SIZE, irp).ptr(SIZE, 0x77).ptr(SIZE, 0x78).ptr(SIZE, 0);
        ids.u32(TID).u32(13)
    };
    let event = |opcode: u16, ticks: i64, payload: Payload| {
        let event = SystemEvent::system(SIZE, 0x0400 + opcode).version(3).by(PID, TID);
        event.payload(payload).at(header.after(ticks))
    };
    let end = |ticks: i64, irp: u64| event(76, ticks, Payload::new().ptr(SIZE, irp).ptr(SIZE, 0).u32(0));
    let mut buffer = Buffer::on(0);
    // A deletion, a renaming and a link, each with its path, and a link without one.
    for (at, [operation, path]) in [(1_000, [70, 79]), (10_000, [71, 80]), (20_000, [82, 81])] {
        buffer = buffer.event(event(operation, at, information(0xa0)));
        buffer = buffer.event(event(path, at + 100, information(0xa0).utf16z("a.txt"))).event(end(at + 4_000, 0xa0));
    }
    buffer = buffer.event(event(82, 30_000, information(0xb0))).event(end(30_500, 0xb0));
    let file = TraceBuilder::new(header.clone()).buffer(buffer).build().bytes;
    let trace = Trace::open(Input::bytes("made", file), etwkit_parsers::standard()).unwrap();
    let profile = of(&trace, FileOperations::new(&trace).unwrap(), Unit::Time);
    assert_eq!((profile.quality.samples, profile.quality.without_end, profile.quality.without_start), (4, 0, 0));
    assert_eq!(profile.total().weight, 3 * 4_000 + 500);
}

/// `Microsoft-Windows-Kernel-File`, version 1 of its events.
#[test]
fn file_operations_of_the_provider_weigh_where_the_kernels_are_not() {
    let header = LogfileHeader::default();
    let event = |id: u16, ticks: i64, payload: Payload| {
        let event = ModernEvent::new(Guid::new(0xedd0_8927_9cc4_4e65_b970_c256_0fb5_c289)).id(id).version(1);
        event.at(header.after(ticks)).by(PID, TID).payload(payload)
    };
    let read = |irp: u64| {
        let ids = Payload::new().u64(0).ptr(SIZE, irp).ptr(SIZE, 0x100).ptr(SIZE, 0x900).u32(TID);
        ids.u32(64).u32(0).u32(0)
    };
    let end = |irp: u64, bytes: u64, status: u32| Payload::new().ptr(SIZE, irp).ptr(SIZE, bytes).u32(status);
    let buffer = Buffer::on(0)
        .event(event(15, 100, read(1)))
        .event(event(24, 400, end(1, 48, 0)))
        .event(event(15, 500, read(2)))
        .event(event(24, 700, end(2, 64, 0xc000_0022)))
        .event(event(15, 800, read(3)));
    let file = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let trace =
        Trace::open(Input::bytes("made", file), etwkit_parsers::with_stacks(etwkit_parsers::standard())).unwrap();
    let weigh = |unit| of(&trace, FileOperations::new(&trace).unwrap(), unit);
    assert_eq!((weigh(Unit::Time).total().weight, weigh(Unit::Bytes).total().weight), (300 + 200, 48));
    assert_eq!(weigh(Unit::Time).quality.without_end, 1);
}

#[test]
fn disk_operations_weigh_where_they_were_issued() {
    let trace = trace();
    let profile = of(&trace, DiskOperations, Unit::Time);
    let lines: Vec<String> = folded(&profile).lines().map(str::to_owned).collect();
    let weights: Vec<(bool, &str)> =
        lines.iter().map(|line| (line.contains("app.exe+0x600"), line.rsplit_once(' ').unwrap().1)).collect();
    // No event of this trace states the process of the thread that the other one names.
    assert_eq!(weights, [(true, "0.15"), (false, "0.25")]);
    assert_eq!(lines[1], "unknown (?);thread (5204) 0.25");
    assert_eq!(of(&trace, DiskOperations, Unit::Bytes).total().weight, 16_384);
}

/// Version 2 of the events has no `IssuingThreadId`: the header of the end has the process that the disk interrupted.
#[test]
fn disk_operations_that_began_outside_of_the_filter_count_for_nobody() {
    let header = LogfileHeader::default();
    let event = |opcode: u16, ticks: i64, by: u32, payload: Payload| {
        let event = SystemEvent::system(SIZE, 0x0100 + opcode).version(2).by(by, by + 4);
        event.payload(payload).at(header.after(ticks))
    };
    let start = |ticks: i64, irp: u64| event(12, ticks, PID, Payload::new().ptr(SIZE, irp));
    let end = |ticks: i64, irp: u64, elapsed: u64| {
        let head = Payload::new().u32(0).u32(0).u32(4_096).u32(0).u64(0).ptr(SIZE, 0x78).ptr(SIZE, irp);
        event(10, ticks, VICTIM, head.u64(elapsed))
    };
    let process = |pid: u32, name: &str| kernel::process(SIZE, 0x0303, pid, name, name).by(pid, pid + 4);
    let buffer = Buffer::on(0)
        .event(process(PID, "issuer.exe").at(header.after(1)))
        .event(process(VICTIM, "victim.exe").at(header.after(2)))
        .event(start(1_000, 0xa0))
        .event(end(3_000, 0xa0, 2_000))
        .event(start(4_000, 0xb0))
        .event(end(5_000, 0xb0, 1_000));
    let file = TraceBuilder::new(header.clone()).buffer(buffer).build().bytes;
    let trace = Trace::open(Input::bytes("made", file), etwkit_parsers::standard()).unwrap();
    let lines = |filter: Filter| {
        let options = ProfileOptions { unit: Unit::Time, has_timeline: false };
        let profile = profile(&trace, DiskOperations, options, &RunOptions::default().filter(filter)).unwrap();
        (folded(&profile), profile.quality.without_start, profile.quality.without_end)
    };
    let issuer = |weight: &str| format!("issuer.exe (5200);thread (5204) {weight}\n");
    let nothing = || (String::new(), 0, 0);
    assert_eq!(lines(Filter::default()), (issuer("0.3"), 0, 0));
    assert_eq!(lines(Filter::default().pids([PID])), (issuer("0.3"), 0, 0));
    assert_eq!(lines(Filter::default().pids([VICTIM])), nothing());
    assert_eq!(lines(Filter::default().processes([Glob::new("victim.exe")])), nothing());
    assert_eq!(lines(Filter::default().tids([VICTIM + 4])), nothing());
    assert_eq!(lines(Filter::default().names([Glob::new("DiskIO/Read")])), nothing());
    let after = |ticks: i64| TimeRange::default().since(FileTime(header.start_time + ticks));
    let until = |ticks: i64| TimeRange::default().until(FileTime(header.start_time + ticks));
    assert_eq!(lines(Filter::default().time(after(2_000))), (issuer("0.1"), 0, 0));
    assert_eq!(lines(Filter::default().time(until(4_500))), (issuer("0.2"), 0, 1));
}

#[test]
fn weights_that_no_trace_has_do_not_overflow() {
    let header = LogfileHeader::default();
    let mut buffer = Buffer::on(0);
    for ticks in [1_000, 2_000, 3_000] {
        let head = Payload::new().u32(0).u32(0).u32(u32::MAX).u32(0).u64(0).ptr(SIZE, 0x78).ptr(SIZE, 0xa0);
        let payload = head.u64(i64::MAX as u64).u32(TID);
        let event = SystemEvent::system(SIZE, 0x010a).version(3).payload(payload);
        buffer = buffer.event(event.at(header.after(ticks)));
    }
    let file = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let trace =
        Trace::open(Input::bytes("made", file), etwkit_parsers::with_stacks(etwkit_parsers::standard())).unwrap();
    let options = ProfileOptions { unit: Unit::Time, has_timeline: true };
    let profile = profile(&trace, DiskOperations, options, &RunOptions::default()).unwrap();
    assert_eq!((profile.total().samples, profile.total().weight), (3, i64::MAX as u64 / 1000));
    assert_eq!(profile.quality.clipped, 3);
    assert_eq!(folded(&profile).lines().count(), 1);
    assert!(in_json(&etwkit_profile::speedscope(&profile, "")).is_object());
    assert!(in_json(&etwkit_profile::chrome(&profile)).is_object());
    etwkit_profile::firefox(&profile, "").unwrap();
    assert!(!etwkit_profile::perfetto(&profile).is_empty() && !etwkit_profile::pprof(&profile).is_empty());
    assert!(text(|out| etwkit_profile::flame_graph(&profile, "", out)).contains("<svg"));
}

#[test]
fn any_event_weighs_one_under_its_name() {
    let trace = trace();
    let profile = of(&trace, Events, Unit::Samples);
    let own = |name: &str| functions(&profile).iter().find(|row| row.name == name).map(|row| row.exclusive);
    assert_eq!(own("Event Windows Kernel/PerfInfo/Sample"), Some(3));
    assert_eq!(own("Event Windows Kernel/FileIO/Read"), Some(5));
    assert_eq!(own("Event Windows Kernel/StackWalk/Stack"), None);
    let of_thread = |name: &str| {
        let threads = vec![Glob::new(name)];
        select(&profile, &Selection { threads, ..Selection::default() }).total().weight
    };
    assert!(of_thread("5204") > 0 && of_thread("5204") == of_thread("520?"));
    assert_eq!(of_thread("5208"), 0);
}
