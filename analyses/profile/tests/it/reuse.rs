//! Profiles of a trace in which a process has the id of one that has ended.

use etwkit::input::Input;
use etwkit::trace::{Filter, Glob, RunOptions, Trace};
use etwkit_profile::weights::Events;
use etwkit_profile::{Profile, ProfileOptions, chrome, perfetto, profile};
use etwkit_synth::event::{PointerSize, SystemEvent};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::kernel;
use etwkit_synth::payload::Payload;

use crate::forms::in_json;
use crate::proto::{all, fields};

const SIZE: PointerSize = PointerSize::Eight;
const PID: u32 = 100;

/// Two samples of the first process, and one of the second.
fn samples() -> Profile {
    let header = LogfileHeader::default();
    let process = |hook, name| kernel::process(SIZE, hook, PID, name, name);
    let sample = || SystemEvent::system(SIZE, 0x010c).version(2).payload(Payload::new().ptr(SIZE, 0xa0));
    let events = [
        (1_000, process(0x0301, "first.exe")),
        (2_000, sample()),
        (2_500, sample()),
        (3_000, process(0x0302, "first.exe")),
        (4_000, process(0x0301, "second.exe")),
        (5_000, sample()),
        (6_000, process(0x0302, "second.exe")),
    ];
    let add = |buffer: Buffer, (ticks, event): (i64, SystemEvent)| {
        buffer.event(event.by(PID, PID + 4).at(header.after(ticks)))
    };
    let buffer = events.into_iter().fold(Buffer::on(0), add);
    let file = TraceBuilder::new(header.clone()).buffer(buffer).build().bytes;
    let trace = Trace::open(Input::bytes("made", file), etwkit_parsers::standard()).unwrap();
    let options = RunOptions::default().filter(Filter::default().names([Glob::new("DiskIO/*")]));
    profile(&trace, Events, ProfileOptions { has_timeline: true, ..ProfileOptions::default() }, &options).unwrap()
}

#[test]
fn perfetto_shows_both_processes_of_an_id() {
    let bytes = perfetto(&samples());
    let (mut names, mut pids) = (Vec::new(), Vec::new());
    for (_, packet) in fields(&bytes) {
        let packet = fields(packet.bytes());
        for process in all(&packet, 2).flat_map(|tree| fields(tree.bytes())).filter(|(field, _)| *field == 1) {
            let process = fields(process.1.bytes());
            let name = all(&process, 3).next().unwrap().text().to_owned();
            names.push((all(&process, 1).next().unwrap().number(), name));
        }
        pids.extend(all(&packet, 66).map(|sample| all(&fields(sample.bytes()), 2).next().unwrap().number()));
    }
    assert_eq!(names, [(100, "first.exe (100)".to_owned()), (1, "second.exe (100)".to_owned())]);
    assert_eq!(pids, [100, 100, 1]);
}

#[test]
fn chrome_shows_both_processes_of_an_id() {
    let file = in_json(&chrome(&samples()));
    let events = file["traceEvents"].as_array().unwrap();
    let names = events.iter().filter(|event| event["name"] == "process_name");
    let names: Vec<_> = names.map(|event| (event["pid"].as_u64().unwrap(), event["args"]["name"].as_str())).collect();
    assert_eq!(names, [(100, Some("first.exe (100)")), (1, Some("second.exe (100)"))]);
    let chunks = events.iter().filter(|event| event["name"] == "ProfileChunk");
    assert_eq!(chunks.map(|event| event["pid"].as_u64().unwrap()).collect::<Vec<_>>(), [100, 1]);
}
