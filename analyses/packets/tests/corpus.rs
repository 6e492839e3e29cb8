//! Compares a real capture of PktMon with the output of `pktmon etl2pcap`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

mod common;

use std::path::PathBuf;

use common::{Capture, census, convert};
use etwkit::input::Input;
use etwkit_packets::{Drops, Options};

fn pktmon() -> Option<PathBuf> {
    etwkit_corpus::path("pktmon")
}

#[test]
fn packets_are_those_of_pktmon_itself() {
    let Some(folder) = pktmon() else { return };
    let theirs = Capture::read(&std::fs::read(folder.join("PktMon.cap")).unwrap());
    let trace = census(Input::open(folder.join("PktMon.etl")).unwrap());
    let (ours, totals) = convert(&trace, Options::default());
    assert_eq!(theirs.packets.len(), 114);
    assert_eq!(ours.packets.len(), 114);
    for (ours, theirs) in ours.packets.iter().zip(&theirs.packets) {
        // Theirs are in microseconds, ours in 100 ns.
        assert_eq!((ours.time / 10, ours.original, &ours.data), (theirs.time, theirs.original, &theirs.data));
    }
    assert_eq!((totals.dropped, totals.unwanted, totals.unreadable, totals.without_time, totals.late), (0, 0, 0, 0, 0));
    assert!(ours.packets.iter().any(|packet| packet.time % 10 != 0), "100 ns are kept");
}

#[test]
fn what_pktmon_itself_does_not_write_is_there() {
    let Some(folder) = pktmon() else { return };
    let trace = census(Input::open(folder.join("PktMon.etl")).unwrap());
    let (capture, _) = convert(&trace, Options::default());
    let names: Vec<_> =
        capture.interfaces.iter().map(|(link, options)| (*link, text(options, 2), text(options, 3))).collect();
    assert!(
        names.contains(&(
            1,
            "netvsc.sys (component 59)".to_owned(),
            "Miniport: Microsoft Hyper-V Network Adapter #3 on Ethernet 3".to_owned()
        )),
        "{names:?}"
    );
    assert_eq!(names.len(), 4);
    assert!(text(&capture.section, 3).starts_with("Windows Server 2022 Datacenter Azure Edition 20348."));
    let (inbound, outbound) = (Some(1), Some(2));
    assert!(capture.packets.iter().all(|packet| [inbound, outbound].contains(&packet.flags())));
    // The four components that see both directions share the ids of packets.
    let ids: std::collections::BTreeSet<_> = capture.packets.iter().map(common::Packet::id).collect();
    assert!(ids.len() < capture.packets.len() && !ids.contains(&None));
}

#[test]
fn a_component_and_first_appearances_can_be_chosen() {
    let Some(folder) = pktmon() else { return };
    let trace = census(Input::open(folder.join("PktMon.etl")).unwrap());
    let one = Options::default().components([48]);
    let (capture, totals) = convert(&trace, one);
    assert_eq!((capture.packets.len(), capture.interfaces.len(), totals.unwanted), (19, 1, 95));
    let first = Options::default().first_appearance(true);
    let (capture, totals) = convert(&trace, first);
    let ids: std::collections::BTreeSet<_> = capture.packets.iter().map(common::Packet::id).collect();
    assert_eq!(ids.len(), capture.packets.len(), "each packet once");
    assert_eq!(totals.packets + totals.unwanted, 114);
    let (capture, totals) = convert(&trace, Options::default().drops(Drops::Only));
    assert_eq!((capture.packets.len(), totals.unwanted), (0, 114));
}

fn text(options: &[(u16, Vec<u8>)], code: u16) -> String {
    let found = options.iter().find(|(found, _)| *found == code);
    found.map(|(_, text)| String::from_utf8(text.clone()).unwrap()).unwrap_or_default()
}
