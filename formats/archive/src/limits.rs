//! How much is unpacked.

/// Bytes of all unpacked data that is held at a time.
pub const MAX_UNPACKED: u64 = 4 << 30;
/// Bytes that packed data may unpack to however small it is, besides [`MAX_EXPANSION`].
pub const MAX_UNPACKED_BASE: u64 = 128 << 20;
/// Unpacked bytes for each packed one, besides [`MAX_UNPACKED_BASE`]: traces unpack to five to twenty.
pub const MAX_EXPANSION: u64 = 32;
/// Bytes of a member by which a trace is recognized, without unpacking it.
pub const MAX_PEEK: u64 = 64 << 10;
/// Bytes of zeros after a member of gzip data that are padding: more than any block of a tape. More are not read, because a
/// stream of zeros may have no end.
pub(crate) const MAX_PADDING: usize = 1 << 20;

/// Limits on what is unpacked, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub(crate) total: u64,
    pub(crate) base: u64,
    pub(crate) per_byte: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { total: MAX_UNPACKED, base: MAX_UNPACKED_BASE, per_byte: MAX_EXPANSION }
    }
}

impl Limits {
    /// Limits only what is held, whatever it was packed in.
    #[must_use]
    pub const fn total_only(total: u64) -> Self {
        Self { total, base: u64::MAX, per_byte: 0 }
    }

    /// Sets the bytes of all unpacked data that is held at a time. The default is [`MAX_UNPACKED`].
    #[must_use]
    pub const fn total(self, total: u64) -> Self {
        Self { total, ..self }
    }

    /// Sets the bytes that packed data may unpack to however small it is. The default is [`MAX_UNPACKED_BASE`].
    #[must_use]
    pub const fn base(self, base: u64) -> Self {
        Self { base, ..self }
    }

    /// Returns how much so many packed bytes may unpack to, all together.
    #[must_use]
    pub const fn of_packed(&self, packed: u64) -> u64 {
        packed.saturating_mul(self.per_byte).saturating_add(self.base)
    }
}
