//! Fields as Rust types.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::bytes::{AnsiText, Guid, Sid};
use crate::error::FieldError;
use crate::format::SystemTime;
use crate::schema::{DisplayFormat, Field, Schema};
use crate::time::FileTime;

use super::{Event, FieldView, Value, Visitor};

/// A type that a field can be read as, by [`Event::get`].
///
/// Implemented for integers, floats, `bool`, [`Guid`], texts (`&str`, `Cow<str>`, `String`), bytes, [`Sid`],
/// [`FileTime`], `SYSTEMTIME`, IP addresses, `Vec` of the owned ones and [`Array`](super::Array) for arrays, and
/// `Option` for fields that may be absent. An integer is read as the number that is shown, or that is behind what is shown;
/// if the wanted type does not hold that, as the number that its own type gives it: both `i32` and `u32` can hold an
/// `HRESULT`.
pub trait FromField<'a>: Sized {
    /// Reads the field.
    fn from_field(field: &FieldView<'a>) -> Result<Self, FieldError>;

    /// Returns the value that stands for a field which is not there; `None` makes that an error.
    fn absent() -> Option<Self> {
        None
    }
}

/// A type that one value can be read as without borrowing from the payload.
pub trait FromValue: Sized {
    /// Reads the value; `None` if it is of another type.
    fn from_value(value: Value<'_>, field: &Field) -> Option<Result<Self, NotInRange>>;
}

/// A number that the wanted type cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInRange;

impl<'a> Event<'a> {
    /// Reads a field as a Rust type: the field of exactly that name, else one that differs in ASCII case only.
    ///
    /// ```no_run
    /// # fn f(event: &etwkit::Event<'_>) -> etwkit::Result<()> {
    /// let pid: u32 = event.get("ProcessId")?;
    /// let name = event.get::<&str>("ImageFileName")?;
    /// let parent = event.get::<Option<u32>>("ParentId")?; // None where the event's version has no such field
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The error states whether the field is missing, does not fit the payload, has another type, or holds a number
    /// that the type cannot.
    pub fn get<T: FromField<'a>>(&self, name: &str) -> Result<T, FieldError> {
        match self.field(name) {
            Some(view) => T::from_field(&view),
            None => T::absent().ok_or_else(|| self.why_absent(name)),
        }
    }

    #[cold]
    pub(crate) fn why_absent(&self, name: &str) -> FieldError {
        let (event, field) = (self.name().into(), name.into());
        let has = |schema: &Schema| {
            schema.top_level().any(|(_, field)| field.name.eq_ignore_ascii_case(name) || field.is_alias(name))
        };
        match self.schema {
            None => FieldError::Undecoded { event, field },
            Some(schema) if has(schema) && !self.fit().is_whole() => FieldError::Misfit { event, field },
            Some(_) => FieldError::Missing { event, field },
        }
    }
}

impl<'a> FieldView<'a> {
    /// Reads it as a Rust type.
    pub fn get<T: FromField<'a>>(&self) -> Result<T, FieldError> {
        T::from_field(self)
    }

    #[cold]
    pub(super) fn wrong_type<T>(&self) -> FieldError {
        FieldError::WrongType { field: self.field.name.clone(), wanted: std::any::type_name::<T>() }
    }

    #[cold]
    fn out_of_range<T>(&self) -> FieldError {
        FieldError::OutOfRange { field: self.field.name.clone(), wanted: std::any::type_name::<T>() }
    }

    fn owned<T: FromValue>(&self) -> Result<T, FieldError> {
        let read = self.value().and_then(|value| T::from_value(value, self.field));
        read.ok_or_else(|| self.wrong_type::<T>())?.map_err(|NotInRange| self.out_of_range::<T>())
    }
}

macro_rules! integers {
    ($($type:ty),+) => {$(
        impl FromValue for $type {
            #[inline]
            fn from_value(value: Value<'_>, field: &Field) -> Option<Result<Self, NotInRange>> {
                let by_type = match value {
                    Value::Signed(number, _) => Self::try_from(number).ok(),
                    Value::Unsigned(number, _) | Value::Pointer(number, _) => Self::try_from(number).ok(),
                    _ => return None,
                };
                let number = if field.display == DisplayFormat::Plain {
                    by_type
                } else {
                    // Codes of errors are of signed types, and shown as their bits.
                    value.number(field.display).and_then(|number| Self::try_from(number).ok()).or(by_type)
                };
                Some(number.ok_or(NotInRange))
            }
        }
    )+};
}
integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64);

