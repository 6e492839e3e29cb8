//! Any events.

use etwkit::decode::{Event, EventType};
use etwkit_analysis::Need;
use etwkit_analysis::guids::STACK_WALK;

use super::{Reading, Weigher};
use crate::Unit;

/// Any events: each one that passes the filter counts once. Their names are frames.
#[derive(Clone, Copy, Debug)]
pub struct Events;

impl Weigher for Events {
    fn title(&self) -> &'static str {
        "events"
    }

    fn units(&self) -> &'static [Unit] {
        &[Unit::Samples]
    }

    fn need(&self) -> Need {
        Need::Keywords("events with stacks")
    }

    fn reads(&self, event_type: &EventType) -> bool {
        event_type.key().provider != STACK_WALK
    }

    fn read(&self, event: &Event<'_>) -> Option<Reading> {
        let provider = event.provider();
        Some(Reading { label: Some(format!("Event {provider}/{}", event.name()).into()), ..Reading::default() })
    }
}
