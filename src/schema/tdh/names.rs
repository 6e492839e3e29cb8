//! Names of the types in manifests.

use super::{InType, OutType};

/// Returns the types that the attributes `inType` and `outType` of a manifest name, such as `win:UInt32` and
/// `win:HexInt32`; `None` for an unknown `inType`.
///
/// An unknown or missing `outType` is the one that the `inType` implies: [`OutType::NULL`], except for types of
/// `TraceEvent` such as `trace:Port`.
pub fn types_from_names(input: &str, output: Option<&str>) -> Option<(InType, OutType)> {
    let (input, implied) = in_type(input.trim())?;
    let output = output.and_then(|name| out_type(name.trim()));
    Some((input, output.unwrap_or(implied)))
}

/// Without regard to case, as manifests of other compilers than `mc.exe` are not strict.
fn in_type(name: &str) -> Option<(InType, OutType)> {
    let windows = IN_NAMES.iter().map(|(known, input)| (known, (*input, OutType::NULL)));
    let trace_event = TRACE_EVENT_NAMES.iter().map(|(known, input, output)| (known, (*input, *output)));
    windows.chain(trace_event).find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, types)| types)
}

/// The prefix does not matter: Windows' own manifests have `xs:HexInt32` too.
fn out_type(name: &str) -> Option<OutType> {
    let bare = |name: &str| name.rsplit_once(':').map_or(0, |(prefix, _)| prefix.len() + 1);
    let name = name.get(bare(name)..)?;
    let same = |known: &str| known.get(bare(known)..).is_some_and(|known| known.eq_ignore_ascii_case(name));
    OUT_NAMES.iter().find(|(known, _)| same(known)).map(|(_, value)| *value)
}

/// Names of in-types (`winmeta.xml` of the Windows SDK).
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
];

/// Names of in-types that only `TraceEvent` reads; each implies an out-type.
#[rustfmt::skip]
const TRACE_EVENT_NAMES: &[(&str, InType, OutType)] = &[
    ("trace:SizeT", InType::SIZET, OutType::NULL),
    ("trace:Port", InType::UINT16, OutType::PORT),
    ("trace:IPAddrV4", InType::UINT32, OutType::IPV4),
    ("trace:WmiTime", InType::UINT64, OutType::ETWTIME),
];

/// Names of out-types (`winmeta.xml`).
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
        let input = |name| types_from_names(name, None);
        assert_eq!(input("win:UnicodeString"), Some((InType(1), OutType::NULL)));
        assert_eq!(input(" WIN:systemtime "), Some((InType(18), OutType::NULL)));
        assert_eq!(input("win:Nothing"), None);
        let output = |name| types_from_names("win:UInt32", Some(name)).map(|(_, output)| output);
        assert_eq!(output("xs:hexBinary"), Some(OutType(15)));
        assert_eq!(output("xs:HexInt32"), Some(OutType(18)));
        assert_eq!(output("win:SocketAddress "), Some(OutType(25)));
        assert_eq!(output(""), Some(OutType::NULL));
    }

    #[test]
    fn types_of_trace_event_imply_how_they_are_shown() {
        assert_eq!(types_from_names("trace:Port", None), Some((InType::UINT16, OutType::PORT)));
        assert_eq!(types_from_names("trace:WmiTime", Some("xs:unknown")), Some((InType::UINT64, OutType::ETWTIME)));
        let stated = types_from_names("trace:IPAddrV4", Some("win:HexInt32"));
        assert_eq!(stated, Some((InType::UINT32, OutType::HEXINT32)));
    }
}
