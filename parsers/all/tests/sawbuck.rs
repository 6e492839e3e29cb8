//! Process and image tables out of 17 small kernel traces of Windows 2000 to 10 (project Sawbuck): each version of the
//! events in both pointer sizes. Skipped loudly where the corpus is absent.
//!
//! The `*_64_*` files were made by a 32-bit writer: headers say 4 bytes a pointer, payloads have 8. Versions 1 and up end
//! exactly at their end with one of the two layouts. Version 0 of images is `ImageBase ptr, ImageSize u32, FileName`:
//! with a base below 4 GB the upper half of the base reads as a size of 0, and what follows as a name that begins with
//! the real size; a name without its end ends with the payload, so the 32-bit layout fits too unless the bytes of the
//! size end that name early. Nothing in the event tells the two apart: [`ambiguous_images`] counts them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, reason = "a test")]

mod common;

use etwkit::state::Image;
use etwkit::trace::{Census, Filter, Order};

#[test]
fn tables_are_plausible() {
    let (mut images, mut processes, mut files) = (0, 0, 0);
    for (name, path) in common::corpus_files().into_iter().filter(|(name, _)| name.starts_with("sawbuck")) {
        let census = common::census(&path, etwkit_parsers::standard());
        files += 1;
        let state = census.state();
        println!("{name}: {} images, {} processes", state.images.list().len(), state.processes.list().count());
        for image in state.images.list() {
            println!("   {image:x?}");
        }
        for (_, process) in state.processes.list() {
            println!("   {process:x?}");
        }
        images += state.images.list().len();
        processes += state.processes.list().count();
    }
    println!("{files} files, {images} images, {processes} processes");
}
