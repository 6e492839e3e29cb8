//! Every cap on what a trace may make this crate keep.

/// Maximum number of bytes of one packet that are written; the rest is counted in its original length. It is also the
/// largest packet that Wireshark opens. Windows hands over less than this even where hardware cuts a large send into
/// packets.
pub const MAX_PACKET: usize = 256 << 10;
/// Packets whose last fragment is still awaited; Windows has one per processor.
pub const MAX_OPEN: usize = 4096;
/// Bytes of all packets whose last fragment is still awaited.
pub const MAX_OPEN_BYTES: usize = 64 << 20;
/// Interfaces of one file; packets of further ones go to one interface without a name for each link type.
pub const MAX_INTERFACES: usize = 1 << 16;
/// Components and adapters whose names are kept.
pub const MAX_NAMES: usize = 1 << 16;
/// Bytes of one comment or name; longer ones are cut at a character.
pub const MAX_TEXT: usize = 4096;
/// Characters of one name that are kept: NDIS has at most 256.
pub const MAX_NAME: usize = 512;
/// Destinations of one packet of a virtual switch that are listed in its comment.
pub const MAX_DESTINATIONS: usize = 16;
/// Bytes of metadata of Wi-Fi frames whose frame is still awaited, each.
pub const MAX_METADATA: usize = 1024;
