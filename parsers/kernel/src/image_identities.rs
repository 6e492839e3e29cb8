//! What merging (xperf, WPR, PerfView) adds about the files of images (section 15.2): by it, symbols are found for the
//! addresses of stacks.

use etwkit::system::System;

use crate::observer::{Facts, Watched, watched};
use crate::system_facts::mapping;

const IMAGE_ID: u128 = 0xb3e675d7_2554_4f18_830b_2762732560de;

/// The events that identify files.
pub(crate) static EVENTS: [Watched; 2] =
    [watched(IMAGE_ID, 0, &IMAGE_ID_FIELDS, image_id), watched(IMAGE_ID, 36, &RSDS_FIELDS, image_pdb)];

const IMAGE_ID_FIELDS: [&str; 4] = ["ProcessID", "ImageBase", "TimeDateStamp", "OriginalFileName"];
const RSDS_FIELDS: [&str; 5] = ["ProcessId", "ImageBase", "Age", "GuidSig", "PDBFileName"];

/// Notes what merging read from the header of an image's file.
fn image_id(event: &Facts<'_>, system: &mut System) {
    // Most are repeated by rundowns, loads and unloads.
    if let (Some(at), Some(time_stamp)) = (mapping(event), event.small(2))
        && !system.has_image_header(at, time_stamp)
    {
        system.add_image_header(event.raw(), at, time_stamp, &event.text(3));
    }
}

/// Notes the PDB file that an image names.
fn image_pdb(event: &Facts<'_>, system: &mut System) {
    if let (Some(at), Some(age), Some(guid)) = (mapping(event), event.small(2), event.guid(3)) {
        system.add_image_pdb(event.raw(), at, (guid, age), || event.text(4));
    }
}
