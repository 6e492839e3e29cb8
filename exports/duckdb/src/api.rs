//! The C interface of `DuckDB`'s extensions: the slots of its table that are used here.
//!
//! The table is that of API v1.2.0 (`duckdb_ext_api_v1` of `duckdb_extension.h`), whose slots newer hosts keep. Nothing
//! beyond the last slot below is read, so a host's table may be shorter or longer than that of any header.
#![expect(unsafe_code, reason = "describes the host")]

use std::ffi::{c_char, c_void};
use std::mem::offset_of;

/// The version of the table that hosts are asked for.
pub(crate) const VERSION: &std::ffi::CStr = c"v1.2.0";

/// A database of the host.
pub(crate) type Database = *mut c_void;
/// A connection to it.
pub(crate) type Connection = *mut c_void;
/// A value of SQL; may be null.
pub(crate) type Value = *mut c_void;
/// A type of SQL.
pub(crate) type LogicalType = *mut c_void;
/// Some rows of a result.
pub(crate) type Chunk = *mut c_void;
/// A column of a chunk.
pub(crate) type Vector = *mut c_void;
/// A table function before it is registered.
pub(crate) type TableFunction = *mut c_void;
/// What a callback that binds is given.
pub(crate) type BindInfo = *mut c_void;
/// What a callback that begins a scan is given.
pub(crate) type InitInfo = *mut c_void;
/// What a callback that makes rows is given.
pub(crate) type FunctionInfo = *mut c_void;
/// What a callback that replaces the name of a table is given.
pub(crate) type ReplacementInfo = *mut c_void;
/// What the entry point is given.
pub(crate) type ExtensionInfo = *mut c_void;
/// 0 is success.
pub(crate) type State = u32;

/// Says which columns there are.
pub(crate) type BindCallback = unsafe extern "C" fn(BindInfo);
/// Begins a scan, or a thread's part of it.
pub(crate) type InitCallback = unsafe extern "C" fn(InitInfo);
/// Makes some rows.
pub(crate) type ScanCallback = unsafe extern "C" fn(FunctionInfo, Chunk);
/// Frees what a callback made.
pub(crate) type DeleteCallback = unsafe extern "C" fn(*mut c_void);
/// Puts a table function in the place of a table that is not there.
pub(crate) type ReplacementCallback = unsafe extern "C" fn(ReplacementInfo, *const c_char, *mut c_void);

/// What the entry point is given to reach its host.
#[repr(C)]
pub(crate) struct Access {
    pub(crate) set_error: Option<unsafe extern "C" fn(ExtensionInfo, *const c_char)>,
    pub(crate) get_database: Option<unsafe extern "C" fn(ExtensionInfo) -> *mut Database>,
    pub(crate) get_api: Option<unsafe extern "C" fn(ExtensionInfo, *const c_char) -> *const c_void>,
}

/// A slot that is not used here.
type Unused = *const c_void;