impl FromValue for bool {
    fn from_value(value: Value<'_>, _: &Field) -> Option<Result<Self, NotInRange>> {
        value.as_bool().map(Ok)
    }
}

impl FromValue for f64 {
    fn from_value(value: Value<'_>, _: &Field) -> Option<Result<Self, NotInRange>> {
        value.as_f64().map(Ok)
    }
}

impl FromValue for f32 {
    fn from_value(value: Value<'_>, _: &Field) -> Option<Result<Self, NotInRange>> {
        match value {
            Value::F32(number) => Some(Ok(number)),
            _ => None,
        }
    }
}

impl FromValue for Guid {
    fn from_value(value: Value<'_>, field: &Field) -> Option<Result<Self, NotInRange>> {
        match (value, field.display) {
            (Value::Bytes(bytes), DisplayFormat::Guid) => {
                <[u8; 16]>::try_from(bytes).ok().map(|bytes| Ok(Self::from_bytes(bytes)))
            }
            (value, _) => value.as_guid().map(Ok),
        }
    }
}

impl FromValue for String {
    fn from_value(value: Value<'_>, _: &Field) -> Option<Result<Self, NotInRange>> {
        value.text().map(|text| Ok(without_fill(text).into_owned()))
    }
}

/// Text without the NULs that fill up a field of fixed length.
fn without_fill(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_end_matches('\0')),
        Cow::Owned(mut text) => {
            text.truncate(text.trim_end_matches('\0').len());
            Cow::Owned(text)
        }
    }
}

/// Fields that are shown as a FILETIME, as seconds since 1970, or are a `SYSTEMTIME`.
impl FromValue for FileTime {
    fn from_value(value: Value<'_>, field: &Field) -> Option<Result<Self, NotInRange>> {
        let time = match (value, field.display) {
            (Value::SystemTime(time), _) => time.filetime(),
            (value, DisplayFormat::FileTime) => value.as_i64().map(Self),
            (value, DisplayFormat::UnixTime) => Some(Self::from_unix_seconds(value.as_i64()?)),
            _ => return None,
        };
        Some(time.ok_or(NotInRange))
    }
}

impl FromValue for SystemTime {
    fn from_value(value: Value<'_>, _: &Field) -> Option<Result<Self, NotInRange>> {
        if let Value::SystemTime(time) = value { Some(Ok(time)) } else { None }
    }
}

impl FromValue for Ipv4Addr {
    fn from_value(value: Value<'_>, field: &Field) -> Option<Result<Self, NotInRange>> {
        match (value, field.display) {
            // In network order, so the bytes in the payload are those of the address.
            (Value::Unsigned(address, 4), DisplayFormat::Ipv4) => Some(Ok((address as u32).to_le_bytes().into())),
            (Value::Bytes(bytes), DisplayFormat::Ipv4) => <[u8; 4]>::try_from(bytes).ok().map(|bytes| Ok(bytes.into())),
            _ => None,
        }
    }
}

impl FromValue for Ipv6Addr {
    fn from_value(value: Value<'_>, field: &Field) -> Option<Result<Self, NotInRange>> {
        match (value, field.display) {
            (Value::Bytes(bytes), DisplayFormat::Ipv6) => {
                <[u8; 16]>::try_from(bytes).ok().map(|bytes| Ok(bytes.into()))
            }
            _ => None,
        }
    }
}

impl FromValue for IpAddr {
    fn from_value(value: Value<'_>, field: &Field) -> Option<Result<Self, NotInRange>> {
        let four = Ipv4Addr::from_value(value, field).map(|address| address.map(Self::V4));
        four.or_else(|| Ipv6Addr::from_value(value, field).map(|address| address.map(Self::V6)))
    }
}

macro_rules! owned {
    ($($type:ty),+) => {$(
        impl<'a> FromField<'a> for $type {
            #[inline]
            fn from_field(field: &FieldView<'a>) -> Result<Self, FieldError> {
                field.owned()
            }
        }
    )+};
}
owned!(u8, u16, u32, u64, usize, i8, i16, i32, i64, bool, f32, f64, Guid, String, FileTime);
owned!(Ipv4Addr, Ipv6Addr, IpAddr, SystemTime);

/// The field itself, to be visited.
impl<'a> FromField<'a> for FieldView<'a> {
    fn from_field(field: &Self) -> Result<Self, FieldError> {
        Ok(*field)
    }
}

