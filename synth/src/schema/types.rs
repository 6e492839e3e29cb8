//! Numbers of the `TraceLogging` types (section 11; `TraceLoggingProvider.h`).

/// In-types of `TraceLogging` (`TlgIn_t`).
pub mod in_type {
    /// No data.
    pub const NULL: u8 = 0;
    /// NUL-terminated UTF-16.
    pub const UTF16: u8 = 1;
    /// NUL-terminated 8-bit text.
    pub const ANSI: u8 = 2;
    /// Signed byte.
    pub const INT8: u8 = 3;
    /// Unsigned byte.
    pub const UINT8: u8 = 4;
    /// i16.
    pub const INT16: u8 = 5;
    /// u16.
    pub const UINT16: u8 = 6;
    /// i32.
    pub const INT32: u8 = 7;
    /// u32.
    pub const UINT32: u8 = 8;
    /// i64.
    pub const INT64: u8 = 9;
    /// u64.
    pub const UINT64: u8 = 10;
    /// f32.
    pub const FLOAT: u8 = 11;
    /// f64.
    pub const DOUBLE: u8 = 12;
    /// 4-byte BOOL.
    pub const BOOL32: u8 = 13;
    /// u16 byte count, bytes.
    pub const BINARY: u8 = 14;
    /// GUID.
    pub const GUID: u8 = 15;
    /// Pointer of the writer's size; writers use `HEXINT32/64` instead.
    pub const POINTER: u8 = 16;
    /// FILETIME.
    pub const FILETIME: u8 = 17;
    /// SYSTEMTIME.
    pub const SYSTEMTIME: u8 = 18;
    /// SID.
    pub const SID: u8 = 19;
    /// u32, hexadecimal.
    pub const HEXINT32: u8 = 20;
    /// u64, hexadecimal.
    pub const HEXINT64: u8 = 21;
    /// u16 byte count, UTF-16.
    pub const COUNTED_UTF16: u8 = 22;
    /// u16 byte count, 8-bit text.
    pub const COUNTED_ANSI: u8 = 23;
    /// A struct, see [`Field::members`](crate::schema::Field::members).
    pub const STRUCT: u8 = 24;
    /// u16 byte count, bytes, the count not shown.
    pub const COUNTED_BINARY: u8 = 25;
}

/// Out-types of `TraceLogging` (`TlgOut_t`).
pub mod out_type {
    /// By in-type.
    pub const DEFAULT: u8 = 0;
    /// Not to be shown.
    pub const NOPRINT: u8 = 1;
    /// Text; of u8 and u16: a character.
    pub const STRING: u8 = 2;
    /// true / false.
    pub const BOOLEAN: u8 = 3;
    /// Hexadecimal.
    pub const HEX: u8 = 4;
    /// Process id.
    pub const PID: u8 = 5;
    /// Thread id.
    pub const TID: u8 = 6;
    /// Port, big endian.
    pub const PORT: u8 = 7;
    /// IPv4 address.
    pub const IPV4: u8 = 8;
    /// IPv6 address.
    pub const IPV6: u8 = 9;
    /// sockaddr.
    pub const SOCKETADDRESS: u8 = 10;
    /// XML text.
    pub const XML: u8 = 11;
    /// JSON text.
    pub const JSON: u8 = 12;
    /// Win32 error code.
    pub const WIN32ERROR: u8 = 13;
    /// NTSTATUS.
    pub const NTSTATUS: u8 = 14;
    /// HRESULT.
    pub const HRESULT: u8 = 15;
    /// 100 ns since 1601.
    pub const FILETIME: u8 = 16;
    /// Signed decimal.
    pub const SIGNED: u8 = 17;
    /// Unsigned decimal.
    pub const UNSIGNED: u8 = 18;
    /// UTF-8 text.
    pub const UTF8: u8 = 35;
    /// PKCS#7 blob.
    pub const PKCS7: u8 = 36;
    /// Address of code.
    pub const CODE_POINTER: u8 = 37;
    /// Time in UTC.
    pub const DATETIME_UTC: u8 = 38;
}
