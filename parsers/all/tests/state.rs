//! The timelines of real traces are consistent: each failed lookup has a reason, and the reason is checked against a
//! list of the trace's own process, thread and file events that is made here in the plainest way. Skipped loudly where
//! the corpus is absent.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, reason = "a test")]

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use etwkit::decode::Event;
use etwkit::event::Kind;
use etwkit::system::{Image, System, Unknown};
use etwkit::time::{FileTime, RawTime};
use etwkit::trace::Trace;

/// The events about an id: (time, opcode) in order of time.
type Told = HashMap<u64, Vec<(RawTime, u8)>>;

/// How many lookups found something, and why the others did not.
#[derive(Debug, Default, PartialEq, Eq)]
struct Lookups {
    known: u64,
    unknown: BTreeMap<Unknown, u64>,
}

impl Lookups {
    fn add(&mut self, why: Option<Unknown>) {
        match why {
            None => self.known += 1,
            Some(why) => *self.unknown.entry(why).or_default() += 1,
        }
    }

    fn print(&self, what: &str) {
        println!("  {what}: {} known", self.known);
        for (why, count) in &self.unknown {
            println!("    {count} not: {}", why.reason());
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    events: u64,
    headers: Lookups,
    subjects: Lookups,
    threads: Lookups,
    files: Lookups,
    images: Lookups,
    image_addresses: u64,
    overlaps: u64,
}

const PROCESS: &str = "Process/";
const THREAD: &str = "Thread/";

fn counts(trace: &Trace) -> Counts {
    let state = trace.system();
    let told = told(trace);
    let mut counts = Counts::default();
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        counts.events += 1;
        let (raw, time) = (event.raw(), event.raw_time());
        let pids = [(event.raw().pid(), &mut counts.headers), (event.attribution().pid, &mut counts.subjects)];
        for (pid, lookups) in pids {
            let why = state.why_no_process(pid, raw);
            let found = pid.and_then(|pid| state.running_process_at(pid, raw));
            assert_eq!(found.is_none(), why.is_some(), "{pid:?} at {time}");
            if let Some(why) = why {
                assert_true_of(why, pid.filter(|pid| *pid != u32::MAX).map(u64::from), time, &told.processes);
            }
            lookups.add(why);
        }
        for name in ["FileObject", "FileKey"] {
            // Under its own name: each field once.
            let own = event.field(name).filter(|field| field.name() == name);
            if let Some(key) = own.and_then(|field| field.value()?.as_u64()) {
                let why = state.why_no_file_name(key, raw);
                assert_eq!(state.file_name_at(key, raw).is_none(), why.is_some());
                if let Some(why) = why {
                    assert_true_of(why, (key != 0).then_some(key), time, &told.files);
                }
                counts.files.add(why);
            }
        }
        threads_of(&event, state, &mut counts);
    }
    images(state, &mut counts);
    counts
}

/// A thread event's own thread belongs to the process it names, and that process is known.
fn threads_of(event: &Event<'_>, state: &System, counts: &mut Counts) {
    let name = event.schema().and_then(|schema| schema.names().full()).unwrap_or_default();
    let is_kernel = event.raw().kind() == Kind::Classic && name.starts_with(THREAD);
    if !is_kernel || !matches!(event.raw().opcode(), 1..=4) {
        return;
    }
    let number = |name| event.field(name).and_then(|field| field.value()?.as_u64()).map(|id| id as u32);
    let (Some(tid), Some(pid)) = (number("TThreadId"), number("ProcessId")) else { return };
    if tid != 0 {
        assert_eq!(state.thread_process_at(tid, event.raw()), Some(pid), "thread {tid} at {}", event.raw_time());
    }
    counts.threads.add(state.why_no_process(Some(pid), event.raw()));
}

#[derive(Default)]
struct AllTold {
    processes: Told,
    files: Told,
}

fn told(trace: &Trace) -> AllTold {
    let mut all = AllTold::default();
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        if let Some((pid, opcode)) = by_manifest(&event) {
            all.processes.entry(pid).or_default().push((event.raw_time(), opcode));
        }
        if event.raw().kind() != Kind::Classic {
            continue;
        }
        let name = event.schema().and_then(|schema| schema.names().full()).unwrap_or_default();
        let (time, opcode) = (event.raw_time(), event.raw().opcode());
        let number = |name| event.field(name).and_then(|field| field.value()?.as_u64());
        if name.starts_with(PROCESS) && matches!(opcode, 1..=4 | 39) {
            all.processes.entry(number("ProcessID").unwrap()).or_default().push((time, opcode));
        }
        if name.starts_with("FileIO/") && matches!(opcode, 0 | 32 | 35 | 36 | 64) {
            let key = number(if opcode == 64 { "FileObject" } else { "FileKey" });
            all.files.entry(key.unwrap()).or_default().push((time, opcode));
        }
    }
    all
}

/// Returns what Microsoft-Windows-Kernel-Process states about a process, by the kernel's opcodes.
fn by_manifest(event: &Event<'_>) -> Option<(u64, u8)> {
    let opcode = match event.raw().id() {
        _ if event.provider() != "Microsoft-Windows-Kernel-Process" => return None,
        1 => 1,
        2 => 2,
        15 => 3,
        _ => return None,
    };
    Some((event.field("ProcessID")?.value()?.as_u64()?, opcode))
}

