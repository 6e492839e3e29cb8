//! Many readers at a time state the same: of one trace that they share, and of one file that each opens.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::thread;

use etwkit::output::JsonLines;
use etwkit::trace::{RunOptions, Trace};
use etwkit_synth::busy;

const READERS: usize = 24;

fn lines(trace: &Trace) -> Vec<u8> {
    let mut sink = JsonLines::new(trace, Vec::new());
    trace.run(&RunOptions::default().threads(2), &mut sink).unwrap();
    sink.finish().unwrap()
}

#[test]
fn many_readers_say_the_same() {
    let file = std::env::temp_dir().join(format!("etwkit-readers-{}.etl", std::process::id()));
    std::fs::write(&file, busy::kernel_events(20_000)).unwrap();
    let open = || Trace::open(&file, etwkit_parsers::standard()).unwrap();
    let shared = open();
    let wanted = lines(&shared);
    assert!(wanted.len() > 1 << 20, "{} bytes are few", wanted.len());
    thread::scope(|scope| {
        for reader in 0..READERS {
            let (shared, wanted) = (&shared, &wanted);
            scope.spawn(move || {
                let own = (reader % 2 == 0).then(open);
                assert!(lines(own.as_ref().unwrap_or(shared)) == *wanted, "reader {reader} has other lines");
            });
        }
    });
    std::fs::remove_file(&file).unwrap();
}