/// UTF-8 in the payload is lent; other text is converted once per event and lent from memory beside it.
impl<'a> FromField<'a> for &'a str {
    fn from_field(field: &FieldView<'a>) -> Result<Self, FieldError> {
        match field.value() {
            Some(Value::Utf8(bytes) | Value::Ansi(AnsiText(bytes))) if bytes.is_ascii() => {
                Ok(std::str::from_utf8(bytes).unwrap_or_default().trim_end_matches('\0'))
            }
            Some(value @ (Value::Utf8(_) | Value::Ansi(_) | Value::Utf16(_))) => {
                let text = || value.text().map(|text| without_fill(text).into_owned()).unwrap_or_default();
                Ok(field.scratch.texts.get_or_insert(field.index as u32, text))
            }
            _ => Err(field.wrong_type::<Self>()),
        }
    }
}

impl<'a> FromField<'a> for Cow<'a, str> {
    fn from_field(field: &FieldView<'a>) -> Result<Self, FieldError> {
        field.value().and_then(|value| value.text()).map(without_fill).ok_or_else(|| field.wrong_type::<Self>())
    }
}

impl<'a> FromField<'a> for &'a [u8] {
    fn from_field(field: &FieldView<'a>) -> Result<Self, FieldError> {
        match field.value() {
            Some(Value::Bytes(bytes)) => Ok(bytes),
            _ => Err(field.wrong_type::<Self>()),
        }
    }
}

impl<'a> FromField<'a> for Sid<'a> {
    fn from_field(field: &FieldView<'a>) -> Result<Self, FieldError> {
        match field.value() {
            Some(Value::Sid(Some(sid))) => Ok(sid),
            _ => Err(field.wrong_type::<Self>()),
        }
    }
}

/// `None` where the event has no such field.
impl<'a, T: FromField<'a>> FromField<'a> for Option<T> {
    fn from_field(field: &FieldView<'a>) -> Result<Self, FieldError> {
        T::from_field(field).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

/// The elements of an array.
impl<'a, T: FromValue> FromField<'a> for Vec<T> {
    fn from_field(field: &FieldView<'a>) -> Result<Self, FieldError> {
        let mut elements = Elements { list: Vec::new(), depth: 0, error: None };
        field.visit(&mut elements);
        match elements.error {
            None => Ok(elements.list),
            Some(Unread::Type) => Err(field.wrong_type::<Self>()),
            Some(Unread::Range) => Err(field.out_of_range::<Self>()),
        }
    }
}

/// Collects the elements of one array of plain values.
struct Elements<T> {
    list: Vec<T>,
    depth: usize,
    error: Option<Unread>,
}

enum Unread {
    Type,
    Range,
}

impl<T: FromValue> Visitor for Elements<T> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        match T::from_value(value, field) {
            Some(Ok(element)) if self.depth == 1 => self.list.push(element),
            Some(Err(NotInRange)) => self.error = Some(Unread::Range),
            _ => self.error = Some(Unread::Type),
        }
    }

    fn begin_array(&mut self, _: usize, _: &Field) {
        self.depth += 1;
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.depth -= 1;
    }

    fn begin_struct(&mut self, _: usize, _: &Field) {
        self.error = Some(Unread::Type);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Scalar, Wire};

    #[test]
    fn an_integer_is_what_is_shown_or_else_what_its_type_states() {
        fn read<T: FromValue>(value: Value<'_>, display: DisplayFormat) -> Option<T> {
            let field = Field::new("x", Wire::Scalar(Scalar::I32)).displayed(display);
            T::from_value(value, &field)?.ok()
        }
        let access_denied = Value::Signed(-2_147_024_891, 4);
        assert_eq!(read::<u32>(access_denied, DisplayFormat::HResult), Some(0x8007_0005));
        assert_eq!(read::<i32>(access_denied, DisplayFormat::HResult), Some(-2_147_024_891));
        assert_eq!(read::<u32>(access_denied, DisplayFormat::Plain), None);
        assert_eq!(read::<i8>(Value::Unsigned(0xFF, 1), DisplayFormat::Signed), Some(-1));
        assert_eq!(read::<u8>(Value::Unsigned(0xFF, 1), DisplayFormat::Signed), Some(0xFF));
        assert_eq!(read::<u16>(Value::Unsigned(0xBB01, 2), DisplayFormat::Port), Some(443));
    }
}
