//! Arrays of numbers.

use std::fmt;
use std::marker::PhantomData;
use std::slice::ChunksExact;

use crate::bytes::{Guid, PointerSize};
use crate::decode::Value;
use crate::schema::{Count, Scalar, Show, Wire};

use super::field::integer;
use super::{FieldView, FromField};

/// The elements of an array whose elements are numbers or GUIDs, decoded one by one.
#[derive(Clone)]
pub struct Array<'a, T> {
    elements: ChunksExact<'a, u8>,
    scalar: Scalar,
    pointer: PointerSize,
    show: Show,
    element: PhantomData<T>,
}

/// What an element of an [`Array`] can be read as.
pub trait Element: Sized {
    /// Whether every value of a wire type can be read so.
    fn holds(scalar: Scalar) -> bool;
    /// The value of an element of a wire type that this type holds.
    fn read(value: Value<'_>, show: Show) -> Option<Self>;
}

impl<'a, T: Element> FromField<'a> for Array<'a, T> {
    fn from_field(field: FieldView<'a>) -> Option<Self> {
        let (Wire::Scalar(scalar), show) = (field.field.wire, field.field.show) else { return None };
        let prefix = match field.field.count {
            Count::One => return None,
            Count::Prefix16 => 2,
            _ => 0,
        };
        let pointer = field.pointer_size();
        let elements = field.bytes().get(prefix..)?.chunks_exact(scalar.len(pointer));
        T::holds(scalar).then_some(Self { elements, scalar, pointer, show, element: PhantomData })
    }
}

impl<T: Element> Iterator for Array<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        T::read(Value::scalar(self.scalar, self.elements.next()?, self.pointer), self.show)
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

macro_rules! integers {
    ($($int:ident: $($scalar:ident)|+;)+) => {$(
        impl Element for $int {
            #[inline]
            fn holds(scalar: Scalar) -> bool {
                matches!(scalar, $(Scalar::$scalar)|+)
            }

            #[inline]
            fn read(value: Value<'_>, show: Show) -> Option<Self> {
                integer(value, show)
            }
        }
    )+};
}

integers! {
    i8: I8;
    u8: U8;
    i16: I8 | U8 | I16;
    u16: U8 | U16;
    i32: I8 | U8 | I16 | U16 | I32;
    u32: U8 | U16 | U32;
    i64: I8 | U8 | I16 | U16 | I32 | U32 | I64;
    u64: U8 | U16 | U32 | U64 | Pointer;
}

impl Element for f64 {
    #[inline]
    fn holds(scalar: Scalar) -> bool {
        matches!(scalar, Scalar::F32 | Scalar::F64)
    }

    #[inline]
    fn read(value: Value<'_>, _: Show) -> Option<Self> {
        value.as_f64()
    }
}

impl Element for Guid {
    #[inline]
    fn holds(scalar: Scalar) -> bool {
        scalar == Scalar::Guid
    }

    #[inline]
    fn read(value: Value<'_>, _: Show) -> Option<Self> {
        value.as_guid()
    }
}
