//! Registration of table functions.
#![expect(unsafe_code, reason = "calls the host")]

use std::ffi::CStr;

use etwkit_columns::DataType;

use crate::api::{Api, BindCallback, Connection, InitCallback, ScanCallback, TableFunction};
use crate::failure::Failure;

use super::column_type::ColumnType;

/// A table function before it is registered. Its first parameter takes paths.
#[derive(Debug)]
pub(crate) struct Declaration {
    api: &'static Api,
    handle: TableFunction,
}

impl Declaration {
    pub(crate) fn new(api: &'static Api, name: &CStr) -> Self {
        let paths = ColumnType::any(api);
        // SAFETY: the host copies names and types, which live until the end of this block.
        let handle = unsafe {
            let handle = (api.create_table_function)();
            (api.table_function_set_name)(handle, name.as_ptr());
            (api.table_function_add_parameter)(handle, paths.handle);
            (api.table_function_supports_projection_pushdown)(handle, true);
            handle
        };
        Self { api, handle }
    }

    /// Adds a parameter with a name.
    pub(crate) fn parameter(self, name: &CStr, of: &DataType) -> Self {
        let of = ColumnType::of(self.api, of);
        // SAFETY: as above.
        unsafe { (self.api.table_function_add_named_parameter)(self.handle, name.as_ptr(), of.handle) };
        self
    }

    /// Sets what the host calls: to bind, to begin a scan, to begin a thread's part, and for rows.
    pub(crate) fn callbacks(
        self,
        bind: BindCallback,
        init: InitCallback,
        local: InitCallback,
        scan: ScanCallback,
    ) -> Self {
        let Self { api, handle } = self;
        // SAFETY: functions of these types.
        unsafe {
            (api.table_function_set_bind)(handle, bind);
            (api.table_function_set_init)(handle, init);
            (api.table_function_set_local_init)(handle, local);
            (api.table_function_set_function)(handle, scan);
        }
        self
    }

    /// Registers it.
    ///
    /// # Safety
    ///
    /// `connection` is open.
    pub(crate) unsafe fn register(self, connection: Connection) -> Result<(), Failure> {
        // SAFETY: as the caller guarantees; the function is complete.
        let state = unsafe { (self.api.register_table_function)(connection, self.handle) };
        if state == 0 { Ok(()) } else { Err(Failure::new("DuckDB refuses a table function")) }
    }
}

impl Drop for Declaration {
    fn drop(&mut self) {
        // SAFETY: the host has copied the function if it was registered, and the handle is not used again.
        unsafe { (self.api.destroy_table_function)(&raw mut self.handle) }
    }
}
