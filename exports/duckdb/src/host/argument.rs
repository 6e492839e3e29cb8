//! Values of arguments.
#![expect(unsafe_code, reason = "calls the host")]

use std::ffi::CStr;

use crate::api::{Api, Value};

use super::column_type::{LIST, VARCHAR};

/// An argument that was given and is not NULL.
#[derive(Debug)]
pub(crate) struct Argument {
    api: &'static Api,
    handle: Value,
}

impl Argument {
    /// Takes a value from the host; `None` if there is none, or it is NULL.
    ///
    /// # Safety
    ///
    /// `handle` is null or a value that nobody else destroys.
    pub(super) unsafe fn new(api: &'static Api, handle: Value) -> Option<Self> {
        if handle.is_null() {
            return None;
        }
        let argument = Self { api, handle };
        // SAFETY: the value is there. NULL must be found before anything is read: the host throws.
        let is_null = unsafe { (api.is_null_value)(handle) };
        (!is_null).then_some(argument)
    }

    /// Returns the text; `None` if the value is not text.
    pub(crate) fn text(&self) -> Option<String> {
        if self.type_number() != VARCHAR {
            return None;
        }
        // SAFETY: the value is a text and not NULL.
        let text = unsafe { (self.api.get_varchar)(self.handle) };
        if text.is_null() {
            return None;
        }
        // SAFETY: the host returns a text that ends with a NUL, which is ours until it is freed.
        let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        // SAFETY: as above; the text is not used again.
        unsafe { (self.api.free)(text.cast()) };
        Some(copy)
    }

    /// Returns the items; an item that is NULL is `None`. `None` if it is not a list.
    pub(crate) fn items(&self) -> Option<Vec<Option<Self>>> {
        if self.type_number() != LIST {
            return None;
        }
        // SAFETY: the value is a list and not NULL.
        let len = unsafe { (self.api.get_list_size)(self.handle) };
        // SAFETY: there is an item of each of these numbers, and the value that the host makes of it is ours.
        let item = |number| unsafe { Self::new(self.api, (self.api.get_list_child)(self.handle, number)) };
        Some((0..len).map(item).collect())
    }

    /// Returns the truth value of an argument that was declared as one.
    pub(crate) fn boolean(&self) -> bool {
        // SAFETY: the value is not NULL; the host converts other types.
        unsafe { (self.api.get_bool)(self.handle) }
    }

    /// Returns the number of an argument that was declared as one.
    pub(crate) fn integer(&self) -> i64 {
        // SAFETY: as above.
        unsafe { (self.api.get_int64)(self.handle) }
    }

    fn type_number(&self) -> u32 {
        // SAFETY: the value is there; its type lives as long as it does and is not ours.
        unsafe { (self.api.get_type_id)((self.api.get_value_type)(self.handle)) }
    }
}

impl Drop for Argument {
    fn drop(&mut self) {
        // SAFETY: the value is ours and is not used again.
        unsafe { (self.api.destroy_value)(&raw mut self.handle) }
    }
}
