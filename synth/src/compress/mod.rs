//! Encoders of [MS-XCA], the formats of `RtlCompressBuffer`.
//! [`ulz`] is `BPerf`'s own.
//!
//! In `.etl` files only plain XPRESS is known; the buffer flag 0x40 does not identify the algorithm (section 2.5).

pub mod huffman;
pub mod lznt1;
mod matcher;
pub mod ulz;
pub mod xpress;
