//! What a thread knows of the files that events are from.

use etwkit::clock::Clock;
use etwkit::decode::PendingEvent;

use crate::coders::Coders;

/// Clocks and names, by the numbers of files.
#[derive(Debug, Default)]
pub(crate) struct Files(Vec<Option<File>>);

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
        if self.get(pending.raw().place().file).is_none() {
            self.add(pending, coders);
        }
    }

    /// Returns the file of a number, if an event was from it.
    #[inline]
    pub(crate) fn get(&self, number: u16) -> Option<&File> {
        self.0.get(usize::from(number))?.as_ref()
    }

    /// Forgets all, with their codes.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    #[cold]
    fn add(&mut self, pending: &PendingEvent<'_>, coders: &mut Coders) {
        let place = usize::from(pending.raw().place().file);
        if self.0.len() <= place {
            self.0.resize(place + 1, None);
        }
        let code = pending.file().and_then(|name| coders.file(name));
        if let Some(slot) = self.0.get_mut(place) {
            *slot = Some(File { clock: pending.clock().copied(), code });
        }
    }
}
