//! Who wrote an event, and when.

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
pub(crate) use etwkit_analysis::milliseconds;
use etwkit_kernel_analyses::ProcessKey;

/// `Microsoft-Windows-DotNETRuntime`.
pub(crate) const RUNTIME: Guid = Guid::from_u128(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4);
/// `Microsoft-Windows-DotNETRuntimePrivate`.
pub(crate) const PRIVATE: Guid = Guid::from_u128(0x763fd754_7086_4dfe_95eb_c01a46faf4ca);
/// The runtime of .NET Native.
pub(crate) const NATIVE: Guid = Guid::from_u128(0x47c3ba0c_77f1_4eb0_8d4d_aef447f16a85);

/// Who wrote an event, and when.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) process: ProcessKey,
    pub(crate) name: Option<Box<str>>,
    pub(crate) tid: u32,
    pub(crate) time: FileTime,
}

impl Origin {
    /// Returns the origin of an event; `None` if it has no time.
    pub(crate) fn of(event: &Event<'_>) -> Option<Self> {
        Some(Self {
            process: ProcessKey::of(event),
            name: event.process_name().map(Box::from),
            tid: event.tid().unwrap_or(0),
            time: event.time()?,
        })
    }
}

/// Adds numbers up. The sum of none is 0; that of [`Iterator::sum`] is -0.
pub(crate) fn sum(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |sum, number| sum + number)
}