/// Returns whether the reason is true according to the list of events. 1 starts and 2 ends a process, 39 lists one that
/// has ended; 3, 4, 35 and 36 are of rundowns and ends.
fn assert_true_of(why: Unknown, id: Option<u64>, time: RawTime, told: &Told) {
    let of_id = id.and_then(|id| told.get(&id)).map_or(&[][..], Vec::as_slice);
    let rundown = told.values().flatten().any(|(_, opcode)| matches!(opcode, 3 | 4 | 35 | 36));
    let holds = match why {
        Unknown::NoId => id.is_none(),
        Unknown::Idle => id == Some(0) && of_id.is_empty(),
        Unknown::NoFacts => told.is_empty(),
        Unknown::Later => !of_id.is_empty() && of_id.iter().all(|(at, _)| *at > time),
        Unknown::Ended => of_id.iter().any(|(at, opcode)| match opcode {
            2 => *at < time,
            39 => *at <= time,
            _ => false,
        }),
        Unknown::NoRundown => of_id.is_empty() && !rundown && !told.is_empty(),
        Unknown::NotInRundown => of_id.is_empty() && rundown,
        _ => false,
    };
    assert!(holds, "{why:?} of {id:x?} at {time}: told {of_id:?}, rundown {rundown}");
}

fn images(state: &System, counts: &mut Counts) {
    let list = state.images.list();
    let processes: BTreeSet<u32> = state.processes.list().map(|(_, process)| process.facts.pid).collect();
    for image in list {
        let time = image.load.or(image.unload).unwrap_or_default();
        let known = processes.contains(&image.pid);
        let never = state.why_no_process(Some(image.pid), time).filter(|_| !known);
        counts.images.add(never);
        if image.size == 0 {
            continue;
        }
        for address in [image.base, image.base + image.size - 1] {
            let found = state.image_at(image.pid, address, time).unwrap();
            assert!(address - found.base < found.size && [0, image.pid].contains(&found.pid), "{address:x}: {found:?}");
            counts.image_addresses += u64::from(found == image);
        }
    }
    counts.overlaps = overlaps(list);
}

/// Pairs of images that overlap in one process at one time.
fn overlaps(list: &[Image]) -> u64 {
    let mut by_place: Vec<&Image> = list.iter().collect();
    by_place.sort_by_key(|image| (image.pid, image.base));
    let mut overlaps = 0;
    for (at, a) in by_place.iter().enumerate() {
        let above = by_place[at + 1..].iter().take_while(|b| b.pid == a.pid && b.base < a.base + a.size);
        for b in above {
            let (from, to) =
                (|i: &Image| i.load.unwrap_or(FileTime(i64::MIN)), |i: &Image| i.unload.unwrap_or(FileTime(i64::MAX)));
            if from(a) <= to(b) && from(b) <= to(a) {
                println!("    overlap: {a:x?} and {b:x?}");
                overlaps += 1;
            }
        }
    }
    overlaps
}

fn print(name: &str, counts: &Counts) {
    println!("{name}: {} events", counts.events);
    counts.headers.print("processes of headers");
    counts.subjects.print("processes that events are about");
    counts.threads.print("processes of threads");
    counts.files.print("names of files");
    counts.images.print("processes of images");
    println!("  {} ends of images found, {} overlaps", counts.image_addresses, counts.overlaps);
}

/// Exact figures of two traces. The headers without a process are those of `PERFINFO_TRACE_HEADER`;
/// of the file objects without a name the trace has only reads, writes and closes.
fn exact(name: &str, counts: &Counts) {
    let (known, unknown) = match name {
        "perfview/net.4.5.2.x64.etl" => (
            [79_311, 173_448, 1_358, 4_464, 1_798],
            [
                vec![(Unknown::NoId, 100_157), (Unknown::Ended, 6)],
                vec![(Unknown::NoId, 6_014), (Unknown::Ended, 12)],
                vec![],
                vec![(Unknown::Later, 2), (Unknown::NotInRundown, 562)],
                vec![],
            ],
        ),
        "airbus/ShutdownPerfDiagLogger.etl" => (
            [8_433, 17_065, 3_058, 0, 6_936],
            [vec![(Unknown::NoId, 8_645)], vec![(Unknown::NoId, 8), (Unknown::Ended, 5)], vec![], vec![], vec![]],
        ),
        _ => return,
    };
    let all = [&counts.headers, &counts.subjects, &counts.threads, &counts.files, &counts.images];
    assert_eq!(all.map(|lookups| lookups.known), known, "{name}");
    assert_eq!(all.map(|lookups| lookups.unknown.clone().into_iter().collect::<Vec<_>>()), unknown, "{name}");
    assert_eq!(counts.events, known[0] + unknown[0].iter().map(|(_, count)| count).sum::<u64>(), "{name}");
    assert_eq!(counts.image_addresses, 2 * known[4], "{name}: each image is found at its first and last byte");
}

#[test]
fn real_traces_are_consistent() {
    for (name, path) in
        etwkit_corpus::traces().into_iter().filter(|(_, path)| path.extension().is_some_and(|ext| ext == "etl"))
    {
        let trace = common::census(&path, etwkit_parsers::standard());
        let counts = counts(&trace);
        print(&name, &counts);
        if name == "tx/Process.etl" {
            // Kernel-Process alone: no rundown, and unloads of images whose load it does not have, some several times.
            let unknown = BTreeMap::from([(Unknown::NoRundown, 60)]);
            assert_eq!((counts.images.known, counts.images.unknown, counts.overlaps), (1_194, unknown, 83));
            continue;
        }
        // That one has wrong sizes; see the tests of these files.
        assert!(counts.overlaps == 0 || name == "sawbuck/test_data_64_v2.etl", "{name}: {counts:?}");
        assert!(name.starts_with("sawbuck") || counts.images.unknown.is_empty(), "{name}: {counts:?}");
        exact(&name, &counts);
    }
}
