//! Times in the cells of rows.

use etwkit::FileTime;
use etwkit::render::time::TimeCache;
use etwkit::trace::Trace;

use crate::args::ZoneArgs;

/// Makes the texts of times in the zone that was typed.
pub(in crate::commands) struct Times(TimeCache);

impl Times {
    pub(in crate::commands) fn new(zone: &ZoneArgs, trace: &Trace) -> Self {
        Self(TimeCache::new(zone.zone(trace)))
    }

    pub(in crate::commands) fn text(&mut self, time: FileTime) -> String {
        let mut text = Vec::new();
        self.0.push(&mut text, time);
        String::from_utf8_lossy(&text).into_owned()
    }
}
