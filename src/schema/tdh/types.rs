//! Numbers and names of the types.

/// `TDH_INTYPE_*`: how a value lies in the payload. 24 is reserved.
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
    /// MOF: a SID behind a `TOKEN_USER` image.
    pub const WBEMSID: Self = Self(310);

    /// The type of a manifest's `inType` attribute, such as `win:UInt32`. Without regard to case, as manifests of
    /// other compilers than `mc.exe` are not strict.
    pub fn from_name(name: &str) -> Option<Self> {
        IN_NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }
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

    /// The type of a manifest's `outType` attribute, such as `xs:string` or `win:HexInt32`. The prefix does not matter:
    /// Windows' own manifests have `xs:HexInt32` too.
    pub fn from_name(name: &str) -> Option<Self> {
        let bare = |name: &str| name.rsplit_once(':').map_or(0, |(prefix, _)| prefix.len() + 1);
        let name = name.get(bare(name)..)?;
        let same = |known: &str| known.get(bare(known)..).is_some_and(|known| known.eq_ignore_ascii_case(name));
        OUT_NAMES.iter().find(|(known, _)| same(known)).map(|(_, value)| *value)
    }
}

/// Names in manifests (`winmeta.xml` of the Windows SDK). The last four are what `TraceEvent` reads besides.
#[rustfmt::skip]
const IN_NAMES: &[(&str, InType)] = &[
    ("win:Null", InType::NULL),
    ("win:UnicodeString", InType::UNICODESTRING),
    ("win:AnsiString", InType::ANSISTRING),
    ("win:Int8", InType::INT8),
    ("win:UInt8", InType::UINT8),
    ("win:Int16", InType::INT16),
    ("win:UInt16", InType::UINT16),
    ("win:Int32", InType::INT32),
    ("win:UInt32", InType::UINT32),
    ("win:Int64", InType::INT64),
    ("win:UInt64", InType::UINT64),
    ("win:Float", InType::FLOAT),
    ("win:Double", InType::DOUBLE),
    ("win:Boolean", InType::BOOLEAN),
    ("win:Binary", InType::BINARY),
    ("win:GUID", InType::GUID),
    ("win:Pointer", InType::POINTER),
    ("win:FILETIME", InType::FILETIME),
    ("win:SYSTEMTIME", InType::SYSTEMTIME),
    ("win:SID", InType::SID),
    ("win:HexInt32", InType::HEXINT32),
    ("win:HexInt64", InType::HEXINT64),
    ("win:CountedUnicodeString", InType::MANIFEST_COUNTEDSTRING),
    ("win:CountedAnsiString", InType::MANIFEST_COUNTEDANSISTRING),
    ("win:CountedBinary", InType::MANIFEST_COUNTEDBINARY),
    ("trace:SizeT", InType::SIZET),
    ("trace:Port", InType::UINT16),
    ("trace:IPAddrV4", InType::UINT32),
    ("trace:WmiTime", InType::UINT64),
];

/// Names in manifests (`winmeta.xml`).
#[rustfmt::skip]
const OUT_NAMES: &[(&str, OutType)] = &[
    ("xs:string", OutType::STRING),
    ("xs:dateTime", OutType::DATETIME),
    ("xs:byte", OutType::BYTE),
    ("xs:unsignedByte", OutType::UNSIGNEDBYTE),
    ("xs:short", OutType::SHORT),
    ("xs:unsignedShort", OutType::UNSIGNEDSHORT),
    ("xs:int", OutType::INT),
    ("xs:unsignedInt", OutType::UNSIGNEDINT),
    ("xs:long", OutType::LONG),
    ("xs:unsignedLong", OutType::UNSIGNEDLONG),
    ("xs:float", OutType::FLOAT),
    ("xs:double", OutType::DOUBLE),
    ("xs:boolean", OutType::BOOLEAN),
    ("xs:GUID", OutType::GUID),
    ("xs:hexBinary", OutType::HEXBINARY),
    ("win:HexInt8", OutType::HEXINT8),
    ("win:HexInt16", OutType::HEXINT16),
    ("win:HexInt32", OutType::HEXINT32),
    ("win:HexInt64", OutType::HEXINT64),
    ("win:PID", OutType::PID),
    ("win:TID", OutType::TID),
    ("win:Port", OutType::PORT),
    ("win:IPv4", OutType::IPV4),
    ("win:IPv6", OutType::IPV6),
    ("win:SocketAddress", OutType::SOCKETADDRESS),
    ("win:CIMDateTime", OutType::CIMDATETIME),
    ("win:ETWTIME", OutType::ETWTIME),
    ("win:Xml", OutType::XML),
    ("win:ErrorCode", OutType::ERRORCODE),
    ("win:Win32Error", OutType::WIN32ERROR),
    ("win:NTSTATUS", OutType::NTSTATUS),
    ("win:HResult", OutType::HRESULT),
    ("win:DateTimeCultureInsensitive", OutType::CULTURE_INSENSITIVE_DATETIME),
    ("win:Json", OutType::JSON),
    ("win:Utf8", OutType::UTF8),
    ("win:Pkcs7WithTypeInfo", OutType::PKCS7_WITH_TYPE_INFO),
    ("win:CodePointer", OutType::CODE_POINTER),
    ("win:DateTimeUtc", OutType::DATETIME_UTC),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_winmeta() {
        assert_eq!(InType::from_name("win:UnicodeString"), Some(InType(1)));
        assert_eq!(InType::from_name("win:SYSTEMTIME"), Some(InType(18)));
        assert_eq!(InType::from_name("win:Nothing"), None);
        assert_eq!(OutType::from_name("xs:hexBinary"), Some(OutType(15)));
        assert_eq!(OutType::from_name("xs:HexInt32"), Some(OutType(18)));
        assert_eq!(OutType::from_name("win:SocketAddress"), Some(OutType(25)));
        assert_eq!(OutType::from_name(""), None);
    }
}
