//! How integers are printed, where their field alone decides that.

use etwkit::decode::Value;
use etwkit::schema::DisplayFormat;

use super::digits;
use super::value::{is_hex, is_number};
use crate::ops::{Form, Forms};

impl Form {
    #[inline]
    fn push(self, out: &mut Vec<u8>, number: u64, width: u8) -> bool {
        match self {
            Self::Other | Self::LowerHex => return false,
            Self::Hex => digits::push_hex(out, number),
            Self::Bool => out.extend_from_slice(if number == 0 { b"false" } else { b"true" }),
            Self::Aligned if width == 4 => digits::push_aligned(out, number),
            Self::Aligned | Self::Decimal => digits::push_decimal(out, number),
        }
        true
    }
}

/// Short cuts: each gives the text of a function of `value`.
impl Forms {
    /// As [`value::push_decimal`](super::value::push_decimal).
    pub(super) const DECIMAL: Self = Self { unsigned: Form::Aligned, signed: Form::Aligned, pointer: Form::Decimal };
    /// As [`value::push_hex`](super::value::push_hex).
    pub(super) const HEX: Self = Self { unsigned: Form::Hex, signed: Form::Hex, pointer: Form::Hex };

    /// As [`value::push_data`](super::value::push_data), for a field without a map.
    pub(super) fn of_data(display: DisplayFormat) -> Self {
        Self::of(display, Form::Aligned)
    }

    /// As [`value::push_insert`](super::value::push_insert), for a field without a map.
    pub(super) fn of_insert(display: DisplayFormat) -> Self {
        Self::of(display, Form::Decimal)
    }

    /// As [`value::push_classic`](super::value::push_classic), for a field without a map.
    pub(super) fn of_classic(display: DisplayFormat) -> Self {
        let data = Self::of_data(display);
        if is_number(display) { Self { unsigned: Form::Aligned, signed: Form::Aligned, ..data } } else { data }
    }

    /// As [`value::push_mof`](super::value::push_mof), for a field without a map.
    pub(super) fn of_mof(display: DisplayFormat) -> Self {
        if display == DisplayFormat::Bool { Self::of_data(display) } else { Self::of_classic(display) }
    }

    fn of(display: DisplayFormat, decimal: Form) -> Self {
        use DisplayFormat as D;
        let integer = |own: DisplayFormat| match display {
            _ if is_hex(display) => Form::Hex,
            D::Plain | D::Pid | D::Tid | D::Hidden => decimal,
            D::Bool => Form::Bool,
            _ if display == own => decimal,
            _ => Form::Other,
        };
        let is_address = matches!(display, D::Plain | D::Hex | D::CodePointer);
        Self {
            unsigned: integer(D::Unsigned),
            signed: integer(D::Signed),
            pointer: if is_address { Form::Hex } else { Form::Other },
        }
    }

    /// Appends an integer; nothing, and `false`, if the value is not an integer or takes more than the number.
    #[inline]
    pub(super) fn push(self, out: &mut Vec<u8>, value: Value<'_>) -> bool {
        match value {
            Value::Unsigned(number, width) => self.unsigned.push(out, number, width),
            Value::Signed(number, width) => {
                u64::try_from(number).is_ok_and(|number| self.signed.push(out, number, width))
            }
            Value::Pointer(number, size) => self.pointer.push(out, number, size.bytes() as u8),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::value;
    use super::*;
    use etwkit::bytes::PointerSize;
    use etwkit::render::PushValue;
    use etwkit::render::value::ValueContext;
    use etwkit::schema::{Field, Scalar, Wire};

    #[test]
    fn forms_are_the_text_of_the_functions() {
        use DisplayFormat as D;
        let all = [
            D::Plain,
            D::Hex,
            D::Signed,
            D::Unsigned,
            D::Bool,
            D::Char,
            D::Pid,
            D::Tid,
            D::Port,
            D::Ipv4,
            D::Ipv6,
            D::SocketAddress,
            D::FileTime,
            D::ClockTime,
            D::UnixTime,
            D::CodePointer,
            D::NtStatus,
            D::HResult,
            D::Win32Error,
            D::ErrorCode,
            D::Guid,
            D::Mac,
            D::Xml,
            D::Json,
            D::Hidden,
        ];
        let numbers = [0, 1, 171, 0xFFFF, 99_999_999, 0x7FFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FA80_01BB_5320];
        let integers = numbers.iter().flat_map(|&n: &u64| {
            let signed = n.cast_signed();
            [
                Value::Unsigned(n, 2),
                Value::Unsigned(n, 4),
                Value::Unsigned(n, 8),
                Value::Signed(i64::from(n as i32), 4),
                Value::Signed(signed, 8),
                Value::Pointer(n, PointerSize::Four),
                Value::Pointer(n, PointerSize::Eight),
            ]
        });
        let mut shown = 0;
        for (display, value) in all.iter().flat_map(|display| integers.clone().map(move |value| (*display, value))) {
            let functions: [(Forms, PushValue); 6] = [
                (Forms::of_data(display), value::push_data),
                (Forms::of_insert(display), value::push_insert),
                (Forms::of_classic(display), value::push_classic),
                (Forms::of_mof(display), value::push_mof),
                (Forms::DECIMAL, value::push_decimal),
                (Forms::HEX, value::push_hex),
            ];
            for (at, (forms, push)) in functions.into_iter().enumerate() {
                let (mut short, mut long) = (Vec::new(), Vec::new());
                let field = Field::new("x", Wire::Scalar(Scalar::U32)).displayed(display);
                push(&mut long, value, ValueContext::new(&field));
                if forms.push(&mut short, value) {
                    assert_eq!(short, long, "{at} {display:?} {value:?}");
                    shown += 1;
                }
            }
        }
        assert!(shown > 2_000, "{shown}");
    }
}
