//! Processes by events of Microsoft-Windows-Kernel-Process: named where the kernel's own events are absent, and never
//! two of one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use etwkit::FileId;
use etwkit::input::Input;
use etwkit::trace::Trace;
use etwkit_synth::{Buffer, Event, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder, kernel};

const SECOND: i64 = 10_000_000;
const PID: u32 = 40;
const PROVIDER: Guid = Guid::new(0x22fb_2cd6_0e7b_422b_a0c7_2fad_1fd0_e716);
const CREATED: i64 = 133_000_000_000_000_000;

fn at(seconds: i64) -> i64 {
    LogfileHeader::default().after(seconds * SECOND)
}

fn modern(id: u16, version: u8, time: i64, payload: Payload) -> Event {
    ModernEvent::new(PROVIDER).id(id).version(version).at(time).by(4, 8).payload(payload).into()
}

/// Returns `ProcessStart`, or `ProcessRundown` with id 15.
fn started(id: u16, time: i64, created: i64, image: &str) -> Event {
    let head = Payload::new().u32(PID).filetime(created).u32(12).u32(1).u32(0).utf16z(image);
    let (version, payload) = if id == 15 { (0, head.u32(0).u32(0).utf16z("").utf16z("")) } else { (1, head) };
    modern(id, version, time, payload)
}

fn stopped(time: i64, created: i64, image: &str) -> Event {
    let head = Payload::new().u32(PID).filetime(created).filetime(created + SECOND).u32(3).u32(1).u32(10);
    modern(2, 0, time, head.u64(0).u64(0).bytes(image.as_bytes()).zeros(1))
}

fn kernels(hook: u16, time: i64, image: &str) -> Event {
    kernel::process(PointerSize::Eight, hook, PID, image, "").at(time).by(PID, 44).into()
}

/// Returns an event of the process.
fn other(seconds: i64) -> Event {
    let provider = Guid::new(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
    ModernEvent::new(provider).id(1).at(at(seconds)).by(PID, 48).payload(Payload::new()).into()
}

/// Opens files of these events.
fn open<const N: usize>(files: [Vec<Event>; N]) -> Trace {
    let file = |events: Vec<Event>| {
        let buffer = events.into_iter().fold(Buffer::on(0), Buffer::event);
        Input::bytes("memory", TraceBuilder::new(LogfileHeader::default()).buffer(buffer).build().bytes)
    };
    Trace::open_all(files.map(file), etwkit_parsers::standard()).unwrap()
}

/// Returns the processes, and the names that the other events have.
fn found(trace: &Trace) -> (Vec<String>, Vec<Option<String>>) {
    let list = trace.system().processes.list().map(|(_, process)| process.file_name().to_owned());
    let mut names = Vec::new();
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        if event.raw().id() == 1 && event.raw().pid() == Some(PID) {
            names.push(event.process_name().map(str::to_owned));
        }
    }
    (list.collect(), names)
}

fn expect(trace: &Trace, list: &[&str], names: &[Option<&str>]) {
    let (found, named) = found(trace);
    let named: Vec<_> = named.iter().map(Option::as_deref).collect();
    assert_eq!((found.iter().map(String::as_str).collect::<Vec<_>>(), named), (list.to_vec(), names.to_vec()));
}

#[test]
fn they_name_processes_without_the_kernels_events() {
    let start = started(1, at(1), CREATED, r"\Device\HarddiskVolume2\a.exe");
    expect(&open([vec![other(0), start.clone(), other(2)]]), &["a.exe"], &[None, Some("a.exe")]);
    let ran = vec![other(0), start, other(2), stopped(at(3), CREATED, "a.exe"), other(4)];
    let trace = open([ran]);
    expect(&trace, &["a.exe"], &[None, Some("a.exe"), Some("a.exe")]);
    let (_, process) = trace.system().processes.list().next().unwrap();
    assert_eq!((process.facts.parent, process.facts.session, process.facts.exit_status), (Some(12), Some(1), Some(3)));
    assert!(process.start.is_some() && process.end.is_some());
    let rundown = started(15, at(3), CREATED, "b.exe");
    expect(&open([vec![other(0), rundown]]), &["b.exe"], &[Some("b.exe")]);
    expect(&open([vec![other(0), stopped(at(3), CREATED, "c.exe")]]), &["c.exe"], &[Some("c.exe")]);
}

