//! Traces made by synth.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

mod common;

use common::{Capture, census, convert};
use etwkit::input::Input;
use etwkit_packets::{Drops, Options, Totals, limits, packet_events};
use etwkit_synth::packets::{self, Appearance, keyword};
use etwkit_synth::{LogfileHeader, ModernEvent, TraceBuilder};

fn fixture(name: &str) -> etwkit::trace::Trace {
    let fixture = etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == name).unwrap();
    census(Input::bytes(fixture.name, fixture.bytes))
}

/// Converts events that follow each other by a millisecond.
fn made(events: impl IntoIterator<Item = ModernEvent>, options: Options) -> (Capture, Totals) {
    let header = LogfileHeader { buffer_size: 128 << 10, ..LogfileHeader::default() };
    let mut trace = TraceBuilder::new(header.clone());
    for (n, event) in (1..).zip(events) {
        trace = trace.log(0, event.at(header.after(10_000 * n)));
    }
    convert(&census(Input::bytes("made.etl", trace.build().bytes)), options)
}

#[test]
fn fixtures_become_this() {
    let (capture, totals) = convert(&fixture("packets-ndis.etl"), Options::default());
    insta::assert_snapshot!("packets_ndis", format!("{}{totals:#?}", capture.text()));
    let (capture, totals) = convert(&fixture("packets-pktmon.etl"), Options::default());
    insta::assert_snapshot!("packets_pktmon", format!("{}{totals:#?}", capture.text()));
    let all = Options::default().drops(Drops::With);
    let (capture, totals) = convert(&fixture("packets-pktmon.etl"), all);
    assert_eq!((capture.packets.len(), totals.dropped), (5, 0));
    let dropped = capture.packets[2].comment();
    assert!(dropped.contains("DropReason=9 DropLocation=0xe0004567"), "{dropped}");
    let only = Options::default().drops(Drops::Only);
    let (capture, _) = convert(&fixture("packets-pktmon.etl"), only);
    assert_eq!(capture.packets.iter().map(common::Packet::comment).collect::<Vec<_>>(), [dropped]);
}

#[test]
fn traces_without_packets_have_none() {
    assert_eq!(packet_events(&fixture("hello.etl")), 0);
    assert_eq!(packet_events(&fixture("packets-ndis.etl")), 14);
    assert_eq!(packet_events(&fixture("packets-pktmon.etl")), 5);
    let (capture, totals) = convert(&fixture("hello.etl"), Options::default());
    assert_eq!(
        (capture, totals.packets),
        (Capture { section: Capture::read(&empty()).section, ..Capture::default() }, 0)
    );
}

fn empty() -> Vec<u8> {
    let mut out = Vec::new();
    let names = etwkit_packets::Names::default();
    etwkit_packets::Converter::new(Options::default(), names, &mut out).unwrap().finish().unwrap();
    out
}

#[test]
fn processors_and_interfaces_do_not_mix() {
    // The same fragments in any interleaving of two interfaces.
    let send = keyword::ETHERNET | keyword::SEND;
    let parts = |interface: u32| {
        [(keyword::START, b"one".to_vec()), (0, b"two".to_vec()), (keyword::END, vec![interface as u8; 5])]
            .map(|(mark, data)| packets::true_fragment(interface, send | mark, &data))
    };
    let [a, b] = [parts(1), parts(2)];
    let mixed = [&a[0], &b[0], &b[1], &a[1], &b[2], &a[2]].into_iter().cloned();
    let (capture, totals) = made(mixed, Options::default());
    let data: Vec<&[u8]> = capture.packets.iter().map(|packet| packet.data.as_slice()).collect();
    assert_eq!(data, [b"onetwo\x02\x02\x02\x02\x02", b"onetwo\x01\x01\x01\x01\x01"]);
    assert_eq!((totals.incomplete, totals.orphans, totals.late), (0, 0, 0));
}

#[test]
fn sizes_that_lie_are_counted_and_the_rest_is_written() {
    let whole = keyword::ETHERNET | keyword::WHOLE;
    let sizes = [0, 1, 63, 64, 81, 1 << 16, u32::MAX - 8, u32::MAX];
    let events = sizes.map(|size| packets::fragment(1, whole, size, &[5; 64]));
    let (capture, totals) = made(events, Options::default());
    // 64 bytes and 16 of numbers follow: what is within can be read.
    let lengths: Vec<usize> = capture.packets.iter().map(|packet| packet.data.len()).collect();
    assert_eq!(lengths, [0, 1, 63, 64]);
    assert_eq!(totals.unreadable, 4);
}

#[test]
fn an_endless_packet_is_cut_and_says_so() {
    let block = vec![1; 60_000];
    let part = |n: u32| {
        let mark = if n == 0 {
            keyword::START
        } else if n == 9 {
            keyword::END
        } else {
            0
        };
        packets::true_fragment(1, keyword::ETHERNET | mark, &block)
    };
    let (capture, totals) = made((0..10).map(part), Options::default());
    assert_eq!(capture.packets.len(), 1);
    assert_eq!((capture.packets[0].data.len(), capture.packets[0].original), (limits::MAX_PACKET, 600_000));
    assert_eq!(totals.cut, 1);
}

#[test]
fn the_protected_bit_goes_only_when_asked_and_says_so() {
    let frame = [0x08, 0x42, 0, 0];
    let event = || [packets::true_fragment(1, keyword::NATIVE_802_11 | keyword::WHOLE, &frame)];
    let (capture, _) = made(event(), Options::default());
    assert_eq!((capture.packets[0].data.as_slice(), capture.packets[0].comment()), (&frame[..], ""));
    assert_eq!(capture.interfaces[0].0, 105);
    let (capture, _) = made(event(), Options::default().clear_protected(true));
    assert_eq!((capture.packets[0].data[1], capture.packets[0].comment()), (0x02, "ProtectedBitCleared"));
}

#[test]
fn link_types_of_pktmon() {
    let of = |kind| Appearance {
        group: 1,
        number: 1,
        direction: 5,
        kind,
        component: 3,
        drop: (0, 0),
        original: 4,
        data: b"abcd",
    };
    let (capture, _) = made([1, 2, 3, 4, 99].map(|kind| of(kind).event()), Options::default());
    let links: Vec<i32> =
        capture.packets.iter().map(|packet| capture.interfaces[packet.interface as usize].0).collect();
    assert_eq!(links, [1, 105, 101, 147, 147]);
    assert!(capture.packets.iter().all(|packet| packet.flags().is_none()), "a port's side is not a direction");
}
