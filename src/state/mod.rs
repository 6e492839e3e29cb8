//! What is known of the traced system besides single events: filled by parsers in the first pass, frozen afterwards.

/// Facts of the traced system.
#[derive(Clone, Debug, Default)]
pub struct State {}
