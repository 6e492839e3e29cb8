//! Numbers of the TraceLogging types (`TlgIn_t`, `TlgOut_t` of `TraceLoggingProvider.h`).

/// How a value lies in the payload: the low 5 bits of a field's first type byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InType(pub(crate) u8);

impl InType {
    pub(crate) const NULL: Self = Self(0);
    pub(crate) const UTF16: Self = Self(1);
    pub(crate) const ANSI: Self = Self(2);
    pub(crate) const INT8: Self = Self(3);
    pub(crate) const UINT8: Self = Self(4);
    pub(crate) const INT16: Self = Self(5);
    pub(crate) const UINT16: Self = Self(6);
    pub(crate) const INT32: Self = Self(7);
    pub(crate) const UINT32: Self = Self(8);
    pub(crate) const INT64: Self = Self(9);
    pub(crate) const UINT64: Self = Self(10);
    pub(crate) const FLOAT: Self = Self(11);
    pub(crate) const DOUBLE: Self = Self(12);
    pub(crate) const BOOL32: Self = Self(13);
    pub(crate) const BINARY: Self = Self(14);
    pub(crate) const GUID: Self = Self(15);
    /// Reserved by the header; writers use [`Self::HEXINT32`] or [`Self::HEXINT64`].
    pub(crate) const POINTER: Self = Self(16);
    pub(crate) const FILETIME: Self = Self(17);
    pub(crate) const SYSTEMTIME: Self = Self(18);
    pub(crate) const SID: Self = Self(19);
    pub(crate) const HEXINT32: Self = Self(20);
    pub(crate) const HEXINT64: Self = Self(21);
    pub(crate) const COUNTED_UTF16: Self = Self(22);
    pub(crate) const COUNTED_ANSI: Self = Self(23);
    pub(crate) const STRUCT: Self = Self(24);
    pub(crate) const COUNTED_BINARY: Self = Self(25);
}

/// How a value is shown: the low 7 bits of a field's second type byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutType(pub(crate) u8);

impl OutType {
    pub(crate) const NOPRINT: Self = Self(1);
    pub(crate) const STRING: Self = Self(2);
    pub(crate) const BOOLEAN: Self = Self(3);
    pub(crate) const HEX: Self = Self(4);
    pub(crate) const PID: Self = Self(5);
    pub(crate) const TID: Self = Self(6);
    pub(crate) const PORT: Self = Self(7);
    pub(crate) const IPV4: Self = Self(8);
    pub(crate) const IPV6: Self = Self(9);
    pub(crate) const SOCKETADDRESS: Self = Self(10);
    pub(crate) const XML: Self = Self(11);
    pub(crate) const JSON: Self = Self(12);
    pub(crate) const WIN32ERROR: Self = Self(13);
    pub(crate) const NTSTATUS: Self = Self(14);
    pub(crate) const HRESULT: Self = Self(15);
    pub(crate) const FILETIME: Self = Self(16);
    pub(crate) const SIGNED: Self = Self(17);
    pub(crate) const UNSIGNED: Self = Self(18);
    pub(crate) const UTF8: Self = Self(35);
    pub(crate) const PKCS7: Self = Self(36);
    pub(crate) const CODE_POINTER: Self = Self(37);
    // 38 is DATETIME_UTC: FILETIME and SYSTEMTIME are taken as UTC anyhow.
}
