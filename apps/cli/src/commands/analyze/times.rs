//! Times in the cells of rows.

use etwkit::FileTime;
use etwkit::render::time::{TimeCache, push_event_time};
use etwkit::trace::Trace;

use crate::args::ZoneArgs;

/// Makes the texts of times in the zone that was typed.
pub(in crate::commands) struct Times {
    cache: TimeCache,
    /// Whether events have the local time of the machine, which no zone applies to.
    is_local: bool,
}

impl Times {
    pub(in crate::commands) fn new(zone: &ZoneArgs, trace: &Trace) -> Self {
        Self { cache: TimeCache::new(zone.zone(trace)), is_local: trace.has_local_times() }
    }

    pub(in crate::commands) fn text(&mut self, time: FileTime) -> String {
        let mut text = Vec::new();
        if self.is_local {
            push_event_time(&mut text, time, true);
        } else {
            self.cache.push(&mut text, time);
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}
