//! The readable form of schemas.
