//! Every cap on what a trace may make this crate keep.

/// Requests that are put together at a time.
pub const MAX_REQUESTS: usize = 1 << 18;
/// Events of one request that are kept.
pub const MAX_STAGES_EACH: usize = 256;
/// Events of all requests together that are kept.
pub const MAX_STAGES: usize = 1 << 21;
/// Bytes of the texts of all requests.
pub const MAX_TEXT: usize = 64 << 20;
/// Bytes of a value's label that stands for the value, such as the name of a verb; of longer ones the number is kept: a
/// schema gives one long label to all events.
pub const MAX_LABEL: usize = 256;
/// Bytes of what events state that wait to be put together.
pub const MAX_WAITING: usize = 8 << 20;
/// Distinct names of stages that are kept.
pub const MAX_STAGE_NAMES: usize = 1 << 16;
/// Characters of a text of iisnode that stand for a stage.
pub const MAX_STAGE_TEXT: usize = 80;
