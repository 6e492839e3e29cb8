//! Why an event does not fill a type.

use std::fmt;

use ::serde::de;

/// Why an event does not fill a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeserializeError(pub(super) String);

impl fmt::Display for DeserializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DeserializeError {}

impl de::Error for DeserializeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

impl From<DeserializeError> for crate::Error {
    fn from(error: DeserializeError) -> Self {
        Self::new(crate::ErrorKind::Deserialize(error.0))
    }
}
