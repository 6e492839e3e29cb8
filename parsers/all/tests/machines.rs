//! Files of several machines and boots read as one trace: what one machine states never applies to another one.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use etwkit::FileId;
use etwkit::input::Input;
use etwkit::limits::Limits;
use etwkit::system::Unknown;
use etwkit::trace::Trace;
use etwkit_synth::{Buffer, Clock, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder, kernel};

const SECOND: i64 = 10_000_000;
const HOUR: i64 = 3600 * SECOND;
const PID: u32 = 40;
const SIZE: PointerSize = PointerSize::Eight;

/// Returns the header of another machine, with another boot time.
fn booted(later: i64) -> LogfileHeader {
    let header = LogfileHeader::default();
    LogfileHeader { boot_time: header.boot_time + later, ..header }
}

/// Returns the kernel's file of a machine: a process, its thread and image, and a sample with its stack.
fn kernel_file(header: &LogfileHeader, image: &str, computer: Option<&str>) -> Vec<u8> {
    let at = |ticks: i64| header.after(ticks);
    let mut buffer = Buffer::on(0)
        .event(kernel::process(SIZE, 0x0301, PID, image, "").at(at(SECOND)).by(PID, 44))
        .event(kernel::image(SIZE, 0x140A, 0x1000, 0x1000, PID, &format!(r"\{image}")).at(at(SECOND)).by(PID, 44))
        .event(kernel::sampled_profile(SIZE, 0x1000, 44).at(at(2 * SECOND)))
        .event(kernel::stack_walk(SIZE, at(2 * SECOND), PID, 44, &[0x1010]).at(at(2 * SECOND + 5)));
    if let Some(name) = computer {
        buffer = buffer.event(cpu_config(name).at(at(3 * SECOND)));
    }
    TraceBuilder::new(header.clone()).buffer(buffer).build().bytes
}

fn cpu_config(computer: &str) -> etwkit_synth::SystemEvent {
    let name = Payload::new().zeros(20).utf16(computer);
    let padding = 20 + 2 * 256 - name.len();
    etwkit_synth::SystemEvent::system(SIZE, 0x0B0A).version(2).payload(name.zeros(padding).zeros(2 * 134 + 8))
}

/// Returns a file with one event of the process, two seconds after the start.
fn user_file(header: &LogfileHeader) -> Vec<u8> {
    let provider = Guid::new(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
    let event = ModernEvent::new(provider).id(1).at(header.after(2 * SECOND)).by(PID, 48).payload(Payload::new());
    TraceBuilder::new(header.clone()).buffer(Buffer::on(0).event(event)).build().bytes
}

fn open(files: &[Vec<u8>]) -> Trace {
    let inputs = files.iter().map(|bytes| Input::bytes("memory", bytes.clone()));
    Trace::open_all(inputs, etwkit_parsers::with_stacks(etwkit_parsers::standard())).unwrap()
}

/// Returns the names that the files' manifest events and samples have, by file.
fn names(trace: &Trace) -> Vec<(u16, Option<String>)> {
    let mut names = Vec::new();
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        if event.raw().id() == 1 {
            names.push((event.raw().place().file.0, event.process_name().map(str::to_owned)));
        }
    }
    names.sort_unstable();
    names
}

fn named(names: &[Option<&str>]) -> Vec<(u16, Option<String>)> {
    (1..).step_by(2).zip(names).map(|(file, name)| (file, name.map(str::to_owned))).collect()
}

