//! Events that own their bytes.

use std::sync::Arc;

use crate::error::FieldError;
use crate::event::{EventTypeId, RawEvent};
use crate::schema::Schema;
use crate::time::FileTime;

use super::locate::Located;
use super::{Decoder, Event, EventType, FromField, Scratch};

/// An event with a copy of its bytes that shares ownership of what decodes it: `Send + Sync + 'static`, for channels,
/// asynchronous callers and handles of other languages.
///
/// [`OwnedEvent::view`] returns it as an [`Event`], which has all methods; the most frequent ones are here too.
#[derive(Debug)]
pub struct OwnedEvent {
    bytes: Box<[u8]>,
    /// Without its bytes.
    raw: RawEvent<'static>,
    key: Option<EventTypeId>,
    located: Located,
    scratch: Scratch,
    decoder: Arc<Decoder>,
}

impl Event<'_> {
    /// Copies the event, so that it can be kept, sent to other threads, and outlive the trace.
    pub fn to_owned(&self) -> OwnedEvent {
        let raw = &self.raw;
        OwnedEvent {
            bytes: raw.bytes().into(),
            raw: raw.with_bytes(&[]),
            key: self.key,
            located: self.located,
            scratch: self.scratch.copy(),
            decoder: self.decoder.cloned().unwrap_or_default(),
        }
    }
}

impl OwnedEvent {
    /// Returns the event, borrowed from here.
    pub fn view(&self) -> Event<'_> {
        let event_type = self.key.and_then(|key| self.decoder.event_type(key));
        let mut schemas = event_type.and_then(EventType::schema).into_iter().flat_map(Schema::with_alternatives);
        let schema = schemas.nth(self.located.alternative.into());
        Event::restored(
            self.raw.with_bytes(&self.bytes),
            schema,
            self.located,
            &self.scratch,
            &self.decoder,
            event_type,
        )
    }

    /// Returns the time at which it was written, see [`Event::time`].
    pub fn time(&self) -> Option<FileTime> {
        self.view().time()
    }

    /// Returns the provider's name, or its GUID as text.
    pub fn provider(&self) -> &str {
        self.view().provider()
    }

    /// Returns the event's name, see [`Event::name`].
    pub fn name(&self) -> &str {
        self.view().name()
    }

    /// Returns the process id to which the event is attributed.
    pub fn pid(&self) -> Option<u32> {
        self.view().pid()
    }

    /// Returns the thread id to which the event is attributed.
    pub fn tid(&self) -> Option<u32> {
        self.view().tid()
    }

    /// Returns the file name of the image of that process.
    pub fn process_name(&self) -> Option<&str> {
        self.view().process_name()
    }

    /// Reads a field as a Rust type, see [`Event::get`].
    pub fn get<'a, T: FromField<'a>>(&'a self, name: &str) -> Result<T, FieldError> {
        self.view().get(name)
    }
}
