//! Members of an event's object, whatever they are written to.

use std::borrow::Cow;
use std::io::Write as _;

use crate::bytes::{Guid, Sid, write_hex};
use crate::render::json::{push_integer, push_key, quoted};
use crate::render::{escape, value};
use crate::system::Function;

/// The value of a member, or an element of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemberValue<'a> {
    /// A number.
    Number(u64),
    /// A number, or a string beyond what every reader keeps exact.
    Integer(i64),
    /// The same without a sign.
    Counter(u64),
    /// A finite number with a point.
    #[cfg_attr(not(any(feature = "output", feature = "serde")), expect(dead_code, reason = "a derived member"))]
    Real(f64),
    /// A string: `0x` and digits.
    Hex(u64),
    /// A string.
    Guid(Guid),
    /// A string.
    Sid(Sid<'a>),
    /// A string of UTF-8; invalid bytes become U+FFFD.
    Text(&'a [u8]),
    /// A string of hexadecimal digits.
    Bytes(&'a [u8]),
    /// A string: an image and an offset in it.
    Frame { image: &'a str, offset: u64 },
    /// A string: a method and its module.
    Method { module: Option<&'a str>, name: &'a str },
    /// A list of objects: functions of native code, inlined ones first.
    Functions(&'a [Function]),
    /// `null`.
    Null,
}

/// Where members go, in order. Nothing is returned: what can fail keeps its first error.
pub(crate) trait MemberWriter {
    /// Writes a member with one value.
    fn member(&mut self, name: &str, value: MemberValue<'_>);

    /// Writes a member that is a list.
    #[expect(single_use_lifetimes, reason = "an elided lifetime is not stable here")]
    fn list<'a>(&mut self, name: &str, values: impl Iterator<Item = MemberValue<'a>>);

    /// Writes a member that is an object, unless it is empty.
    fn object<'a>(&mut self, name: &str, members: impl Iterator<Item = (Cow<'a, str>, MemberValue<'a>)>);
}

/// JSON text, each member with the comma before it.
impl MemberWriter for Vec<u8> {
    #[expect(
        clippy::inline_always,
        reason = "measured: stage `json` of `cargo xtask bench`; most calls know the value"
    )]
    #[inline(always)]
    fn member(&mut self, name: &str, value: MemberValue<'_>) {
        push_key_after_comma(self, name);
        push_member_value(self, value);
    }

    #[expect(single_use_lifetimes, reason = "an elided lifetime is not stable here")]
    fn list<'a>(&mut self, name: &str, values: impl Iterator<Item = MemberValue<'a>>) {
        push_key_after_comma(self, name);
        self.push(b'[');
        for (place, value) in values.enumerate() {
            if place > 0 {
                self.push(b',');
            }
            push_member_value(self, value);
        }
        self.push(b']');
    }

    fn object<'a>(&mut self, name: &str, members: impl Iterator<Item = (Cow<'a, str>, MemberValue<'a>)>) {
        let mut is_open = false;
        for (key, value) in members {
            if is_open {
                self.push(b',');
            } else {
                push_key_after_comma(self, name);
                self.push(b'{');
                is_open = true;
            }
            push_key(self, &key);
            push_member_value(self, value);
        }
        if is_open {
            self.push(b'}');
        }
    }
}

/// Appends `,"name":`.
#[inline]
fn push_key_after_comma(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
}

#[expect(clippy::inline_always, reason = "measured: stage `json` of `cargo xtask bench`; most calls know the value")]
#[inline(always)]
pub(crate) fn push_member_value(out: &mut Vec<u8>, value: MemberValue<'_>) {
    match value {
        MemberValue::Number(number) => push_number(out, number),
        MemberValue::Integer(number) => push_integer(out, number),
        MemberValue::Counter(number) => match i64::try_from(number) {
            Ok(number) => push_integer(out, number),
            Err(_) => quoted(out, |out| push_number(out, number)),
        },
        // Writing to a vector cannot fail.
        MemberValue::Real(number) => drop(write!(out, "{number:?}")),
        MemberValue::Hex(number) => quoted(out, |out| {
            value::hex(out, number);
        }),
        MemberValue::Guid(guid) => quoted(out, |out| out.extend_from_slice(&guid.to_text())),
        MemberValue::Sid(sid) => quoted(out, |out| out.extend_from_slice(sid.to_string().as_bytes())),
        MemberValue::Text(text) => quoted(out, |out| escape::push_utf8(out, text)),
        MemberValue::Bytes(bytes) => quoted(out, |out| write_hex(out, bytes)),
        MemberValue::Frame { image, offset } => quoted(out, |out| {
            escape::push_str(out, image);
            out.push(b'+');
            value::hex(out, offset);
        }),
        MemberValue::Method { module, name } => quoted(out, |out| {
            if let Some(module) = module {
                escape::push_str(out, module);
                out.push(b'!');
            }
            escape::push_str(out, name);
        }),
        MemberValue::Functions(functions) => push_functions(out, functions),
        MemberValue::Null => out.extend_from_slice(b"null"),
    }
}

#[inline(never)]
fn push_functions(out: &mut Vec<u8>, functions: &[Function]) {
    out.push(b'[');
    for (place, function) in functions.iter().enumerate() {
        out.extend_from_slice(if place > 0 { b",{" } else { b"{" });
        push_key(out, "name");
        push_member_value(out, MemberValue::Text(function.name.as_bytes()));
        if let Some(file) = &function.file {
            out.member("file", MemberValue::Text(file.as_bytes()));
        }
        if let Some(line) = function.line {
            out.member("line", MemberValue::Number(line.into()));
        }
        out.push(b'}');
    }
    out.push(b']');
}

#[inline]
fn push_number(out: &mut Vec<u8>, number: u64) {
    let mut buffer = itoa::Buffer::new();
    let digits = match u32::try_from(number) {
        Ok(small) => buffer.format(small),
        Err(_) => buffer.format(number),
    };
    out.extend_from_slice(digits.as_bytes());
}