#[test]
fn each_machine_has_its_own_processes() {
    let (here, there) = (booted(0), booted(HOUR));
    let trace = open(&[
        kernel_file(&here, "here.exe", None),
        user_file(&here),
        kernel_file(&there, "there.exe", None),
        user_file(&there),
    ]);
    assert_eq!(names(&trace), named(&[Some("here.exe"), Some("there.exe")]));
    let machines: Vec<_> = trace.systems().iter().map(|system| system.machine.files.to_vec()).collect();
    assert_eq!(machines, [[0, 1], [2, 3]].map(|files| files.map(FileId)));
    let processes = trace.systems().iter().map(|system| system.processes.list().count());
    assert_eq!(processes.collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn nothing_is_known_of_the_other_machine() {
    let trace = open(&[kernel_file(&booted(0), "here.exe", None), user_file(&booted(HOUR))]);
    assert_eq!(names(&trace), named(&[None]));
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        if event.raw().place().file == FileId(1) {
            assert_eq!(trace.system().process_at(PID, event.raw()), None);
            assert_eq!(trace.system().why_no_process(Some(PID), event.raw()), Some(Unknown::OtherMachine));
            assert_eq!(event.system().why_no_process(Some(PID), event.raw()), Some(Unknown::NoFacts));
        }
    }
}

#[test]
fn one_boot_time_is_enough_for_files_of_different_clocks() {
    let (kernel, user) = (booted(0), booted(0).on_system_time());
    assert_eq!(names(&open(&[kernel_file(&kernel, "app.exe", None), user_file(&user)])), named(&[Some("app.exe")]));
    // Somebody set the clock by nine seconds between the sessions.
    let moved = LogfileHeader { start_time: kernel.start_time + 9 * SECOND, ..booted(9 * SECOND) };
    assert_eq!(names(&open(&[kernel_file(&kernel, "app.exe", None), user_file(&moved)])), named(&[Some("app.exe")]));
}

#[test]
fn other_names_and_counters_are_other_machines() {
    let header = booted(0);
    let fast = LogfileHeader { clock: Clock::Qpc(24_000_000), ..booted(0) };
    let trace = open(&[kernel_file(&header, "app.exe", None), user_file(&fast)]);
    assert_eq!(names(&trace), named(&[None]));
    let trace = open(&[kernel_file(&header, "a.exe", Some("ANNA")), kernel_file(&header, "b.exe", Some("BERTA"))]);
    let found = trace.systems().iter().map(|system| system.machine.computer_name.as_deref());
    assert_eq!(found.collect::<Vec<_>>(), [Some("ANNA"), Some("BERTA")]);
    let processes = |at: usize| {
        let system = trace.systems().iter().nth(at).unwrap();
        system.processes.list().map(|(_, process)| process.file_name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((processes(0), processes(1)), (vec!["a.exe".to_owned()], vec!["b.exe".to_owned()]));
    let trace = open(&[kernel_file(&header, "a.exe", Some("ANNA")), user_file(&header)]);
    assert_eq!(names(&trace), named(&[Some("a.exe")]), "one name only");
}

#[test]
fn a_file_without_boot_time_goes_by_its_counter() {
    let none = |start: i64| {
        let header = LogfileHeader::default();
        LogfileHeader { boot_time: 0, start_time: header.start_time + start, ..header }
    };
    let kernel = kernel_file(&booted(0), "app.exe", None);
    assert_eq!(names(&open(&[kernel.clone(), user_file(&none(0))])), named(&[Some("app.exe")]));
    assert_eq!(names(&open(&[kernel.clone(), user_file(&none(HOUR))])), named(&[None]));
    assert_eq!(names(&open(&[kernel, user_file(&none(0).on_system_time())])), named(&[None]));
}

#[test]
fn stacks_stay_with_their_machine() {
    let (here, there) = (booted(0), booted(HOUR));
    let alone = open(&[kernel_file(&here, "here.exe", None)]);
    let trace = open(&[kernel_file(&here, "here.exe", None), kernel_file(&there, "there.exe", None)]);
    let (mut frames, mut found) = (Vec::new(), Vec::new());
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        if let Some(stack) = event.stack(&mut frames) {
            let image = event.system().image_at(stack.pid.unwrap(), frames[0], event.raw());
            found.push((event.raw().place().file.0, image.unwrap().file_name().to_owned()));
        }
    }
    found.sort_unstable();
    assert_eq!(found, [(0, "here.exe".to_owned()), (1, "there.exe".to_owned())]);
    let joins = [&alone, &trace].map(|trace| trace.stack_joins().unwrap());
    assert_eq!([joins[0].joined, joins[1].joined], [1, 2]);
    assert_eq!([joins[0].parts, joins[1].parts], [1, 2]);
    assert_eq!([alone.stack_counts().parts, trace.stack_counts().parts], [1, 2]);
}

#[test]
fn all_machines_share_the_caps() {
    let files = [kernel_file(&booted(0), "here.exe", None), kernel_file(&booted(HOUR), "there.exe", None)];
    let open = |entries| {
        let inputs = files.iter().map(|bytes| Input::bytes("memory", bytes.clone()));
        let trace = Trace::open_with(inputs, etwkit_parsers::standard(), Limits::default().system_entries(entries));
        let trace = trace.unwrap();
        let kept = trace.systems().iter().map(|system| system.processes.list().count() + system.images.list().len());
        (kept.sum::<usize>(), trace.system().budget.refused())
    };
    assert_eq!([open(4), open(3), open(0)], [(4, 0), (3, 1), (0, 4)]);
}
