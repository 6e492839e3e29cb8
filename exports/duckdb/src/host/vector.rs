//! The values of a column of rows that are handed over.
#![expect(unsafe_code, reason = "writes memory of the host")]

use std::marker::PhantomData;

use crate::api::{self, Api};
use crate::failure::Failure;

/// Texts of at most this many bytes are in the vector itself.
const INLINE: usize = 12;
/// Bytes of a text's header in a vector (`duckdb_string_t`): its length, and the text or where it is.
const HEADER: usize = 16;

/// Values that the host has as Rust has them.
///
/// # Safety
///
/// The vectors of the type that a column of such values is declared with have the same layout.
pub(crate) unsafe trait Plain: Copy {}

/// Declares types as plain.
macro_rules! plain {
    ($($name:ty),*) => {
        // SAFETY: the numbers of C, and a truth value of one byte, 0 or 1.
        $(unsafe impl Plain for $name {})*
    };
}

plain!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

/// A column with room for some values.
#[derive(Debug)]
pub(crate) struct Vector<'c> {
    api: &'static Api,
    handle: api::Vector,
    capacity: usize,
    of: PhantomData<&'c mut ()>,
}

impl Vector<'_> {
    /// # Safety
    ///
    /// `handle` is a vector of the host with room for `capacity` values, which lives as long as this and which nobody
    /// else writes.
    pub(super) const unsafe fn new(api: &'static Api, handle: api::Vector, capacity: usize) -> Self {
        Self { api, handle, capacity, of: PhantomData }
    }

    /// Writes the first values of a column that was declared with their type.
    pub(crate) fn copy<T: Plain>(&mut self, values: &[T]) {
        let len = values.len().min(self.capacity);
        // SAFETY: the vector has room for `capacity` values of this type, and it is the host's memory.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), self.data(), len) }
    }

    /// Writes one value to the first places of a column that was declared with its type, or with one of the same size.
    pub(crate) fn repeat<T: Plain>(&mut self, value: T, times: usize) {
        let data = self.data::<T>();
        // SAFETY: the vector has room for `capacity` values of this size, and it is the host's memory.
        (0..times.min(self.capacity)).for_each(|place| unsafe { data.add(place).write(value) });
    }

    /// Makes the first values null whose bit is clear, of which each word has 64.
    pub(crate) fn set_valid(&mut self, words: impl Iterator<Item = u64>) {
        // SAFETY: the vector is the host's; once it has bits, there is one for each value that it has room for.
        let validity = unsafe {
            (self.api.vector_ensure_validity_writable)(self.handle);
            (self.api.vector_get_validity)(self.handle)
        };
        if validity.is_null() {
            return;
        }
        for (place, word) in words.take(self.capacity.div_ceil(64)).enumerate() {
            // SAFETY: there are as many words.
            unsafe { validity.add(place).write(word) }
        }
    }

    /// Writes a text of a column of texts.
    #[inline]
    pub(crate) fn set_text(&mut self, place: usize, text: &[u8]) {
        if place >= self.capacity {
            return;
        }
        if text.len() > INLINE {
            // SAFETY: the vector has room for this text's header; the host copies the text.
            unsafe {
                let (start, len) = (text.as_ptr().cast(), text.len() as u64);
                (self.api.vector_assign_string_element_len)(self.handle, place as u64, start, len);
            }
            return;
        }
        let mut header = [0_u8; HEADER];
        let (len, inline) = header.split_at_mut(HEADER - INLINE);
        len.copy_from_slice(&(text.len() as u32).to_ne_bytes());
        inline.iter_mut().zip(text).for_each(|(to, from)| *to = *from);
        // SAFETY: the header of a short text has it inside, with zeros after it.
        unsafe { self.data::<[u8; HEADER]>().add(place).write(header) }
    }

    /// Writes the text of an earlier place `times` more from a place on, without another copy.
    #[inline]
    pub(crate) fn repeat_text(&mut self, place: usize, times: usize, earlier: usize) {
        let times = times.min(self.capacity.saturating_sub(place));
        if times > 0 && earlier < place {
            let data = self.data::<[u8; HEADER]>();
            // SAFETY: all places are in the vector, the earlier one is written, and texts live as long as the vector.
            unsafe {
                let header = data.add(earlier).read();
                (place..place + times).for_each(|place| data.add(place).write(header));
            }
        }
    }

    /// Writes the lists of a column of lists by the places where they end, and hands over the column of their items.
    pub(crate) fn set_lists(
        &mut self,
        lengths: impl Iterator<Item = usize>,
        items: impl FnOnce(&mut Vector<'_>),
    ) -> Result<(), Failure> {
        let mut end = 0_usize;
        for (place, len) in lengths.take(self.capacity).enumerate() {
            // SAFETY: the vector has room for the place and the length of each list (`duckdb_list_entry`).
            unsafe { self.data::<[u64; 2]>().add(place).write([end as u64, len as u64]) }
            end += len;
        }
        // SAFETY: the vector is one of lists; what is reserved is asked for afterwards, as it may have moved.
        let child = unsafe {
            let state = (self.api.list_vector_reserve)(self.handle, end as u64);
            if state != 0 || (self.api.list_vector_set_size)(self.handle, end as u64) != 0 {
                return Err(Failure::new("no memory for lists"));
            }
            (self.api.list_vector_get_child)(self.handle)
        };
        items(&mut Vector { api: self.api, handle: child, capacity: end, of: PhantomData });
        Ok(())
    }

    /// Hands over the column of a member of a column of structs.
    pub(crate) fn member(&mut self, number: usize) -> Vector<'_> {
        // SAFETY: the vector is one of structs with as many members, and each has room for as many values.
        let handle = unsafe { (self.api.struct_vector_get_child)(self.handle, number as u64) };
        Vector { api: self.api, handle, capacity: self.capacity, of: PhantomData }
    }

    fn data<T>(&self) -> *mut T {
        // SAFETY: the vector is the host's.
        unsafe { (self.api.vector_get_data)(self.handle) }.cast()
    }
}
