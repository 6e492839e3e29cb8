//! States as frames.

use etwkit_kernel_analyses::schedule::{Slice, SliceKind};

use super::causes::Cause;

/// Returns the frame of what a thread did in a slice.
pub(super) fn label(slice: &Slice, cause: Option<Cause>) -> String {
    let reason = || slice.departure.map_or_else(|| "?".to_owned(), |departure| departure.reason_name());
    match slice.kind {
        SliceKind::Running => "Running".to_owned(),
        SliceKind::Ready if slice.departure.is_some_and(|departure| departure.is_ready()) => {
            format!("Ready ({})", reason())
        }
        SliceKind::Ready => "Ready".to_owned(),
        SliceKind::Waiting => match cause {
            Some(cause) => format!("Waiting for {} ({})", name(cause), reason()),
            None => format!("Waiting ({})", reason()),
        },
        SliceKind::Idle | SliceKind::Unknown => "Unknown".to_owned(),
    }
}

const fn name(cause: Cause) -> &'static str {
    match cause {
        Cause::Disk => "disk",
        Cause::Network => "network",
        Cause::Page => "hard fault",
        Cause::Lock => "lock",
    }
}