#[test]
fn no_process_is_there_twice() {
    let kernels = || vec![kernels(0x0301, at(1), "a.exe"), kernels(0x0302, at(3), "a.exe")];
    let others = |late: i64| {
        vec![started(1, at(1) + late, CREATED, r"\x\A.EXE"), other(2), stopped(at(3) + late, CREATED, "A.EXE")]
    };
    for late in [-7, 0, 7] {
        expect(&open([[kernels(), others(late)].concat()]), &["a.exe"], &[Some("a.exe")]);
        expect(&open([kernels(), others(late)]), &["a.exe"], &[Some("a.exe")]);
        expect(&open([others(late), kernels()]), &["a.exe"], &[Some("a.exe")]);
        // Two sessions that write the same events.
        expect(&open([others(0), others(late)]), &["A.EXE"], &[Some("A.EXE"), Some("A.EXE")]);
    }
    let listed = vec![kernels_rundown("a.exe"), other(2)];
    expect(&open([listed, vec![started(15, at(1), CREATED, "a.exe")]]), &["a.exe"], &[Some("a.exe")]);
}

fn kernels_rundown(image: &str) -> Event {
    kernels(0x0304, at(9), image)
}

#[test]
fn a_rundown_does_not_claim_the_time_of_an_earlier_process() {
    let earlier =
        vec![started(1, at(1), CREATED, "early.exe"), other(2), stopped(at(3), CREATED, "early.exe"), other(5)];
    let trace = open([earlier, vec![kernels_rundown("late.exe")]]);
    expect(&trace, &["late.exe", "early.exe"], &[Some("early.exe"), Some("late.exe")]);
    // The start is known by the other source alone.
    let trace = open([vec![other(0), started(1, at(1), CREATED, "a.exe"), other(2)], vec![kernels_rundown("a.exe")]]);
    expect(&trace, &["a.exe"], &[None, Some("a.exe")]);
}

/// Returns `ImageLoad`.
fn load(base: u64, path: &str) -> Event {
    let head = Payload::new().u64(base).u64(0x1000).u32(PID).u32(5).u32(6).u64(base).utf16z(path);
    modern(5, 0, at(1), head)
}

#[test]
fn a_name_that_was_cut_off_is_that_of_the_image() {
    let end = stopped(at(3), CREATED, "SearchProtocol");
    expect(&open([vec![other(0), end.clone()]]), &["SearchProtocol"], &[Some("SearchProtocol")]);
    let whole = "SearchProtocolHost.exe";
    let images = vec![load(0x1000, r"\a\ntdll.dll"), load(0x3000, r"\b\SearchProtocolHost.exe"), other(2), end];
    expect(&open([images]), &[whole], &[Some(whole)]);
}

#[test]
fn images_are_known_once() {
    let kernels = kernel::image(PointerSize::Eight, 0x140A, 0x1000, 0x1000, PID, r"\kernel.dll").at(at(1)).by(PID, 44);
    let trace = open([vec![load(0x1000, r"\a.dll"), load(0x3000, r"\b.dll"), kernels.into(), other(2)]]);
    let names = |address| {
        trace.system().image_at(PID, address, trace.clock(FileId::FIRST)?.filetime(etwkit::time::RawTime(at(2)))?)
    };
    let names = [0x1010, 0x3010, 0x5010].map(|address| names(address).map(|image| image.file_name().to_owned()));
    assert_eq!(names, [Some("kernel.dll".to_owned()), Some("b.dll".to_owned()), None]);
    assert_eq!(trace.system().images.list().len(), 2);
}
