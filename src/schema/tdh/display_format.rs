//! Out-types as presentation (section 9.2).

use super::{InType, OutType};
use crate::schema::DisplayFormat;

/// Returns how a value of these types is shown. An out-type that makes no sense for the in-type counts as none, as
/// `tdh.h` asks of decoders.
pub(super) fn display_format(input: InType, output: OutType) -> DisplayFormat {
    match (input, output) {
        (_, OutType::NOPRINT) => DisplayFormat::Hidden,
        (_, OutType::NULL) => default_format(input),
        (InType::FILETIME, _) => DisplayFormat::FileTime,
        _ => match integer_len(input) {
            Some(len) => of_integer(input, output, len).unwrap_or_else(|| default_format(input)),
            None => of_other(input, output),
        },
    }
}

/// Returns the default presentation of a type.
const fn default_format(input: InType) -> DisplayFormat {
    match input {
        InType::BOOLEAN => DisplayFormat::Bool,
        InType::HEXINT32 | InType::HEXINT64 => DisplayFormat::Hex,
        InType::FILETIME => DisplayFormat::FileTime,
        InType::UNICODECHAR | InType::ANSICHAR => DisplayFormat::Char,
        _ => DisplayFormat::Plain,
    }
}

/// Out-types of text, bytes and what else is not an integer.
const fn of_other(input: InType, output: OutType) -> DisplayFormat {
    let bytes = matches!(input, InType::BINARY | InType::MANIFEST_COUNTEDBINARY | InType::HEXDUMP);
    match output {
        OutType::XML => DisplayFormat::Xml,
        OutType::JSON => DisplayFormat::Json,
        OutType::DATETIME_UTC if matches!(input, InType::SYSTEMTIME) => DisplayFormat::FileTime,
        OutType::GUID if bytes => DisplayFormat::Guid,
        OutType::IPV4 if bytes => DisplayFormat::Ipv4,
        OutType::IPV6 if bytes => DisplayFormat::Ipv6,
        OutType::SOCKETADDRESS if bytes => DisplayFormat::SocketAddress,
        OutType::PKCS7_WITH_TYPE_INFO if bytes => DisplayFormat::Pkcs7,
        _ => DisplayFormat::Plain,
    }
}

/// Out-types of integers of `len` bytes.
const fn of_integer(input: InType, output: OutType, len: u8) -> Option<DisplayFormat> {
    Some(match (output, len) {
        (OutType::STRING, 1 | 2) => DisplayFormat::Char,
        (OutType::PORT, 2) => DisplayFormat::Port,
        (OutType::IPV4, 4) => DisplayFormat::Ipv4,
        (OutType::DATETIME | OutType::DATETIME_UTC | OutType::CULTURE_INSENSITIVE_DATETIME, 8) => {
            DisplayFormat::FileTime
        }
        (OutType::ETWTIME, 8) => DisplayFormat::ClockTime,
        (OutType::BOOLEAN, _) => DisplayFormat::Bool,
        (OutType::HEXINT8 | OutType::HEXINT16 | OutType::HEXINT32 | OutType::HEXINT64, _) => match input {
            // Addresses are hexadecimal anyway, and stay addresses.
            InType::POINTER => DisplayFormat::Plain,
            _ => DisplayFormat::Hex,
        },
        (OutType::PID, _) => DisplayFormat::Pid,
        (OutType::TID, _) => DisplayFormat::Tid,
        (OutType::ERRORCODE, _) => DisplayFormat::ErrorCode,
        (OutType::WIN32ERROR, _) => DisplayFormat::Win32Error,
        (OutType::NTSTATUS, _) => DisplayFormat::NtStatus,
        (OutType::HRESULT, _) => DisplayFormat::HResult,
        (OutType::CODE_POINTER, _) => DisplayFormat::CodePointer,
        (OutType::BYTE | OutType::SHORT | OutType::INT | OutType::LONG, _) => match input {
            InType::INT8 | InType::INT16 | InType::INT32 | InType::INT64 => DisplayFormat::Plain,
            _ => DisplayFormat::Signed,
        },
        (OutType::UNSIGNEDBYTE | OutType::UNSIGNEDSHORT | OutType::UNSIGNEDINT | OutType::UNSIGNEDLONG, _) => {
            match input {
                InType::UINT8 | InType::UINT16 | InType::UINT32 | InType::UINT64 => DisplayFormat::Plain,
                _ => DisplayFormat::Unsigned,
            }
        }
        _ => return None,
    })
}