/// Declares the table: the number of each slot as in the host's header, and its function.
macro_rules! slots {
    ($($gap:ident: $skipped:literal; $number:literal $name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of the host.
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Api {
            $($gap: [Unused; $skipped], pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        /// The number of each slot, and its place in bytes.
        const SLOTS: &[(usize, usize)] = &[$(($number, offset_of!(Api, $name))),*];
    };
}

slots! {
    gap0: 3; 3 connect: fn(Database, *mut Connection) -> State;
    gap1: 2; 6 disconnect: fn(*mut Connection);
    gap2: 18; 25 free: fn(*mut c_void);
    gap3: 0; 26 vector_size: fn() -> u64;
    gap4: 65; 92 destroy_value: fn(*mut Value);
    gap5: 1; 94 create_varchar_length: fn(*const c_char, u64) -> Value;
    gap6: 23; 118 get_bool: fn(Value) -> bool;
    gap7: 6; 125 get_int64: fn(Value) -> i64;
    gap8: 10; 136 get_value_type: fn(Value) -> LogicalType;
    gap9: 5; 142 get_varchar: fn(Value) -> *mut c_char;
    gap10: 6; 149 is_null_value: fn(Value) -> bool;
    gap11: 1; 151 get_list_size: fn(Value) -> u64;
    gap12: 0; 152 get_list_child: fn(Value, u64) -> Value;
    gap13: 3; 156 create_logical_type: fn(u32) -> LogicalType;
    gap14: 2; 159 create_list_type: fn(LogicalType) -> LogicalType;
    gap15: 3; 163 create_struct_type: fn(*mut LogicalType, *mut *const c_char, u64) -> LogicalType;
    gap16: 2; 166 get_type_id: fn(LogicalType) -> u32;
    gap17: 17; 184 destroy_logical_type: fn(*mut LogicalType);
    gap18: 5; 190 data_chunk_get_vector: fn(Chunk, u64) -> Vector;
    gap19: 1; 192 data_chunk_set_size: fn(Chunk, u64);
    gap20: 1; 194 vector_get_data: fn(Vector) -> *mut c_void;
    gap21: 0; 195 vector_get_validity: fn(Vector) -> *mut u64;
    gap22: 0; 196 vector_ensure_validity_writable: fn(Vector);
    gap23: 1; 198 vector_assign_string_element_len: fn(Vector, u64, *const c_char, u64);
    gap24: 0; 199 list_vector_get_child: fn(Vector) -> Vector;
    gap25: 1; 201 list_vector_set_size: fn(Vector, u64) -> State;
    gap26: 0; 202 list_vector_reserve: fn(Vector, u64) -> State;
    gap27: 0; 203 struct_vector_get_child: fn(Vector, u64) -> Vector;
    gap28: 38; 242 create_table_function: fn() -> TableFunction;
    gap29: 0; 243 destroy_table_function: fn(*mut TableFunction);
    gap30: 0; 244 table_function_set_name: fn(TableFunction, *const c_char);
    gap31: 0; 245 table_function_add_parameter: fn(TableFunction, LogicalType);
    gap32: 0; 246 table_function_add_named_parameter: fn(TableFunction, *const c_char, LogicalType);
    gap33: 1; 248 table_function_set_bind: fn(TableFunction, BindCallback);
    gap34: 0; 249 table_function_set_init: fn(TableFunction, InitCallback);
    gap35: 0; 250 table_function_set_local_init: fn(TableFunction, InitCallback);
    gap36: 0; 251 table_function_set_function: fn(TableFunction, ScanCallback);
    gap37: 0; 252 table_function_supports_projection_pushdown: fn(TableFunction, bool);
    gap38: 0; 253 register_table_function: fn(Connection, TableFunction) -> State;
    gap39: 1; 255 bind_add_result_column: fn(BindInfo, *const c_char, LogicalType);
    gap40: 1; 257 bind_get_parameter: fn(BindInfo, u64) -> Value;
    gap41: 0; 258 bind_get_named_parameter: fn(BindInfo, *const c_char) -> Value;
    gap42: 0; 259 bind_set_bind_data: fn(BindInfo, *mut c_void, DeleteCallback);
    gap43: 0; 260 bind_set_cardinality: fn(BindInfo, u64, bool);
    gap44: 0; 261 bind_set_error: fn(BindInfo, *const c_char);
    gap45: 1; 263 init_get_bind_data: fn(InitInfo) -> *mut c_void;
    gap46: 0; 264 init_set_init_data: fn(InitInfo, *mut c_void, DeleteCallback);
    gap47: 0; 265 init_get_column_count: fn(InitInfo) -> u64;
    gap48: 0; 266 init_get_column_index: fn(InitInfo, u64) -> u64;
    gap49: 0; 267 init_set_max_threads: fn(InitInfo, u64);
    gap50: 0; 268 init_set_error: fn(InitInfo, *const c_char);
    gap51: 2; 271 function_get_init_data: fn(FunctionInfo) -> *mut c_void;
    gap52: 0; 272 function_get_local_init_data: fn(FunctionInfo) -> *mut c_void;
    gap53: 0; 273 function_set_error: fn(FunctionInfo, *const c_char);
    gap54: 0; 274 add_replacement_scan: fn(Database, ReplacementCallback, *mut c_void, Option<DeleteCallback>);
    gap55: 0; 275 replacement_scan_set_function_name: fn(ReplacementInfo, *const c_char);
    gap56: 0; 276 replacement_scan_add_parameter: fn(ReplacementInfo, Value);
    gap57: 0; 277 replacement_scan_set_error: fn(ReplacementInfo, *const c_char);
}

// SAFETY: pointers to functions, and pointers that are never followed.
unsafe impl Send for Api {}
// SAFETY: as above; the host lets every thread call its functions.
unsafe impl Sync for Api {}

impl Api {
    /// Copies the host's table; `None` if there is none, or a function is missing.
    ///
    /// # Safety
    ///
    /// `table` is null or points to a table of API v1.2.0 or later.
    pub(crate) unsafe fn copy(table: *const c_void) -> Option<Self> {
        if table.is_null() {
            return None;
        }
        let is_there = |(number, _): &(usize, usize)| {
            // SAFETY: the table has more slots than the last one that is used, each a pointer.
            let slot = unsafe { table.cast::<Unused>().add(*number).read() };
            !slot.is_null()
        };
        // SAFETY: `Api` has the layout of the table's first slots, and those that are used are functions.
        SLOTS.iter().all(is_there).then(|| unsafe { table.cast::<Self>().read() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_where_the_header_has_them() {
        assert!(SLOTS.iter().all(|(number, place)| number * size_of::<Unused>() == *place), "{SLOTS:?}");
        assert_eq!(size_of::<Api>(), 278 * size_of::<Unused>());
    }

    #[test]
    fn a_table_with_a_missing_function_is_refused() {
        let mut table = [std::ptr::dangling::<c_void>(); 278];
        // SAFETY: the table is as long as what is read of it; no function is called.
        let copy = |table: &[Unused; 278]| unsafe { Api::copy(table.as_ptr().cast()) };
        assert!(copy(&table).is_some());
        // `duckdb_bind_set_error`.
        table[261] = std::ptr::null();
        assert!(copy(&table).is_none());
        // SAFETY: null is allowed.
        assert!(unsafe { Api::copy(std::ptr::null()) }.is_none());
    }
}
