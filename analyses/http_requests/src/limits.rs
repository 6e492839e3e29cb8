//! Every cap on what a trace may make this crate keep.

/// Requests that are put together at a time.
pub const MAX_REQUESTS: usize = 1 << 18;
/// Events of one request that are kept.
pub const MAX_STAGES_EACH: usize = 256;
/// Events of all requests together that are kept.
pub const MAX_STAGES: usize = 1 << 22;
/// Bytes of the texts of all requests.
pub const MAX_TEXT: usize = 256 << 20;
/// Distinct names of stages that are kept.
pub const MAX_STAGE_NAMES: usize = 1 << 16;
/// Characters of a text of iisnode that stand for a stage.
pub const MAX_STAGE_TEXT: usize = 80;
