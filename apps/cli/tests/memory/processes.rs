//! Processes and images of the traced system.

use etwkit_synth::event::{PointerSize, SystemEvent};
use etwkit_synth::{Buffer, Compression, LogfileHeader, TraceBuilder, kernel};

use crate::Cost;
use crate::common::Folder;

const NAME: &str = "flood.etl";
const EVENTS: u32 = 2_000_000;

fn folder(event: impl Fn(u32) -> SystemEvent) -> Folder {
    let header = LogfileHeader { buffer_size: 1 << 20, ..LogfileHeader::default() }.compressed();
    let mut trace = TraceBuilder::new(header.clone());
    for first in (0..EVENTS).step_by(5_000) {
        let events = (first..first + 5_000).map(|n| event(n).at(header.after(i64::from(n) + 1)).by(4, 8));
        trace = trace.buffer(Buffer::on(0).events(events).compress(Compression::Xpress));
    }
    let folder = Folder::with(&[]);
    folder.write(NAME, &trace.build().bytes);
    folder
}

fn check(folder: &Folder) {
    let cost = Cost::of(folder, &["info", NAME], NAME);
    cost.check();
    assert!(cost.text.contains("facts of the traced system were not kept: too many"), "{cost:?}");
}

#[test]
fn very_many_processes() {
    check(&folder(|n| kernel::process(PointerSize::Eight, 0x0301, 4 * n + 4, "a.exe", "a")));
}

#[test]
fn very_many_images() {
    check(&folder(|n| kernel::image(PointerSize::Eight, 0x1402, u64::from(n) << 16, 4096, 400, r"\a.dll")));
}