/// Bytes of an in-type that is an integer; for pointers those of the wider kind.
const fn integer_len(input: InType) -> Option<u8> {
    Some(match input {
        InType::INT8 | InType::UINT8 | InType::ANSICHAR => 1,
        InType::INT16 | InType::UINT16 | InType::UNICODECHAR => 2,
        InType::INT32 | InType::UINT32 | InType::BOOLEAN | InType::HEXINT32 => 4,
        InType::INT64 | InType::UINT64 | InType::HEXINT64 | InType::POINTER | InType::SIZET => 8,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_out_type_counts_where_it_makes_sense() {
        for (input, output, wanted) in [
            (InType::UINT32, OutType::UNSIGNEDINT, DisplayFormat::Plain),
            (InType::UINT32, OutType::HEXINT32, DisplayFormat::Hex),
            (InType::HEXINT32, OutType::UNSIGNEDINT, DisplayFormat::Unsigned),
            (InType::UINT32, OutType::INT, DisplayFormat::Signed),
            (InType::INT32, OutType::INT, DisplayFormat::Plain),
            (InType::INT32, OutType::HRESULT, DisplayFormat::HResult),
            (InType::UINT16, OutType::STRING, DisplayFormat::Char),
            (InType::UINT16, OutType::PORT, DisplayFormat::Port),
            (InType::UINT32, OutType::PORT, DisplayFormat::Plain),
            (InType::POINTER, OutType::HEXINT64, DisplayFormat::Plain),
            (InType::POINTER, OutType::UNSIGNEDLONG, DisplayFormat::Unsigned),
            (InType::BOOLEAN, OutType::NULL, DisplayFormat::Bool),
            (InType::UINT8, OutType::BOOLEAN, DisplayFormat::Bool),
            (InType::BINARY, OutType::SOCKETADDRESS, DisplayFormat::SocketAddress),
            (InType::BINARY, OutType::HEXBINARY, DisplayFormat::Plain),
            (InType::UNICODESTRING, OutType::STRING, DisplayFormat::Plain),
            (InType::FILETIME, OutType::DATETIME, DisplayFormat::FileTime),
            (InType::SYSTEMTIME, OutType::DATETIME_UTC, DisplayFormat::FileTime),
            (InType::SYSTEMTIME, OutType::DATETIME, DisplayFormat::Plain),
            (InType::UINT64, OutType::ETWTIME, DisplayFormat::ClockTime),
            (InType::SID, OutType::NOPRINT, DisplayFormat::Hidden),
            (InType::SID, OutType::STRING, DisplayFormat::Plain),
            (InType::GUID, OutType::GUID, DisplayFormat::Plain),
            (InType::BINARY, OutType::GUID, DisplayFormat::Guid),
            (InType::UINT32, OutType(99), DisplayFormat::Plain),
        ] {
            assert_eq!(display_format(input, output), wanted, "{input:?} {output:?}");
        }
    }

    /// Out-types and the in-types for which they count. Manifest compilers accept fewer pairs; `tdh.h` lets a decoder
    /// know more. A sign, a base or an error code has a meaning for every integer.
    const APPLICABLE: &[(&[u16], &[u16])] = &[
        (&[1], &[3, 4, 5, 6, 306, 307]),
        (&[2, 33, 38], &[9, 10, 16, 17, 21, 308]),
        (&[3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 17, 18, 19, 20, 21, 29, 30, 31, 32, 37], INTEGERS),
        (&[14, 36], BYTES),
        (&[22], &[5, 6, 306]),
        (&[23], &[7, 8, 13, 14, 20, 25, 309]),
        (&[24, 25], BYTES),
        (&[27], &[9, 10, 16, 21, 308]),
        (&[38], &[18]),
        (&[28, 34], &[0, 1, 2, 11, 12, 14, 15, 18, 19, 22, 23, 25, 300, 301, 302, 303, 304, 305, 309, 310]),
    ];
    const INTEGERS: &[u16] = &[3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 20, 21, 306, 307, 308];
    const BYTES: &[u16] = &[14, 25, 309];

    #[test]
    fn any_other_out_type_counts_as_none() {
        for input in (0..24).chain([25]).chain(300..311) {
            let default = display_format(InType(input), OutType::NULL);
            for output in (0..60).chain([300]) {
                let applies = APPLICABLE.iter().any(|(of, to)| of.contains(&output) && to.contains(&input));
                assert!(applies || display_format(InType(input), OutType(output)) == default, "{input} {output}");
            }
        }
    }
}
