//! Header fields as members.

use crate::render::members::{MemberValue, MemberWriter};
use crate::select::{HeaderField, HeaderValue};

/// Writes a header field, if the event has it.
#[expect(clippy::inline_always, reason = "measured: stage `json` of `cargo xtask bench`; most calls know the field")]
#[inline(always)]
pub(super) fn header_member<W: MemberWriter>(out: &mut W, field: HeaderField, value: Option<HeaderValue<'_>>) {
    match value {
        None => {}
        Some(HeaderValue::Number { value, .. }) => out.member(field.name(), MemberValue::Number(value)),
        Some(HeaderValue::Guid(guid)) => out.member(field.name(), MemberValue::Guid(guid)),
        Some(HeaderValue::Real(number)) => out.member(field.name(), MemberValue::Real(number)),
        Some(HeaderValue::Frame { image, offset }) => out.member(field.name(), MemberValue::Frame { image, offset }),
        Some(HeaderValue::Text(text)) => out.member(field.name(), MemberValue::Text(text.as_bytes())),
        Some(value) => out.member(field.name(), MemberValue::Text(value.plain_text().as_bytes())),
    }
}
