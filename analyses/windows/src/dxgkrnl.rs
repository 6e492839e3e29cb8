//! The provider of the graphics kernel.

use etwkit::bytes::Guid;

/// `Microsoft-Windows-DxgKrnl`.
pub(crate) const DXGKRNL: Guid = Guid::from_u128(0x802ec45a_1e99_4b83_9920_87c98277ba9d);
