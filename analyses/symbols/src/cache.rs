//! Frames of addresses that were looked up.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use etwkit::bytes::cut_text;

use crate::frame::{Found, Frame, Provenance};
use crate::limits::{MAX_CACHED, MAX_CACHED_TEXT, MAX_NAME};

/// Frames by module and address. Texts are shared: many addresses are in the same function and file.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// Of a module's number and an address: where the frames are, and where they are from.
    places: HashMap<(u32, u32), Place>,
    frames: Vec<Frame>,
    texts: HashSet<Arc<str>>,
    /// Bytes of the texts.
    bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    start: usize,
    count: usize,
    provenance: Provenance,
}

impl Cache {
    pub(crate) fn get(&self, module: u32, rva: u32) -> Option<(&[Frame], Provenance)> {
        let place = self.places.get(&(module, rva))?;
        Some((self.frames.get(place.start..place.start + place.count)?, place.provenance))
    }

    /// Adds the frames of an address. Forgets all others first if there are too many.
    pub(crate) fn insert(&mut self, module: u32, rva: u32, found: Vec<Found>, provenance: Provenance) {
        let is_full = self.places.len() >= MAX_CACHED || self.frames.len() >= MAX_CACHED;
        if is_full || self.bytes >= MAX_CACHED_TEXT {
            *self = Self::default();
        }
        let (start, count) = (self.frames.len(), found.len());
        for frame in found {
            let function = frame.function.map(|text| self.text(&text));
            let file = frame.file.map(|text| self.text(&text));
            let Found { offset, line, is_inlined, .. } = frame;
            self.frames.push(Frame { function, offset, file, line, is_inlined });
        }
        let provenance = if count == 0 { Provenance::None } else { provenance };
        self.places.insert((module, rva), Place { start, count, provenance });
    }

    fn text(&mut self, text: &str) -> Arc<str> {
        let text = cut_text(text, MAX_NAME);
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        let shared: Arc<str> = text.into();
        self.bytes += shared.len();
        self.texts.insert(Arc::clone(&shared));
        shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(function: String) -> Vec<Found> {
        vec![Found { function: Some(function), ..Found::default() }]
    }

    #[test]
    fn frames_are_kept_and_share_their_texts() {
        let mut cache = Cache::default();
        cache.insert(1, 5, found("f".into()), Provenance::Pdb);
        cache.insert(2, 5, found("f".into()), Provenance::Export);
        cache.insert(2, 6, Vec::new(), Provenance::Export);
        let function = |module, rva| cache.get(module, rva).unwrap().0[0].function.clone().unwrap();
        assert!(Arc::ptr_eq(&function(1, 5), &function(2, 5)));
        assert_eq!((cache.get(2, 6), cache.get(1, 6)), (Some((&[][..], Provenance::None)), None));
    }

    #[test]
    fn memory_is_bounded() {
        let mut cache = Cache::default();
        let more = (MAX_CACHED_TEXT / MAX_NAME + 1) as u32;
        for rva in 0..more {
            cache.insert(0, rva, found(format!("{rva}{}", "x".repeat(MAX_NAME * 2))), Provenance::Pdb);
            assert!(cache.bytes <= MAX_CACHED_TEXT + MAX_NAME);
        }
        assert!(cache.get(0, 0).is_none() && cache.get(0, more - 1).is_some());
    }
}
