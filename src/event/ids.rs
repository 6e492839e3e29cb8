//! Ids of processes and threads that are not known.

/// What the kernel writes for the id of a process or thread that it does not know. None has this id.
pub const NO_ID: u32 = u32::MAX;

/// Returns an id of a process or thread; `None` for [`NO_ID`].
#[inline]
pub const fn known_id(id: u32) -> Option<u32> {
    if id == NO_ID { None } else { Some(id) }
}
