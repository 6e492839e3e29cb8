//! `.btl` files: what is in them, from any source and on any number of threads.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etwkit::event::Kind;
use etwkit::format::{Framing, HeaderType};
use etwkit::input::Input;
use etwkit::output::JsonLines;
use etwkit::parser::Parsers;
use etwkit::trace::{Filter, Order, RunOptions, Trace};
use support::{census, census_of, events};

/// The one real file: counts of a walk by the words of section 17, made without this code.
#[test]
fn the_real_file_has_its_blocks_records_and_processors() {
    let Some(file) = real() else { return };
    let trace = census(Input::open(file).unwrap()).unwrap();
    let counts = trace.counts_of_all();
    assert_eq!((counts.buffers, counts.compressed_buffers, counts.events), (9, 9, 38_300));
    let records = [HeaderType::Record32, HeaderType::Record64].map(|header| counts.by_header[header.index()]);
    assert_eq!(records, [1, 38_299]);
    assert_eq!((counts.time_inversions, trace.processor_numbers()), (0, (0..12).collect()));
    assert!(trace.problems().is_empty(), "{:?}", trace.problems());
    let mut by_block: BTreeMap<u64, usize> = BTreeMap::new();
    for event in events(&trace, Order::Time, &Filter::default()) {
        *by_block.entry(event.buffer).or_default() += 1;
    }
    assert_eq!(by_block.into_values().collect::<Vec<_>>(), [1, 4888, 4888, 4865, 4796, 4756, 4730, 4681, 4695]);
    let classic = trace
        .types()
        .iter()
        .filter(|row| row.key().kind == Kind::Classic)
        .map(|row| row.events() - row.kernel_events());
    assert_eq!(classic.sum::<u64>(), 38_300);
}

/// The writer of 2019 packed its blocks with XPRESS-Huffman; all else is the same.
#[test]
fn blocks_of_xpress_huffman_are_read() {
    let fixture = etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == "bperf-huffman.btl").unwrap();
    let trace = census_of(&fixture.bytes).unwrap();
    assert!(trace.problems().is_empty(), "{:?}", trace.problems());
    let counts = trace.counts_of_all();
    assert_eq!((counts.buffers, counts.compressed_buffers, counts.events), (4, 4, 650));
    assert!(trace.buffer(0).unwrap().used > 72 + (64 << 10), "more than one code table");
    let mut all = trace.events_in(Order::File, &Filter::default());
    for wanted in &fixture.expected.events {
        let event = all.next_raw().unwrap().unwrap();
        let bytes = event.bytes();
        assert_eq!(bytes, &wanted.event.bytes[..bytes.len()]);
    }
    assert!(all.next_raw().unwrap().is_none());
}

/// A block whose sizes are lost is a gap; the search finds the next one.
#[test]
fn a_lost_block_of_xpress_huffman_costs_only_its_own_events() {
    let fixture = etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == "bperf-huffman.btl").unwrap();
    let mut bytes = fixture.bytes;
    let lost = &fixture.expected.buffers[1];
    let start = usize::try_from(lost.offset).unwrap();
    bytes[start..start + 24].fill(0);
    let trace = census_of(&bytes).unwrap();
    assert_eq!(trace.counts_of_all().events as usize, 650 - lost.events);
    let [problem] = trace.problems() else { panic!("{:?}", trace.problems()) };
    assert_eq!((problem.offset, problem.len), (lost.offset, u64::from(lost.size)));
}

/// The real file with its blocks packed by XPRESS-Huffman instead gives the same events.
#[test]
fn the_real_file_repacked_gives_the_same_events() {
    let Some(file) = real() else { return };
    let bytes = std::fs::read(file).unwrap();
    let (mut at, mut repacked) = (0, Vec::new());
    while at < bytes.len() {
        let number = |from: usize| u32::from_le_bytes(bytes[from..from + 4].try_into().unwrap()) as usize;
        let mut area = vec![0; number(at + 4)];
        etwkit::compress::ulz::decompress(&bytes[at + 8..at + 8 + number(at)], &mut area).unwrap();
        let packed = etwkit_synth::compress::huffman::compress(&area);
        repacked.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
        repacked.extend(&bytes[at + 4..at + 8]);
        repacked.extend(packed);
        repacked.resize(repacked.len().next_multiple_of(4), 0);
        at += 8 + number(at).next_multiple_of(4);
    }
    let repacked = Trace::open(Input::bytes("trace.btl", repacked), Parsers::none()).unwrap();
    assert!(repacked.problems().is_empty(), "{:?}", repacked.problems());
    let whole = Trace::open(Input::bytes("trace.btl", bytes), Parsers::none()).unwrap();
    let (mut one, mut other) =
        (whole.events_in(Order::File, &Filter::default()), repacked.events_in(Order::File, &Filter::default()));
    let mut events = 0;
    while let Some(event) = one.next_raw().unwrap() {
        assert_eq!(event.bytes(), other.next_raw().unwrap().unwrap().bytes());
        events += 1;
    }
    assert_eq!((events, other.next_raw().unwrap().is_none()), (38_300, true));
}

#[test]
fn all_sources_and_numbers_of_threads_give_the_same_lines() {
    let made = ["bperf.btl", "bperf-huffman.btl"].map(|name| support::fixtures_folder().join(name));
    for file in made.into_iter().chain(real()) {
        let bytes = Input::bytes("trace.btl", std::fs::read(&file).unwrap());
        let lines = json_lines(bytes, 1);
        assert!(!lines.is_empty());
        for threads in [1, 2, 8] {
            assert!(json_lines(Input::open(&file).unwrap(), threads) == lines, "{threads} threads, windows");
            assert!(json_lines(mapped(&file), threads) == lines, "{threads} threads, mapped");
        }
    }
}

#[test]
fn a_record_tells_its_own_processor_and_its_items_lie_behind_its_payload() {
    let fixture = etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == "bperf.btl").unwrap();
    let trace = census_of(&fixture.bytes).unwrap();
    assert!(trace.buffers().all(|info| info.framing == Framing::Records && info.processor == 0));
    assert_eq!(trace.processor_numbers(), [0, 1, 2]);
    let of_processor = Filter::default().processors([2]);
    let wanted = fixture.expected.events.iter().filter(|event| event.processor == 2).count();
    assert_eq!(events(&trace, Order::Time, &of_processor).len(), wanted);
    let mut all = trace.events_in(Order::File, &Filter::default());
    let mut items = 0;
    while let Some(event) = all.next_raw().unwrap() {
        items += event.extended().count();
        assert!(event.payload().len() < event.bytes().len() - 111);
    }
    assert_eq!(items, 5);
}

fn json_lines(source: Input, threads: usize) -> Vec<u8> {
    let trace = Trace::open(source, Parsers::none()).unwrap();
    let mut out = Vec::new();
    let options = RunOptions::default().threads(threads);
    trace.run(&options, &mut JsonLines::new(&trace, &mut out)).unwrap();
    out
}

#[expect(unsafe_code, reason = "mapping is what is tested")]
fn mapped(file: &Path) -> Input {
    // SAFETY: nobody changes fixtures and the corpus while tests run.
    unsafe { Input::map(file) }.unwrap()
}

fn real() -> Option<PathBuf> {
    etwkit_corpus::path("perfview/BPerfProfiles.2019-05-04-00-34-17_2019-05-04-09-58-26.btl")
}
