//! The types of fields (`TlgIn_t`, `TlgOut_t` of `TraceLoggingProvider.h`), each as the type of TDH that means the
//! same.

use etwkit::schema::tdh;

/// How a value is stored in the payload: the low 5 bits of a field's first type byte. The numbers are those of TDH but
/// for the ones named here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InType(pub(crate) u8);

impl InType {
    /// Bytes after their count, where TDH has the length elsewhere.
    pub(crate) const BINARY: Self = Self(14);
    /// Reserved in TDH.
    pub(crate) const STRUCT: Self = Self(24);

    /// Returns the same in TDH.
    pub(crate) const fn of_tdh(self) -> tdh::InType {
        match self {
            Self::BINARY => tdh::InType::MANIFEST_COUNTEDBINARY,
            Self(number) => tdh::InType(number as u16),
        }
    }
}

/// How a value is shown: the low 7 bits of a field's second type byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutType(pub(crate) u8);

impl OutType {
    /// Returns the same in TDH, which has signed, unsigned and hexadecimal numbers for each width: the widest serves
    /// all. Unknown values are treated as absent.
    pub(crate) const fn of_tdh(self) -> tdh::OutType {
        match self.0 {
            1 => tdh::OutType::NOPRINT,
            2 => tdh::OutType::STRING,
            3 => tdh::OutType::BOOLEAN,
            4 => tdh::OutType::HEXINT64,
            5 => tdh::OutType::PID,
            6 => tdh::OutType::TID,
            7 => tdh::OutType::PORT,
            8 => tdh::OutType::IPV4,
            9 => tdh::OutType::IPV6,
            10 => tdh::OutType::SOCKETADDRESS,
            11 => tdh::OutType::XML,
            12 => tdh::OutType::JSON,
            13 => tdh::OutType::WIN32ERROR,
            14 => tdh::OutType::NTSTATUS,
            15 => tdh::OutType::HRESULT,
            16 => tdh::OutType::DATETIME,
            17 => tdh::OutType::LONG,
            18 => tdh::OutType::UNSIGNEDLONG,
            35 => tdh::OutType::UTF8,
            36 => tdh::OutType::PKCS7_WITH_TYPE_INFO,
            37 => tdh::OutType::CODE_POINTER,
            38 => tdh::OutType::DATETIME_UTC,
            _ => tdh::OutType::NULL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etwkit::schema::{Count, DisplayFormat, Encoding, Field, Len, Wire};

    fn field(input: InType, output: OutType) -> Option<Field> {
        tdh::field("x", input.of_tdh(), output.of_tdh(), None, Count::One)
    }

    #[test]
    fn in_types_up_to_25_are_known() {
        for number in 0..32 {
            let is_known = number <= 25 && InType(number) != InType::STRUCT;
            assert_eq!(field(InType(number), OutType(0)).is_some(), is_known, "in-type {number}");
        }
    }

    #[test]
    fn bytes_have_their_count_before_them() {
        let counted = Wire::Bytes { len: Len::Prefix16 };
        assert_eq!([InType::BINARY, InType(25)].map(|input| field(input, OutType(0)).unwrap().wire), [counted; 2]);
    }

    #[test]
    fn narrow_text_is_utf8_where_its_out_type_says_so() {
        let counted_ansi = InType(23);
        for (output, encoding) in [(0, Encoding::Ansi), (2, Encoding::Ansi), (35, Encoding::Utf8), (12, Encoding::Utf8)]
        {
            let len = Len::Prefix16;
            assert_eq!(field(counted_ansi, OutType(output)).unwrap().wire, Wire::Text { encoding, len });
        }
    }

    #[test]
    fn an_out_type_counts_where_it_makes_sense() {
        let [utf16, uint8, uint16, int32, uint32, uint64] = [1, 4, 6, 7, 8, 10].map(InType);
        let [bool32, guid, filetime, systemtime, hexint64] = [13, 15, 17, 18, 21].map(InType);
        for (input, output, wanted) in [
            (uint16, 2, DisplayFormat::Char),
            (uint32, 2, DisplayFormat::Plain),
            (utf16, 2, DisplayFormat::Plain),
            (uint32, 7, DisplayFormat::Plain),
            (InType::BINARY, 9, DisplayFormat::Ipv6),
            (uint8, 9, DisplayFormat::Plain),
            (uint8, 4, DisplayFormat::Hex),
            (uint8, 17, DisplayFormat::Signed),
            (hexint64, 7, DisplayFormat::Hex),
            (uint64, 16, DisplayFormat::FileTime),
            (guid, 1, DisplayFormat::Hidden),
            (bool32, 0, DisplayFormat::Bool),
            (bool32, 18, DisplayFormat::Unsigned),
            (filetime, 38, DisplayFormat::FileTime),
            (systemtime, 38, DisplayFormat::FileTime),
            (systemtime, 16, DisplayFormat::Plain),
            (int32, 99, DisplayFormat::Plain),
        ] {
            assert_eq!(field(input, OutType(output)).unwrap().display, wanted, "{input:?} {output}");
        }
    }
}
