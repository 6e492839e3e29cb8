//! Fields that are looked up once for a trace rather than once per event.

use crate::decode::{Event, EventType, FieldView, FromField, LayoutId};
use crate::error::{FieldError, Result};

use super::Trace;

/// A field of the events of one name, found in all layouts of a trace, for loops over many events. See
/// [`Trace::resolve`].
#[derive(Clone, Debug)]
pub struct FieldRef {
    name: Box<str>,
    /// Place of the field in each layout that has it, sorted.
    places: Box<[(LayoutId, u32)]>,
}

impl Trace {
    /// Finds a field in all versions of an event, so that [`Event::get_of`] need not compare names.
    ///
    /// Provider and event are compared without regard to ASCII case; the field as in [`Event::field`].
    ///
    /// ```no_run
    /// # fn f(trace: &etwkit::Trace) -> etwkit::Result<()> {
    /// let size = trace.resolve("Windows Kernel", "DiskIO/Read", "TransferSize")?;
    /// let (mut events, mut bytes) = (trace.events(), 0);
    /// while let Some(event) = events.next()? {
    ///     bytes += u64::from(event.get_of::<Option<u32>>(&size)?.unwrap_or(0));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`FieldError::Missing`] if the trace has no such event, or none of its versions has the field.
    pub fn resolve(&self, provider: &str, event: &str, field: &str) -> Result<FieldRef, FieldError> {
        let is_meant = |row: &&EventType| row.provider().eq_ignore_ascii_case(provider);
        let mut places: Vec<(LayoutId, u32)> = Vec::new();
        for row in self.types().iter().filter(is_meant) {
            for (layout, schema) in row.layouts() {
                let is_event = schema.name().is_some_and(|name| name.eq_ignore_ascii_case(event));
                places.extend(is_event.then(|| schema.index_of(field)).flatten().map(|at| (layout, at as u32)));
            }
        }
        if places.is_empty() {
            return Err(FieldError::Missing { event: event.into(), field: field.into() });
        }
        places.sort_unstable();
        Ok(FieldRef { name: field.into(), places: places.into() })
    }
}

impl FieldRef {
    /// Returns the requested field name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl<'a> Event<'a> {
    /// Returns the field that was resolved; `None` if this event has none of the layouts with it, or it cannot be read.
    #[inline]
    pub fn field_of(&self, field: &FieldRef) -> Option<FieldView<'a>> {
        let at = field.places.binary_search_by_key(&self.layout(), |(layout, _)| *layout).ok()?;
        self.field_at(field.places.get(at)?.1 as usize)
    }

    /// Reads a resolved field as a Rust type, as [`Event::get`] does by name.
    #[inline]
    pub fn get_of<T: FromField<'a>>(&self, field: &FieldRef) -> Result<T, FieldError> {
        match self.field_of(field) {
            Some(view) => T::from_field(&view),
            None => T::absent().ok_or_else(|| self.why_absent(field.name())),
        }
    }
}
