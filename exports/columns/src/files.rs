//! What a thread knows of the files that events are from.

use etwkit::FileId;
use etwkit::clock::Clock;
use etwkit::decode::PendingEvent;

use crate::buffer_offsets::BufferOffsets;
use crate::coders::Coders;

/// Clocks and names, by the numbers of files.
#[derive(Debug, Default)]
pub(crate) struct Files {
    list: Vec<Option<File>>,
    /// The number of one of them that is there.
    last: Option<FileId>,
    pub(crate) offsets: BufferOffsets,
}

/// A file that an event was from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct File {
    pub(crate) clock: Option<Clock>,
    /// The code of its name.
    pub(crate) code: Option<u32>,
}

impl Files {
    /// Keeps what there is to know of the file of an event.
    #[inline]
    pub(crate) fn note(&mut self, pending: &PendingEvent<'_>, coders: &mut Coders) {
        if self.last != Some(pending.raw().place().file) {
            self.add(pending, coders);
        }
    }

    /// Returns a file, if an event was from it.
    #[inline]
    pub(crate) fn get(&self, id: FileId) -> Option<&File> {
        self.list.get(id.index())?.as_ref()
    }

    /// Forgets all, with their codes.
    pub(crate) fn clear(&mut self) {
        *self = Self { offsets: std::mem::take(&mut self.offsets), ..Self::default() };
    }

    #[cold]
    fn add(&mut self, pending: &PendingEvent<'_>, coders: &mut Coders) {
        let id = pending.raw().place().file;
        self.last = Some(id);
        let place = id.index();
        if self.list.len() <= place {
            self.list.resize(place + 1, None);
        }
        if let Some(slot @ None) = self.list.get_mut(place) {
            let code = pending.file().and_then(|name| coders.file(name));
            *slot = Some(File { clock: pending.clock().copied(), code });
        }
    }
}
