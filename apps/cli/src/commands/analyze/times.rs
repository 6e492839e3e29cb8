//! Times in the cells of rows.

use etwkit::FileTime;
use etwkit::render::time::TimeCache;
use etwkit::trace::Trace;

use crate::args::ZoneArgs;

/// Makes the texts of times in the zone that was typed.
pub(super) struct Times(TimeCache);

impl Times {
    pub(super) fn new(zone: &ZoneArgs, trace: &Trace) -> Self {
        Self(TimeCache::new(zone.zone(trace)))
    }

    pub(super) fn text(&mut self, time: FileTime) -> String {
        let mut text = Vec::new();
        self.0.push(&mut text, time);
        String::from_utf8_lossy(&text).into_owned()
    }
}
