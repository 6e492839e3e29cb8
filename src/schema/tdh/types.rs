//! Numbers and names of the types.

/// `TDH_INTYPE_*`: how a value is stored in the payload. 24 is reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InType(pub u16);

/// `TDH_OUTTYPE_*`: how a value is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutType(pub u16);

#[rustfmt::skip]
impl InType {
    /// Takes no bytes.
    pub const NULL: Self = Self(0);
    /// UTF-16 text.
    pub const UNICODESTRING: Self = Self(1);
    /// 8-bit text.
    pub const ANSISTRING: Self = Self(2);
    /// `i8`.
    pub const INT8: Self = Self(3);
    /// `u8`.
    pub const UINT8: Self = Self(4);
    /// `i16`.
    pub const INT16: Self = Self(5);
    /// `u16`.
    pub const UINT16: Self = Self(6);
    /// `i32`.
    pub const INT32: Self = Self(7);
    /// `u32`.
    pub const UINT32: Self = Self(8);
    /// `i64`.
    pub const INT64: Self = Self(9);
    /// `u64`.
    pub const UINT64: Self = Self(10);
    /// IEEE single.
    pub const FLOAT: Self = Self(11);
    /// IEEE double.
    pub const DOUBLE: Self = Self(12);
    /// `BOOL`, 4 bytes.
    pub const BOOLEAN: Self = Self(13);
    /// Bytes.
    pub const BINARY: Self = Self(14);
    /// GUID.
    pub const GUID: Self = Self(15);
    /// As wide as the writer's pointers.
    pub const POINTER: Self = Self(16);
    /// FILETIME.
    pub const FILETIME: Self = Self(17);
    /// `SYSTEMTIME`.
    pub const SYSTEMTIME: Self = Self(18);
    /// Security identifier.
    pub const SID: Self = Self(19);
    /// `u32`, shown in hexadecimal.
    pub const HEXINT32: Self = Self(20);
    /// `u64`, shown in hexadecimal.
    pub const HEXINT64: Self = Self(21);
    /// UTF-16 text after a `u16` byte count.
    pub const MANIFEST_COUNTEDSTRING: Self = Self(22);
    /// 8-bit text after a `u16` byte count.
    pub const MANIFEST_COUNTEDANSISTRING: Self = Self(23);
    /// Bytes after a `u16` byte count.
    pub const MANIFEST_COUNTEDBINARY: Self = Self(25);
    /// MOF: UTF-16 text after a `u16` byte count.
    pub const COUNTEDSTRING: Self = Self(300);
    /// MOF: 8-bit text after a `u16` byte count.
    pub const COUNTEDANSISTRING: Self = Self(301);
    /// MOF: UTF-16 text after a big-endian `u16` byte count.
    pub const REVERSEDCOUNTEDSTRING: Self = Self(302);
    /// MOF: 8-bit text after a big-endian `u16` byte count.
    pub const REVERSEDCOUNTEDANSISTRING: Self = Self(303);
    /// MOF: UTF-16 text to the end of the payload.
    pub const NONNULLTERMINATEDSTRING: Self = Self(304);
    /// MOF: 8-bit text to the end of the payload.
    pub const NONNULLTERMINATEDANSISTRING: Self = Self(305);
    /// MOF: one UTF-16 unit.
    pub const UNICODECHAR: Self = Self(306);
    /// MOF: one 8-bit character.
    pub const ANSICHAR: Self = Self(307);
    /// MOF: a size as wide as pointers.
    pub const SIZET: Self = Self(308);
    /// MOF: bytes after a `u32` byte count.
    pub const HEXDUMP: Self = Self(309);
    /// MOF: a SID after a `TOKEN_USER` image.
    pub const WBEMSID: Self = Self(310);
}

#[rustfmt::skip]
impl OutType {
    /// As the in-type suggests.
    pub const NULL: Self = Self(0);
    /// Text.
    pub const STRING: Self = Self(1);
    /// Date and time.
    pub const DATETIME: Self = Self(2);
    /// Signed.
    pub const BYTE: Self = Self(3);
    /// Unsigned.
    pub const UNSIGNEDBYTE: Self = Self(4);
    /// Signed.
    pub const SHORT: Self = Self(5);
    /// Unsigned.
    pub const UNSIGNEDSHORT: Self = Self(6);
    /// Signed.
    pub const INT: Self = Self(7);
    /// Unsigned.
    pub const UNSIGNEDINT: Self = Self(8);
    /// Signed.
    pub const LONG: Self = Self(9);
    /// Unsigned.
    pub const UNSIGNEDLONG: Self = Self(10);
    /// Number.
    pub const FLOAT: Self = Self(11);
    /// Number.
    pub const DOUBLE: Self = Self(12);
    /// True or false.
    pub const BOOLEAN: Self = Self(13);
    /// GUID.
    pub const GUID: Self = Self(14);
    /// Hexadecimal digits.
    pub const HEXBINARY: Self = Self(15);
    /// `0x` and digits.
    pub const HEXINT8: Self = Self(16);
    /// `0x` and digits.
    pub const HEXINT16: Self = Self(17);
    /// `0x` and digits.
    pub const HEXINT32: Self = Self(18);
    /// `0x` and digits.
    pub const HEXINT64: Self = Self(19);
    /// Process id.
    pub const PID: Self = Self(20);
    /// Thread id.
    pub const TID: Self = Self(21);
    /// Port in network order.
    pub const PORT: Self = Self(22);
    /// IPv4 address.
    pub const IPV4: Self = Self(23);
    /// IPv6 address.
    pub const IPV6: Self = Self(24);
    /// `sockaddr`.
    pub const SOCKETADDRESS: Self = Self(25);
    /// CIM date and time, text.
    pub const CIMDATETIME: Self = Self(26);
    /// Raw session clock.
    pub const ETWTIME: Self = Self(27);
    /// XML.
    pub const XML: Self = Self(28);
    /// Error code of an unknown kind.
    pub const ERRORCODE: Self = Self(29);
    /// Win32 error.
    pub const WIN32ERROR: Self = Self(30);
    /// NTSTATUS.
    pub const NTSTATUS: Self = Self(31);
    /// HRESULT.
    pub const HRESULT: Self = Self(32);
    /// Date and time.
    pub const CULTURE_INSENSITIVE_DATETIME: Self = Self(33);
    /// JSON.
    pub const JSON: Self = Self(34);
    /// UTF-8 text.
    pub const UTF8: Self = Self(35);
    /// PKCS#7 message.
    pub const PKCS7_WITH_TYPE_INFO: Self = Self(36);
    /// Address of code.
    pub const CODE_POINTER: Self = Self(37);
    /// Date and time, UTC.
    pub const DATETIME_UTC: Self = Self(38);
    /// MOF: text.
    pub const REDUCEDSTRING: Self = Self(300);
    /// MOF: not shown.
    pub const NOPRINT: Self = Self(301);
}
