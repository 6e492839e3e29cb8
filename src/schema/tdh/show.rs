//! Out-types as presentation (section 9.2).

use super::{InType, OutType};
use crate::schema::Show;

/// How a value of these types is shown. An out-type that makes no sense for the in-type counts as none, as `tdh.h` asks
/// of decoders.
pub(super) fn show(input: InType, output: OutType) -> Show {
    match (input, output) {
        (_, OutType::NOPRINT) => Show::Hidden,
        (_, OutType::NULL) => default_show(input),
        (InType::FILETIME, _) => Show::FileTime,
        _ => match integer_len(input) {
            Some(len) => of_integer(input, output, len).unwrap_or_else(|| default_show(input)),
            None => of_other(input, output),
        },
    }
}

/// Returns the default presentation of a type.
const fn default_show(input: InType) -> Show {
    match input {
        InType::BOOLEAN => Show::Bool,
        InType::HEXINT32 | InType::HEXINT64 => Show::Hex,
        InType::FILETIME => Show::FileTime,
        InType::UNICODECHAR | InType::ANSICHAR => Show::Char,
        _ => Show::Plain,
    }
}

/// Out-types of text, bytes and what else is no integer.
const fn of_other(input: InType, output: OutType) -> Show {
    let bytes = matches!(input, InType::BINARY | InType::MANIFEST_COUNTEDBINARY | InType::HEXDUMP);
    match output {
        OutType::XML => Show::Xml,
        OutType::JSON => Show::Json,
        OutType::GUID if bytes => Show::Guid,
        OutType::IPV4 if bytes => Show::Ipv4,
        OutType::IPV6 if bytes => Show::Ipv6,
        OutType::SOCKETADDRESS if bytes => Show::SocketAddress,
        OutType::PKCS7_WITH_TYPE_INFO if bytes => Show::Pkcs7,
        _ => Show::Plain,
    }
}

/// Out-types of integers of `len` bytes.
const fn of_integer(input: InType, output: OutType, len: u8) -> Option<Show> {
    Some(match (output, len) {
        (OutType::STRING, 1 | 2) => Show::Char,
        (OutType::PORT, 2) => Show::Port,
        (OutType::IPV4, 4) => Show::Ipv4,
        (OutType::DATETIME | OutType::DATETIME_UTC | OutType::CULTURE_INSENSITIVE_DATETIME, 8) => Show::FileTime,
        (OutType::ETWTIME, 8) => Show::ClockTime,
        (OutType::BOOLEAN, _) => Show::Bool,
        (OutType::HEXINT8 | OutType::HEXINT16 | OutType::HEXINT32 | OutType::HEXINT64, _) => match input {
            // Addresses are hexadecimal anyway, and stay addresses.
            InType::POINTER => Show::Plain,
            _ => Show::Hex,
        },
        (OutType::PID, _) => Show::Pid,
        (OutType::TID, _) => Show::Tid,
        (OutType::ERRORCODE, _) => Show::ErrorCode,
        (OutType::WIN32ERROR, _) => Show::Win32Error,
        (OutType::NTSTATUS, _) => Show::NtStatus,
        (OutType::HRESULT, _) => Show::HResult,
        (OutType::CODE_POINTER, _) => Show::CodePointer,
        (OutType::BYTE | OutType::SHORT | OutType::INT | OutType::LONG, _) => match input {
            InType::INT8 | InType::INT16 | InType::INT32 | InType::INT64 => Show::Plain,
            _ => Show::Signed,
        },
        (OutType::UNSIGNEDBYTE | OutType::UNSIGNEDSHORT | OutType::UNSIGNEDINT | OutType::UNSIGNEDLONG, _) => {
            match input {
                InType::UINT8 | InType::UINT16 | InType::UINT32 | InType::UINT64 => Show::Plain,
                _ => Show::Unsigned,
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
            (InType::UINT32, OutType::UNSIGNEDINT, Show::Plain),
            (InType::UINT32, OutType::HEXINT32, Show::Hex),
            (InType::HEXINT32, OutType::UNSIGNEDINT, Show::Unsigned),
            (InType::UINT32, OutType::INT, Show::Signed),
            (InType::INT32, OutType::INT, Show::Plain),
            (InType::INT32, OutType::HRESULT, Show::HResult),
            (InType::UINT16, OutType::STRING, Show::Char),
            (InType::UINT16, OutType::PORT, Show::Port),
            (InType::UINT32, OutType::PORT, Show::Plain),
            (InType::POINTER, OutType::HEXINT64, Show::Plain),
            (InType::POINTER, OutType::UNSIGNEDLONG, Show::Unsigned),
            (InType::BOOLEAN, OutType::NULL, Show::Bool),
            (InType::UINT8, OutType::BOOLEAN, Show::Bool),
            (InType::BINARY, OutType::SOCKETADDRESS, Show::SocketAddress),
            (InType::BINARY, OutType::HEXBINARY, Show::Plain),
            (InType::UNICODESTRING, OutType::STRING, Show::Plain),
            (InType::FILETIME, OutType::DATETIME, Show::FileTime),
            (InType::UINT64, OutType::ETWTIME, Show::ClockTime),
            (InType::SID, OutType::NOPRINT, Show::Hidden),
            (InType::SID, OutType::STRING, Show::Plain),
            (InType::GUID, OutType::GUID, Show::Plain),
            (InType::BINARY, OutType::GUID, Show::Guid),
            (InType::UINT32, OutType(99), Show::Plain),
        ] {
            assert_eq!(show(input, output), wanted, "{input:?} {output:?}");
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
        (&[28, 34], &[0, 1, 2, 11, 12, 14, 15, 18, 19, 22, 23, 25, 300, 301, 302, 303, 304, 305, 309, 310]),
    ];
    const INTEGERS: &[u16] = &[3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 20, 21, 306, 307, 308];
    const BYTES: &[u16] = &[14, 25, 309];

    #[test]
    fn any_other_out_type_counts_as_none() {
        for input in (0..24).chain([25]).chain(300..311) {
            let default = show(InType(input), OutType::NULL);
            for output in (0..60).chain([300]) {
                let applies = APPLICABLE.iter().any(|(of, to)| of.contains(&output) && to.contains(&input));
                assert!(applies || show(InType(input), OutType(output)) == default, "{input} {output}");
            }
        }
    }
}
