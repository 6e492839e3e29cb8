//! Opcodes of events of the kernel that several analyses read, and what tells them apart.

/// Opcodes of [`DISK_IO`](crate::guids::DISK_IO).
pub mod disk_io {
    /// A read is done.
    pub const READ: u8 = 10;
    /// A write is done.
    pub const WRITE: u8 = 11;
    /// A read begins.
    pub const READ_INIT: u8 = 12;
    /// A write begins.
    pub const WRITE_INIT: u8 = 13;
    /// A flush is done.
    pub const FLUSH: u8 = 14;
    /// A flush begins.
    pub const FLUSH_INIT: u8 = 15;
    /// The events of what begins.
    pub const STARTS: [u8; 3] = [READ_INIT, WRITE_INIT, FLUSH_INIT];
    /// All of them.
    pub const ALL: &[u8] = &[READ, WRITE, READ_INIT, WRITE_INIT, FLUSH, FLUSH_INIT];
}
