//! What is at the same place in most headers, read without a view of the whole header.

use crate::bytes::{u8_at, u16_at, u64_at};
use crate::format::{HeaderType, counters_len, event_flags};

/// Returns the hook of a kernel event.
#[inline]
pub(super) fn hook(header: HeaderType, bytes: &[u8]) -> Option<u16> {
    header.is_kernel().then(|| u16_at(bytes, 6))
}

/// Returns the version of a kernel event's payload.
#[inline]
pub(super) fn kernel_version(header: HeaderType, bytes: &[u8]) -> Option<u8> {
    header.is_kernel().then(|| u8_at(bytes, 0))
}

/// Returns thread and process of the writer, if they are where most headers have them.
#[inline]
pub(super) fn thread(header: HeaderType, bytes: &[u8]) -> Option<(u32, u32)> {
    let is_late = matches!(
        header,
        HeaderType::System32
            | HeaderType::System64
            | HeaderType::Compact32
            | HeaderType::Compact64
            | HeaderType::Classic32
            | HeaderType::Classic64
            | HeaderType::Event32
            | HeaderType::Event64
    );
    is_late.then(|| u64_at(bytes, 8)).map(|ids| (ids as u32, (ids >> 32) as u32))
}

/// Returns the payload of a kernel event, or of one whose `EVENT_HEADER` it follows.
#[inline]
pub(super) fn payload(header: HeaderType, bytes: &[u8]) -> Option<&[u8]> {
    let start = match header {
        HeaderType::Event32 | HeaderType::Event64 if !is_extended(header, bytes) => header.fixed_len(),
        _ if header.is_kernel() => {
            let (pebs, counters) = counters_len(u16_at(bytes, 0));
            header.fixed_len() + pebs + counters
        }
        _ => return None,
    };
    Some(bytes.get(start..).unwrap_or_default())
}

/// Returns whether extended items follow an `EVENT_HEADER`.
#[inline]
pub(super) fn is_extended(header: HeaderType, bytes: &[u8]) -> bool {
    matches!(header, HeaderType::Event32 | HeaderType::Event64) && u16_at(bytes, 4) & event_flags::EXTENDED_INFO != 0
}

#[cfg(test)]
mod tests {
    use super::super::Header;
    use super::*;

    #[test]
    fn quick_reads_are_those_of_the_headers() {
        let mut state = 1_u64;
        for header in HeaderType::ALL.into_iter().cycle().take(500) {
            let byte = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            };
            let bytes: Vec<u8> = std::iter::repeat_with(byte).take(300).collect();
            let bytes = &bytes[..header.fixed_len().max(72) + usize::from(bytes[299] >> 1)];
            let view = Header::view(header, bytes, false).unwrap();
            assert_eq!(hook(header, bytes), view.hook());
            assert_eq!(kernel_version(header, bytes), view.hook().map(|_| view.kernel_version() as u8));
            assert!(thread(header, bytes).is_none_or(|ids| Some(ids) == view.thread(bytes)), "{header:?}");
            assert!(payload(header, bytes).is_none_or(|payload| payload == view.payload(bytes)), "{header:?}");
        }
    }
}
