//! `info` and `buffers` report the same bytes of a damaged trace.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod common;

use std::collections::BTreeMap;

use etwkit_synth::{Fixture, fixtures};
use serde_json::Value;

use common::{Folder, fixture};

/// Where a plain buffer's header has its used length, in bytes.
const USED: usize = 0x30;

/// A problem's kind, offset, length, severity and text.
type Reported = (String, u64, u64, String, String);

/// What a command reports of the bytes of each file, sorted. `info` has one object per file, `buffers` one per buffer.
fn reported(folder: &Folder, command: &str, names: &[&str]) -> BTreeMap<String, Vec<Reported>> {
    let run = folder.run(&[&[command, "--json", "-q"], names].concat());
    assert_ne!(run.code, 0, "there is damage: {}", run.err);
    let mut all: BTreeMap<String, Vec<Reported>> = BTreeMap::new();
    for line in run.out.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let listed = row["problems"].as_array().into_iter().flatten().chain(Some(&row["problem"]));
        let found = all.entry(row["file"].as_str().unwrap().to_owned()).or_default();
        found.extend(listed.filter(|problem| problem["len"].as_u64() > Some(0)).map(|problem| {
            let text = |key: &str| problem[key].as_str().unwrap().to_owned();
            let number = |key: &str| problem[key].as_u64().unwrap();
            (text("kind"), number("offset"), number("len"), text("severity"), text("detail"))
        }));
    }
    for found in all.values_mut() {
        found.sort();
    }
    all
}

/// The same of one file, as kinds and ranges.
fn ranges(all: &BTreeMap<String, Vec<Reported>>, name: &str) -> Vec<(String, u64, u64)> {
    all[name].iter().map(|(kind, offset, len, ..)| (kind.clone(), *offset, *len)).collect()
}

/// Changes the used length of the plain buffer that begins at `header`.
fn move_used_length(bytes: &mut [u8], header: usize, by: i32) {
    let field = &mut bytes[header + USED..header + USED + 4];
    let used = u32::from_le_bytes(field.try_into().unwrap());
    field.copy_from_slice(&used.saturating_add_signed(by).to_le_bytes());
}

#[test]
fn a_used_length_that_is_too_short_is_reported_alike() {
    let mut bytes = fixture("hello.etl");
    move_used_length(&mut bytes, 8192, -12);
    let folder = Folder::with(&[]);
    folder.write("short.etl", &bytes);
    // The event that does not fit ends at 9128; what follows the used length, from 9120 on, is not fill.
    let expected = [("bad-event", 8904, 216), ("slack", 9120, 8)].map(|(kind, at, len)| (kind.to_owned(), at, len));
    for command in ["info", "buffers"] {
        assert_eq!(ranges(&reported(&folder, command, &["short.etl"]), "short.etl"), expected, "{command}");
    }
}

/// Damaged copies of a fixture: used lengths, bytes of events and zeroed ranges, at places that `seed` picks.
fn damaged(fixture: &Fixture, seed: usize) -> Vec<Vec<u8>> {
    let buffer = &fixture.expected.buffers[seed % fixture.expected.buffers.len()];
    let (start, used) = (buffer.offset as usize, (buffer.used.min(buffer.size) as usize).max(80));
    let place = start + 72 + seed.wrapping_mul(0x9E37) % (used - 72);
    let copy = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fixture.bytes.clone();
        change(&mut bytes);
        bytes
    };
    let last = fixture.bytes.len();
    vec![
        copy(&|bytes| move_used_length(bytes, start, -1 - i32::try_from(seed % 60).unwrap())),
        copy(&|bytes| move_used_length(bytes, start, 32)),
        copy(&|bytes| bytes[place.min(last - 1)] ^= 0x5A),
        copy(&|bytes| bytes[place.min(last)..(place + 40).min(last)].fill(0)),
        copy(&|bytes| bytes[place.min(last)..(place + 100).min(last)].fill(0xFF)),
        copy(&|bytes| bytes.truncate(place)),
    ]
}

#[test]
fn both_commands_report_the_same_bytes_of_damaged_fixtures() {
    let folder = Folder::with(&[]);
    let mut names = Vec::new();
    for (seed, fixture) in fixtures().iter().filter(|fixture| fixture.expected.is_trace()).enumerate() {
        for (number, bytes) in damaged(fixture, seed * 7 + 1).into_iter().enumerate() {
            names.push(format!("{number}-{}", fixture.name));
            folder.write(names.last().unwrap(), &bytes);
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (info, buffers) = (reported(&folder, "info", &names), reported(&folder, "buffers", &names));
    for (name, listed) in &info {
        assert_eq!(buffers[name], *listed, "{name}");
    }
    assert_eq!(info.len(), buffers.len());
    let kinds = |kind: &str| info.values().flatten().filter(|(found, ..)| found == kind).count();
    for kind in ["bad-event", "slack", "fill", "truncated", "bad-compression"] {
        assert!(kinds(kind) > 0, "no damage makes a problem of the kind {kind}");
    }
}
