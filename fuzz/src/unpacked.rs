//! What inputs unpack to.

use etwkit::FileId;
use etwkit::container::{Frame, Frames, Head};
use etwkit::input::Input;

/// Bytes that the buffers of an input may have. A few packed bytes unpack to 256 MiB, which takes longer than a body may.
const MOST: u64 = 8 << 20;

/// Returns whether the buffers of a file have so many bytes that no body reads it.
pub(crate) fn is_long(file: &[u8]) -> bool {
    let source = Input::bytes("fuzz", file);
    let Ok(head) = Head::read(&source, FileId::FIRST, &mut Vec::new()) else { return false };
    let mut frames = Frames::new(&source, FileId::FIRST, &head);
    let mut bytes = 0_u64;
    while let Ok(Some(frame)) = frames.next_frame() {
        if let Frame::Buffer(info) = frame {
            bytes += u64::from(info.used);
        }
    }
    bytes > MOST
}
