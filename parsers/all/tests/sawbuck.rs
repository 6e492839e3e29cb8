//! Process and image tables out of the 17 small kernel traces of project Sawbuck: each version of the events in both
//! pointer sizes. Skipped loudly where the corpus is absent.
//!
//! The `*_64_*` files were made by a 32-bit writer: headers state 4 bytes a pointer, payloads have 8. Versions 1 and up
//! end exactly at their end with one of the two layouts. Version 0 of images is `ImageBase ptr, ImageSize u32,
//! FileName`, and there the 32-bit layout ends exactly too, unless the size has a zero half that ends the name early:
//! it takes the upper half of the base for the size and the size for the first two characters of the name. So 44 of 52
//! events could be either by their length alone. The value distinguishes them: an image has at least one byte, and the
//! upper half of these bases, below 4 GB, is 0. A 64-bit base above 4 GB under a 32-bit header would still be misread;
//! no file has one.
//!
//! `test_data_64_v2.etl` is not what Windows writes: its size has 4 bytes and four more follow the process id, where
//! Windows has a size of 8 (`image_data_64_v2.etl`). Both are as long. What would be the upper half of the size is the
//! process id there, and 0 in a size.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, reason = "a test")]

mod common;

use std::collections::BTreeMap;

use etwkit::system::{Image, Process};
use etwkit::trace::{Filter, Order, Trace};

const IMAGE: &str = "2cb15d1d-5fc1-11d2-abe1-00a0c911f518";

/// The fields that all versions of an image event have.
type Row = (u32, u64, u64, String);

fn files() -> Vec<(String, Trace)> {
    let mine = etwkit_corpus::traces().into_iter().filter(|(name, _)| name.starts_with("sawbuck"));
    mine.map(|(name, path)| (name, common::census(&path, etwkit_parsers::standard()))).collect()
}

fn check_image(name: &str, image: &Image) {
    let what = format!("{name}: {image:x?}");
    assert_eq!(image.base % 0x1000, 0, "{what}");
    assert!(image.size > 0 && image.size.is_multiple_of(0x1000) && image.size < 1 << 30, "{what}");
    assert!(image.base.checked_add(image.size).is_some(), "{what}");
    let path = image.path.to_ascii_lowercase();
    assert!(path.starts_with(r"c:\") && [".exe", ".dll"].iter().any(|end| path.ends_with(end)), "{what}");
    // Versions 0 and 1 have no checksum.
    assert!(name.contains("_v2") || (image.checksum, image.time_stamp) == (0, 0), "{what}");
    assert!(image.load.zip(image.unload).is_none_or(|(load, unload)| load <= unload), "{what}");
}

fn check_overlaps(name: &str, images: &[Image]) {
    let mut sorted: Vec<&Image> = images.iter().collect();
    sorted.sort_by_key(|image| (image.pid, image.base, image.load));
    for pair in sorted.windows(2).filter(|pair| pair[0].pid == pair[1].pid) {
        let apart = pair[0].base + pair[0].size <= pair[1].base;
        let gone = pair[0].unload.zip(pair[1].load).is_some_and(|(unload, load)| unload < load);
        assert!(apart || gone, "{name}: {pair:x?}");
    }
}

fn check_process(name: &str, process: &Process) {
    let (facts, what) = (&process.facts, format!("{name}: {process:x?}"));
    assert!(facts.image.ends_with(".exe") || ["Idle", "System"].contains(&&*facts.image), "{what}");
    assert!(facts.pid % 4 == 0 && facts.parent.is_some_and(|parent| parent % 4 == 0), "{what}");
    assert!(facts.session.is_some_and(|session| session < 16 || session == u32::MAX), "{what}");
    assert!(facts.user.starts_with("S-1-5-"), "{what}");
    assert!(process.start.zip(process.end).is_none_or(|(start, end)| start <= end), "{what}");
}

#[test]
fn tables_are_plausible() {
    let files = files();
    let (mut images, mut processes) = (0, 0);
    for (name, trace) in &files {
        let state = trace.system();
        let list = state.images.list();
        for image in list {
            check_image(name, image);
        }
        check_overlaps(name, list);
        state.processes.list().for_each(|(_, process)| check_process(name, process));
        let count = state.processes.list().count();
        println!("{name}: {} images, {count} processes", list.len());
        assert_eq!((list.is_empty(), count == 0), (name.contains("process"), !name.contains("process")), "{name}");
        images += list.len();
        processes += count;
    }
    println!("{} files, {images} images, {processes} processes", files.len());
    assert!(files.is_empty() || (files.len(), images, processes) == (17, 300, 17));
}

#[test]
fn versions_and_pointer_sizes_tell_the_same() {
    let mut tables: BTreeMap<&str, (String, Vec<Row>)> = BTreeMap::new();
    let files = files();
    for (name, trace) in files.iter().filter(|(name, _)| !name.contains("process")) {
        let row = |image: &Image| (image.pid, image.base, image.size, image.path.to_string());
        let mut rows: Vec<Row> = trace.system().images.list().iter().map(row).collect();
        rows.sort();
        let (first, wanted) = tables
            .entry(if name.contains("image") { "image" } else { "test" })
            .or_insert_with(|| (name.clone(), rows.clone()));
        assert_eq!(*wanted, rows, "{first} and {name} differ");
    }
}

/// Image events of version 0 with 64-bit payloads, and how many of them the 32-bit layout would end exactly too.
fn ambiguous(trace: &Trace) -> (u32, u32) {
    let (mut all, mut either) = (0, 0);
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        if event.raw().provider_guid().to_string() != IMAGE || event.raw().version() != 0 {
            continue;
        }
        let payload = event.payload();
        let halves = [&payload[8..10], &payload[10..12]];
        assert_eq!(payload[4..8], [0; 4], "a base above 4 GB");
        all += 1;
        either += u32::from(halves.iter().all(|half| **half != [0, 0]));
        let size = event.field("ImageSize").and_then(|field| field.value()?.as_u64()).unwrap();
        assert!(size > 0 && event.remainder().is_empty());
    }
    (all, either)
}

#[test]
fn ambiguous_images_are_told_apart_by_their_size() {
    let (mut all, mut either) = (0, 0);
    for (name, trace) in files().iter().filter(|(name, _)| name.contains("64_v0")) {
        let (events, of_them) = ambiguous(trace);
        println!("{name}: {of_them} of {events} image events fit the 32-bit layout as well");
        all += events;
        either += of_them;
    }
    assert!(all == 0 || (all, either) == (52, 44), "{either} of {all}");
}
