//! Binding: arguments in, columns out.
#![expect(unsafe_code, reason = "calls the host")]

use std::ffi::{CStr, CString};

use etwkit_columns::DataType;

use crate::api::{Api, BindInfo};
use crate::failure::Failure;

use super::argument::Argument;
use super::column_type::ColumnType;

/// A call of a table function in a statement that is being prepared.
#[derive(Debug)]
pub(crate) struct Binding {
    api: &'static Api,
    info: BindInfo,
}

impl Binding {
    /// # Safety
    ///
    /// `info` is what the host handed to the callback that is running.
    pub(crate) const unsafe fn new(api: &'static Api, info: BindInfo) -> Self {
        Self { api, info }
    }

    /// Returns the only argument without a name.
    pub(crate) fn first(&self) -> Option<Argument> {
        // SAFETY: the function has one such parameter, and its value is ours.
        unsafe { Argument::new(self.api, (self.api.bind_get_parameter)(self.info, 0)) }
    }

    /// Returns an argument by its name; `None` if it was not given.
    pub(crate) fn named(&self, name: &CStr) -> Option<Argument> {
        // SAFETY: the name ends with a NUL, and the value is ours.
        unsafe { Argument::new(self.api, (self.api.bind_get_named_parameter)(self.info, name.as_ptr())) }
    }

    /// Adds a column of the result.
    ///
    /// # Errors
    ///
    /// A name with a NUL, which C cannot express.
    pub(crate) fn add_column(&self, name: &str, of: &DataType) -> Result<(), Failure> {
        let of = ColumnType::of(self.api, of);
        let name = CString::new(name).map_err(|_| Failure::new(format_args!("a NUL in the name {name:?}")))?;
        // SAFETY: the host copies the name and the type, which live until the end of this call.
        unsafe { (self.api.bind_add_result_column)(self.info, name.as_ptr(), of.handle) };
        Ok(())
    }

    /// Says how many rows there will be.
    pub(crate) fn expect_rows(&self, rows: u64, is_exact: bool) {
        // SAFETY: `info` is good until the callback returns.
        unsafe { (self.api.bind_set_cardinality)(self.info, rows, is_exact) }
    }
}
