//! What programs read of a trace whatever they choose is in its copies.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;

use etwkit::FileTime;
use etwkit::trace::{Filter, Glob, RunOptions, TimeRange, Trace};
use etwkit_analysis::rows;
use etwkit_io_analyses::RegistryByKey;
use etwkit_kernel_analyses::ImageList;
use etwkit_kernel_analyses::samples::Intervals;
use etwkit_packets::Names;
use etwkit_relog::CopyOptions;
use etwkit_synth::event::{PointerSize, SystemEvent};
use etwkit_synth::file::{LogfileHeader, TraceBuilder};
use etwkit_synth::{Payload, kernel};
use etwkit_windows_analyses::machine_facts;

use crate::copies::{copied, parsers};
use crate::headers::opened;

const EIGHT: PointerSize = PointerSize::Eight;
/// Ticks of the clock, and units of FILETIME, per second.
const SECOND: i64 = 10_000_000;

/// Returns the name of each reader, and what it finds.
fn facts(trace: &Trace) -> [(&'static str, String); 4] {
    let text = |found: &dyn Debug| format!("{found:?}");
    let images = rows::<ImageList>(trace, &RunOptions::default()).unwrap();
    let versions: BTreeSet<_> = images.into_iter().filter_map(|row| Some((row.path, row.file_version?))).collect();
    [
        ("versions", text(&versions)),
        ("intervals", text(&Intervals::of(trace).unwrap())),
        ("machine", text(&machine_facts(trace))),
        ("names", text(&Names::read(trace).unwrap())),
    ]
}

/// A trace whose first second has the facts.
fn made() -> Trace {
    let header = LogfileHeader::default();
    let at = |seconds: i64| header.after(seconds * SECOND);
    let event = |hook, version, seconds, payload: Payload| {
        SystemEvent::system(EIGHT, hook).version(version).payload(payload).at(at(seconds)).by(400, 404)
    };
    let key = |opcode: u16, seconds, block: u64, name: &str| {
        let payload = Payload::new().i64(at(seconds)).u32(0).u32(0).ptr(EIGHT, block).utf16z(name);
        event(0x0900 | opcode, 2, seconds, payload)
    };
    let interval = Payload::new().u32(0).u32(5_000).u32(10_000).utf16z("Timer");
    let events = [
        event(0x0f48, 3, 0, interval),
        kernel::build_lab(at(0), "19041.1.amd64fre.vb_release.191206-1406"),
        key(22, 0, 0x10, r"\REGISTRY\MACHINE\Created"),
        key(24, 0, 0x20, r"\REGISTRY\MACHINE\Listed"),
        key(13, 2, 0x10, ""),
        key(13, 2, 0x20, ""),
        key(13, 2, 0x30, ""),
        key(25, 3, 0x30, r"\REGISTRY\MACHINE\Listed at the end"),
    ];
    let builder = TraceBuilder::new(header.clone());
    opened([events.into_iter().fold(builder, |builder, event| builder.log(0, event)).build().bytes])
}

#[test]
fn copies_have_the_facts_of_the_trace() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let fixtures = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let real = etwkit_corpus::traces().into_iter().map(|(_, path)| path);
    let is_small = |path: &std::path::PathBuf| std::fs::metadata(path).unwrap().len() <= 4 << 20;
    let opened = fixtures.chain(real).filter(is_small).filter_map(|path| Trace::open(path, parsers()).ok());
    let nothing = Filter::default().names([Glob::new("no event is called this")]);
    let none = facts(&opened_without_facts());
    let mut found = [0; 4];
    for trace in opened.chain([made()]) {
        let Some(copy) = copied(&trace, &CopyOptions::default().filter(nothing.clone(), "")) else { continue };
        let (of_trace, of_copy) = (facts(&trace), facts(&copy));
        assert_eq!(of_trace, of_copy, "{}", trace.files()[0].source.name());
        for (count, (own, none)) in found.iter_mut().zip(of_trace.iter().zip(&none)) {
            *count += u32::from(own != none);
        }
    }
    assert!(found.iter().all(|count| *count > 0), "{found:?}");
}

fn opened_without_facts() -> Trace {
    opened([TraceBuilder::new(LogfileHeader::default()).build().bytes])
}

#[test]
fn copies_have_the_names_of_keys() {
    let trace = made();
    let time = TimeRange::default().since(FileTime(trace.start().unwrap().0 + SECOND));
    let filter = Filter::default().time(time.until(FileTime(trace.start().unwrap().0 + 5 * SECOND / 2)));
    let copy = copied(&trace, &CopyOptions::default().filter(filter.clone(), "")).unwrap();
    let keys = |trace: &Trace| -> Vec<String> {
        let rows = rows::<RegistryByKey>(trace, &RunOptions::default().filter(filter.clone())).unwrap();
        rows.into_iter().map(|row| row.key.unwrap_or_default()).collect()
    };
    assert_eq!(keys(&trace).concat().matches("MACHINE").count(), 3, "{:?}", keys(&trace));
    assert_eq!(keys(&copy), keys(&trace));
}
