//! Looking up the same addresses again costs little.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stderr, reason = "a test")]

#[allow(dead_code, reason = "made for other tests, too")]
mod common;

use std::time::{Duration, Instant};

use etwkit::bytes::Guid;
use etwkit_symbols::{Module, PdbId, SearchPath, Symbolizer};

/// A million frames at a thousand addresses, also of unoptimised code.
#[test]
fn a_million_frames_cost_at_most_a_second() {
    let real = etwkit_corpus::path("symbols");
    let made = tempfile::tempdir().unwrap();
    let guid = Guid::from_u128(0xCCF7_9D6C_6BA5_FBBF_4C4C_4420_5044_422E);
    std::fs::write(made.path().join("made.pdb"), common::pdb::pdb(guid, 1)).unwrap();
    let (folder, step) = real.as_deref().map_or((made.path(), 1), |real| (real, 200));
    let begun = Instant::now();
    let mut symbolizer = Symbolizer::new(SearchPath::new().folder(folder));
    let module = symbolizer.module(&Module::new("softokn3.dll").pdb(PdbId::new("softokn3.pdb", guid, 1)));
    let mut named = 0;
    for number in 0..1_000_000_u32 {
        named += usize::from(!symbolizer.frames(module, 0x1000 + number % 1000 * step).frames.is_empty());
    }
    let took = begun.elapsed();
    eprintln!("{named} of 1,000,000 frames named in {took:?}");
    assert!(named > if real.is_some() { 900_000 } else { 50_000 });
    assert!(took <= Duration::from_secs(1), "{took:?}");
}
