//! Large memory. From Linux it is mapped, and costs nothing where it is not touched.

#[cfg(all(feature = "mmap", target_os = "linux"))]
type Memory = memmap2::MmapMut;
#[cfg(not(all(feature = "mmap", target_os = "linux")))]
type Memory = Vec<u8>;

/// Zeros.
#[derive(Debug)]
pub(super) struct Pages(Memory);

impl Pages {
    /// Makes `len` zeros, in huge pages if most of them are about to be used; `None` if they cannot be mapped.
    pub(super) fn new(len: usize, huge: bool) -> Option<Self> {
        zeros(len, huge).map(Self)
    }
}

impl std::ops::Deref for Pages {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl std::ops::DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// Huge pages have fewer faults, each of which costs about as much as to unpack 1 KB.
#[cfg(all(feature = "mmap", target_os = "linux"))]
fn zeros(len: usize, huge: bool) -> Option<Memory> {
    let memory = Memory::map_anon(len).ok()?;
    if huge {
        // It is only slower where the system has none.
        let _ = memory.advise(memmap2::Advice::HugePage);
    }
    Some(memory)
}

#[cfg(not(all(feature = "mmap", target_os = "linux")))]
#[expect(clippy::unnecessary_wraps, reason = "as the other one")]
fn zeros(len: usize, _huge: bool) -> Option<Memory> {
    Some(vec![0; len])
}
