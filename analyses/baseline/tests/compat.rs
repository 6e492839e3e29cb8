//! What TraceEvent does differently, in small traces.

#![expect(clippy::unwrap_used, reason = "a test")]

use etwkit::input::Input;
use etwkit::trace::Trace;
use etwkit_baseline::{Options, write_baseline};
use etwkit_synth::{ClassicEvent, Event, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder};

const DISK: Guid = Guid::new(0x3d6fa8d4_fe05_11d0_9dda_00c04fd7ba7c);
const THREAD: Guid = Guid::new(0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c);
const PRIVATE_RUNTIME: Guid = Guid::new(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4);

/// The lines of a trace of these events, a millisecond apart, without the header's.
fn lines(events: Vec<Event>, compat: bool) -> Vec<String> {
    let builder =
        events.into_iter().fold(TraceBuilder::new(LogfileHeader::default()), |builder, event| builder.log(0, event));
    let trace = Trace::open(Input::bytes("made", builder.build().bytes), etwkit_parsers::standard());
    let mut out = Vec::new();
    write_baseline(&trace.unwrap(), &Options::default().compat(compat), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines()
        .filter(|line| line.starts_with("EVENT ") && !line.contains("/EventTrace "))
        .map(str::to_owned)
        .collect()
}

fn at(milliseconds: i64) -> i64 {
    LogfileHeader::default().t0 + milliseconds * 10_000
}

/// The rundown of thread 44 of process 40.
fn rundown(time: i64) -> Event {
    let payload = Payload::new().u32(40).u32(44).zeros(7 * 8 + 8);
    ClassicEvent::new(PointerSize::Eight, THREAD, 3).version(3).at(time).by(u32::MAX, u32::MAX).payload(payload).into()
}

/// A read of thread 44, whose header tells nothing.
fn read(time: i64) -> Event {
    let payload = Payload::new().zeros(48).u32(44);
    ClassicEvent::new(PointerSize::Eight, DISK, 10).version(3).at(time).by(u32::MAX, u32::MAX).payload(payload).into()
}

#[test]
fn a_transfer_before_its_threads_rundown_is_of_no_process() {
    let pids = |compat| {
        let lines = lines(vec![read(at(1)), rundown(at(2)), read(at(3))], compat);
        let reads = lines.iter().filter(|line| line.contains("DiskIO/Read"));
        reads.map(|line| line.split("PID=").nth(1).unwrap().split(';').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(pids(true), ["-1", "40"]);
    assert_eq!(pids(false), ["40", "40"]);
}

#[test]
fn what_windows_does_not_name_has_a_number() {
    let event = |opcode| {
        ClassicEvent::new(PointerSize::Eight, DISK, opcode).version(3).at(at(1)).payload(Payload::new().zeros(16))
    };
    let [line] = lines(vec![event(16).into()], true).try_into().unwrap();
    assert!(line.contains(" Windows Kernel/DiskIO/Opcode(16) ") && line.ends_with("DataLen=16; "), "{line}");
}

#[test]
fn a_lone_text_is_a_message() {
    let event = ModernEvent::string_only(Guid::new(7), "hello").at(at(1)).by(1, 1);
    let [line] = lines(vec![event.into()], true).try_into().unwrap();
    assert!(
        line.ends_with("/EventWriteString PID=1; TID=1; PName=Process(1); ProceNum=0; DataLen=12; message=hello; "),
        "{line}"
    );
}

#[test]
fn values_that_are_not_there_are_those_of_their_types() {
    // ModuleUnload 1: no PDBs yet. Contention/Stop 0: no duration yet.
    let module = Payload::new().u64(1).u64(2).u32(0).u32(0).utf16z("a.dll").utf16z("").u16(1);
    let module = ModernEvent::new(PRIVATE_RUNTIME).id(153).version(1).at(at(1)).by(1, 1).payload(module);
    let contention =
        ModernEvent::new(PRIVATE_RUNTIME).id(91).version(0).at(at(2)).by(1, 1).payload(Payload::new().u8(0).u16(1));
    let [module, contention] = lines(vec![module.into(), contention.into()], true).try_into().unwrap();
    assert!(
        module.contains("; ManagedPdbSignature=00000000-0000-0000-0...; ManagedPdbAge=0; ManagedPdbBuildPath=; "),
        "{module}"
    );
    assert!(contention.ends_with("DurationNs=0.000; "), "{contention}");
}

#[test]
fn chunks_of_a_manifest_that_cannot_be_read_are_no_manifest() {
    let event = ModernEvent::new(Guid::new(7)).id(0xfffe).at(at(1)).by(1, 1).payload(Payload::new().zeros(20));
    let [line] = lines(vec![event.into()], true).try_into().unwrap();
    assert!(line.contains(")/EventID(65534) PID=1; ") && line.ends_with("DataLen=20; "), "{line}");
}

/// Of the newer of two layouts the length tells which it is.
#[test]
fn connections_of_64_bit_kernels_have_either_size() {
    let udp = Guid::new(0xbf3a50c5_a9c9_4988_a005_2df0b7c80f80);
    let event = |len: usize| {
        let payload = Payload::new().u32(40).u32(13).u32(0).u32(0).port(1).port(2).u32(0).zeros(len - 24);
        ClassicEvent::new(PointerSize::Eight, udp, 11).version(2).at(at(1)).payload(payload)
    };
    let lines = lines(vec![event(28).into(), event(32).into()], true);
    assert!(
        lines.iter().all(|line| line.contains("; context=0xd00000028; ") && line.contains("; size=13; ")),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 2);
}
