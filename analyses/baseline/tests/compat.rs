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
    lines_of(events, &Options::default().compat(compat))
}

/// As a release of TraceEvent prints them.
fn lines_as_of(events: Vec<Event>, release: &str) -> Vec<String> {
    lines_of(events, &Options::default().compat(true).release(release.parse().unwrap()))
}

fn lines_of(events: Vec<Event>, options: &Options) -> Vec<String> {
    let builder =
        events.into_iter().fold(TraceBuilder::new(LogfileHeader::default()), |builder, event| builder.log(0, event));
    let trace = Trace::open(Input::bytes("made", builder.build().bytes), etwkit_parsers::standard());
    let mut out = Vec::new();
    write_baseline(&trace.unwrap(), options, &mut out).unwrap();
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

/// A read of thread 44, whose header names no process.
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

/// The length of the payload decides between the two newer layouts.
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

fn runtime(id: u16, version: u8, payload: Payload) -> Event {
    ModernEvent::new(PRIVATE_RUNTIME).id(id).version(version).at(at(1)).by(1, 1).payload(payload).into()
}

#[test]
fn fields_came_with_releases() {
    // AllocationTick 4 with an object of 32 bytes, MethodLoad 1 of tier 1, GlobalHeapHistory 4, HeapStats 2.
    let tick = || Payload::new().u32(7).u32(0).u16(8).u64(7).u64(0x30).utf16z("T").u32(0).u64(0x20).u64(32);
    let method = || Payload::new().u64(1).u64(2).u64(0x10).u32(5).u32(6).u32(3 << 7 | 1).u16(9);
    let history =
        || Payload::new().u64(1).u32(2).u32(3).u32(4).u32(0).u32(0).u16(9).u32(0).u32(59).u32(11).u32(12).u32(0);
    let heaps = || {
        let sizes = (1..=8).fold(Payload::new(), Payload::u64);
        sizes.u64(0).u64(0).u32(1).u32(2).u32(3).u16(9).u64(1000).u64(2000)
    };
    for (release, [object, tier, condemned, count, fourth]) in [
        ("2019-04", [false, false, false, false, false]),
        ("2019-05", [false, true, false, false, false]),
        ("2020-01", [false, true, false, false, false]),
        ("2020-03", [false, true, true, false, false]),
        ("2020-10", [false, true, true, true, true]),
        ("2021-01", [true, true, true, true, true]),
        ("newest", [true, true, true, true, true]),
    ] {
        let events =
            vec![runtime(10, 4, tick()), runtime(141, 1, method()), runtime(205, 4, history()), runtime(4, 2, heaps())];
        let [tick, method, history, heaps] = lines_as_of(events, release).try_into().unwrap();
        let address = if release < "2020" { "0x20" } else { "0x00000020" };
        let ends = format!("; HeapIndex=0; Address={address}; {}", if object { "ObjectSize=32; " } else { "" });
        assert!(tick.ends_with(&ends), "{release}: {tick}");
        let start = if release < "2020" { "0x10" } else { "0x00000010" };
        assert!(method.contains(&format!("; MethodStartAddress={start}; ")), "{release}: {method}");
        let ends = format!("; ClrInstanceID=9; {}", if tier { "OptimizationTier=QuickJitted; " } else { "" });
        assert!(method.ends_with(&ends), "{release}: {method}");
        let ends = [
            "; PauseMode=Batch; MemoryPressure=59; ",
            if condemned { "CondemnReasons0=11; CondemnReasons1=12; " } else { "" },
            if count { "Count=0; " } else { "" },
        ];
        assert!(history.ends_with(&ends.concat()), "{release}: {history}");
        let total = if fourth { "1,016" } else { "16" };
        assert!(heaps.contains(&format!("; TotalHeapSize={total}; ")), "{release}: {heaps}");
        let ends = format!(
            "; ClrInstanceID=9; {}",
            if fourth { "GenerationSize4=1,000; TotalPromotedSize4=2,000; " } else { "" }
        );
        assert!(heaps.ends_with(&ends), "{release}: {heaps}");
    }
}

/// A write of `elapsed` ticks to disk 0.
fn write(time: i64, elapsed: u64) -> Event {
    let payload = Payload::new().u32(0).u32(0).u32(4096).u32(0).u64(0).u64(0).u64(0).u64(elapsed).u32(44);
    ClassicEvent::new(PointerSize::Eight, DISK, 11).version(3).at(time).by(1, 44).payload(payload).into()
}

#[test]
fn the_correction_of_a_disks_time_is_lost() {
    let times = |compat| {
        let lines = lines(vec![write(at(3), 20_000), write(at(4), 20_000)], compat);
        let time =
            |line: &String| line.split("DiskServiceTimeMSec=").nth(1).unwrap().split(';').next().unwrap().to_owned();
        lines.iter().map(time).collect::<Vec<_>>()
    };
    assert_eq!(times(true), ["2.000", "2.000"]);
    assert_eq!(times(false), ["2.000", "1.000"]);
}

const SYSTEM_CONFIG: Guid = Guid::new(0x01853a65_418f_4f36_aefc_dc0f1d2fd235);

fn config(opcode: u8, version: u16, payload: Payload) -> Event {
    let event = ClassicEvent::new(PointerSize::Eight, SYSTEM_CONFIG, opcode).version(version);
    event.at(at(1)).by(1, 1).payload(payload).into()
}

#[test]
fn devices_before_version_4_have_no_names_of_objects() {
    let device = || Payload::new().zeros(12).utf16z("ID").utf16z("Text").utf16z("").utf16z("Object").utf16z("Service");
    let ends = |compat| lines(vec![config(22, 3, device())], compat).remove(0);
    assert!(ends(true).ends_with("; FriendlyName=; PdoName=; ServiceName=; "), "{}", ends(true));
    assert!(ends(false).ends_with("; FriendlyName=; PdoName=Object; ServiceName=Service; "), "{}", ends(false));
}

#[test]
fn the_number_of_an_interrupt_is_read_at_offset_8() {
    let irq = |version, payload: Payload, compat| lines(vec![config(21, version, payload)], compat).remove(0);
    let new = || Payload::new().u64(15).u16(1).u16(2).u32(9).u32(4).utf16z("d");
    let shown =
        |number: &str| format!("; IRQAffinity=15; IRQNum={number}; DeviceDescriptionLen=4; DeviceDescription=d; ");
    assert!(irq(3, new(), true).ends_with(&shown("131,073")), "{}", irq(3, new(), true));
    assert!(irq(3, new(), false).ends_with(&shown("9")), "{}", irq(3, new(), false));
    let old = || Payload::new().u64(15).u32(9).u32(4).utf16z("d");
    assert!(irq(2, old(), true).ends_with(&shown("9")), "{}", irq(2, old(), true));
}
