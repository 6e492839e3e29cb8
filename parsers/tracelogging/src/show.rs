//! Out-types as presentation.

use etwkit::schema::{Scalar, Show};

use crate::types::{InType, OutType};
use crate::wire::scalar;

/// How a field is shown. An out-type that says nothing about its in-type, or that nobody knows, is as if absent.
pub(crate) fn show(input: InType, output: OutType) -> Show {
    if output == OutType::NOPRINT {
        return Show::Hidden;
    }
    let wanted = match input {
        InType::UTF16 | InType::ANSI | InType::COUNTED_UTF16 | InType::COUNTED_ANSI => of_text(output),
        InType::BINARY | InType::COUNTED_BINARY => of_bytes(output),
        _ => integer_len(input).and_then(|len| of_integer(output, len)),
    };
    wanted.unwrap_or_else(|| by_default(input))
}

const fn by_default(input: InType) -> Show {
    match input {
        InType::BOOL32 => Show::Bool,
        InType::POINTER | InType::HEXINT32 | InType::HEXINT64 => Show::Hex,
        InType::FILETIME => Show::FileTime,
        _ => Show::Plain,
    }
}

const fn of_text(output: OutType) -> Option<Show> {
    match output {
        OutType::XML => Some(Show::Xml),
        OutType::JSON => Some(Show::Json),
        _ => None,
    }
}

const fn of_bytes(output: OutType) -> Option<Show> {
    match output {
        OutType::IPV6 => Some(Show::Ipv6),
        OutType::SOCKETADDRESS => Some(Show::SocketAddress),
        OutType::PKCS7 => Some(Show::Pkcs7),
        _ => None,
    }
}

/// Of integers of `len` bytes. Characters, ports and addresses make sense at their own width only.
const fn of_integer(output: OutType, len: u8) -> Option<Show> {
    Some(match (output, len) {
        (OutType::STRING, 1 | 2) => Show::Char,
        (OutType::PORT, 2) => Show::Port,
        (OutType::IPV4, 4) => Show::Ipv4,
        (OutType::FILETIME, 8) => Show::FileTime,
        (OutType::BOOLEAN, _) => Show::Bool,
        (OutType::HEX, _) => Show::Hex,
        (OutType::PID, _) => Show::Pid,
        (OutType::TID, _) => Show::Tid,
        (OutType::WIN32ERROR, _) => Show::Win32Error,
        (OutType::NTSTATUS, _) => Show::NtStatus,
        (OutType::HRESULT, _) => Show::HResult,
        (OutType::SIGNED, _) => Show::Signed,
        (OutType::UNSIGNED, _) => Show::Unsigned,
        (OutType::CODE_POINTER, _) => Show::CodePointer,
        _ => return None,
    })
}

/// Bytes of an in-type that is an integer; for pointers those of the wider kind.
const fn integer_len(input: InType) -> Option<u8> {
    Some(match scalar(input) {
        Some(Scalar::I8 | Scalar::U8) => 1,
        Some(Scalar::I16 | Scalar::U16) => 2,
        Some(Scalar::I32 | Scalar::U32) => 4,
        Some(Scalar::I64 | Scalar::U64 | Scalar::Pointer) => 8,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_out_type_counts_where_it_makes_sense() {
        for (input, output, wanted) in [
            (InType::UINT16, OutType::STRING, Show::Char),
            (InType::UINT32, OutType::STRING, Show::Plain),
            (InType::UTF16, OutType::STRING, Show::Plain),
            (InType::UINT32, OutType::PORT, Show::Plain),
            (InType::BINARY, OutType::IPV6, Show::Ipv6),
            (InType::UINT8, OutType::IPV6, Show::Plain),
            (InType::HEXINT64, OutType::PORT, Show::Hex),
            (InType::UINT64, OutType::FILETIME, Show::FileTime),
            (InType::GUID, OutType::NOPRINT, Show::Hidden),
            (InType::BOOL32, OutType(0), Show::Bool),
            (InType::BOOL32, OutType::UNSIGNED, Show::Unsigned),
            (InType::FILETIME, OutType(38), Show::FileTime),
            (InType::SYSTEMTIME, OutType(38), Show::Plain),
            (InType::INT32, OutType(99), Show::Plain),
        ] {
            assert_eq!(show(input, output), wanted, "{input:?} {output:?}");
        }
    }
}
