//! Why a field cannot be read.

/// Why a field is not there in the wanted type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// No schema describes the event.
    #[error("{event} has no schema, so it has no field {field}")]
    Undecoded {
        /// The event's name.
        event: Box<str>,
        /// The requested field name.
        field: Box<str>,
    },
    /// The event's schema has no such field, or the event ends before this optional field.
    #[error("{event} has no field {field}")]
    Missing {
        /// The event's name.
        event: Box<str>,
        /// The requested field name.
        field: Box<str>,
    },
    /// The payload does not fit the schema at this field or before it.
    #[error("the payload of {event} does not fit its schema at or before the field {field}")]
    Misfit {
        /// The event's name.
        event: Box<str>,
        /// The requested field name.
        field: Box<str>,
    },
    /// The field is of another type.
    #[error("the field {field} is not of type {wanted}")]
    WrongType {
        /// The field's name.
        field: Box<str>,
        /// The requested type.
        wanted: &'static str,
    },
    /// The field's number does not fit the type.
    #[error("the value of the field {field} does not fit the type {wanted}")]
    OutOfRange {
        /// The field's name.
        field: Box<str>,
        /// The requested type.
        wanted: &'static str,
    },
}
