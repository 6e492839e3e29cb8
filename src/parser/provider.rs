//! The part of a parser that makes schemas.

use std::fmt::Debug;

use crate::error::Result;
use crate::event::RawEvent;
use crate::schema::Schema;

use super::{Claims, Finding};

/// Makes the schemas of one trace's events.
///
/// It is called once for each *key* (see [`EventKey`](crate::event::EventKey)), not once for each event: the engine
/// runs the schema that it returns.
pub trait SchemaProvider: Debug + Send + Sync {
    /// Returns a short name for diagnostics, such as `event-source`.
    fn name(&self) -> &str;

    /// Returns which events it may have a schema for. Asked once, after the last call of [`SchemaProvider::learn`].
    fn claims(&self) -> Claims;

    /// Returns which events carry schemas: these are handed to [`SchemaProvider::learn`]. Asked once, before the first
    /// of them.
    fn learns_from(&self) -> Claims {
        Claims::none()
    }

    /// Takes the schema, or the part of one, that an event carries: a chunk of a manifest, a `TRACE_EVENT_INFO`. Called
    /// in time order, before the first call of [`SchemaProvider::schema`].
    ///
    /// # Errors
    ///
    /// For a schema that cannot be read. The trace lists it as a problem of kind `bad-schema` and goes on.
    fn learn(&mut self, _event: &RawEvent<'_>) -> Result<()> {
        Ok(())
    }

    /// Returns the schema of events like this one, the first with its key. `None` leaves them to the providers after
    /// this one.
    ///
    /// # Errors
    ///
    /// For a schema that cannot be read or would be too large. The trace lists it as a problem of kind `bad-schema`
    /// unless another provider has a schema.
    fn schema(&self, event: &RawEvent<'_>, trace: &TraceFacts) -> Result<Option<Schema>>;

    /// Returns how Windows describes events like this one, for reports of an event whose schema is a built-in table; see
    /// [`Schema::reported`]. The schema itself unless the provider answers with a table where it knows both.
    ///
    /// # Errors
    ///
    /// As of [`SchemaProvider::schema`]; the table is reported as it is then.
    fn reported(&self, event: &RawEvent<'_>, trace: &TraceFacts) -> Result<Option<Schema>> {
        self.schema(event, trace)
    }

    /// Returns what it found in addition to schemas, for
    /// [`Trace::finding`](crate::trace::Trace::finding). Called at the end of the first pass.
    fn finish(self: Box<Self>) -> Option<Finding> {
        None
    }
}

/// Facts about a trace that help to choose among layouts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TraceFacts {
    /// OS build of the logging machine, 0 if not known.
    pub os_build: u32,
}
