//! Compressed files.

use etwkit_synth::{Block, Guid, LogfileHeader, ModernEvent, block_file};

use crate::Cost;
use crate::common::Folder;

const NAME: &str = "bomb.btl";

/// Blocks that unpack to a thousand times their size.
#[test]
fn blocks_of_events_that_are_all_alike() {
    let header = LogfileHeader::default();
    let event = ModernEvent::new(Guid::new(9)).id(1).at(header.after(5)).by(4, 8);
    let block = || (0..2_000).fold(Block::new(), |block, _| block.event(0, event.clone()));
    let folder = Folder::with(&[]);
    folder.write(NAME, &block_file(&header, (0..200).map(|_| block())).bytes);
    let cost = Cost::of(&folder, &["dump", NAME], NAME);
    cost.check();
    assert_eq!(cost.code, Some(1), "{cost:?}");
}
