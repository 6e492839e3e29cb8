//! Arrays of numbers.

use std::fmt;
use std::marker::PhantomData;
use std::slice::ChunksExact;

use crate::bytes::{Guid, PointerSize};
use crate::error::FieldError;
use crate::schema::{Count, Field, Scalar, Wire};

use super::{FieldView, FromField, FromValue, Value};

/// The elements of an array whose elements are numbers or GUIDs, decoded one by one.
///
/// ```no_run
/// # fn f(event: &etwkit::Event<'_>) -> etwkit::Result<()> {
/// use etwkit::decode::Array;
///
/// for address in event.get::<Array<'_, u64>>("Stack")? {
///     println!("{address:#x}");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Array<'a, T> {
    elements: ChunksExact<'a, u8>,
    scalar: Scalar,
    pointer: PointerSize,
    field: &'a Field,
    element: PhantomData<T>,
}

/// A type that the elements of an [`Array`] can be read as: integers, doubles and GUIDs.
pub trait Element: FromValue {
    /// Returns whether the type can hold every value of a wire type.
    fn holds(scalar: Scalar) -> bool;
}

impl<'a, T: Element> FromField<'a> for Array<'a, T> {
    fn from_field(view: &FieldView<'a>) -> Result<Self, FieldError> {
        let prefix = match view.field.count {
            Count::One => None,
            Count::Prefix16 => Some(2),
            _ => Some(0),
        };
        let bytes = prefix.and_then(|prefix| view.bytes().get(prefix..));
        match (view.field.wire, bytes) {
            (Wire::Scalar(scalar), Some(bytes)) if T::holds(scalar) => {
                let elements = bytes.chunks_exact(scalar.len(view.pointer));
                Ok(Self { elements, scalar, pointer: view.pointer, field: view.field, element: PhantomData })
            }
            _ => Err(view.wrong_type::<Self>()),
        }
    }
}

impl<T: Element> Iterator for Array<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let (value, _) = Value::read(self.scalar, self.elements.next()?, self.pointer)?;
        // Never an error: the type holds every value.
        T::from_value(value, self.field)?.ok()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elements.size_hint()
    }
}

impl<T: Element> ExactSizeIterator for Array<'_, T> {}

impl<T: Element + Clone + fmt::Debug> fmt::Debug for Array<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

macro_rules! elements {
    ($($type:ident: $($scalar:ident)|+;)+) => {$(
        impl Element for $type {
            #[inline]
            fn holds(scalar: Scalar) -> bool {
                matches!(scalar, $(Scalar::$scalar)|+)
            }
        }
    )+};
}

elements! {
    i8: I8;
    u8: U8;
    i16: I8 | U8 | I16;
    u16: U8 | U16;
    i32: I8 | U8 | I16 | U16 | I32;
    u32: U8 | U16 | U32;
    i64: I8 | U8 | I16 | U16 | I32 | U32 | I64;
    u64: U8 | U16 | U32 | U64 | Pointer;
    f64: F32 | F64;
    Guid: Guid;
}
