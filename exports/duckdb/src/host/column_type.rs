//! Types of SQL.
#![expect(unsafe_code, reason = "calls the host")]

use std::ffi::{CString, c_char};

use etwkit_columns::{DataType, Member};

use crate::api::{Api, LogicalType};

/// Numbers of the host's types (`duckdb_type`).
const BOOLEAN: u32 = 1;
const SIGNED: [u32; 4] = [2, 3, 4, 5];
const UNSIGNED: [u32; 4] = [6, 7, 8, 9];
const FLOAT: u32 = 10;
const DOUBLE: u32 = 11;
pub(super) const VARCHAR: u32 = 17;
pub(super) const LIST: u32 = 24;
const TIMESTAMP_TZ: u32 = 31;
const ANY: u32 = 34;

/// A type of the host.
#[derive(Debug)]
pub(crate) struct ColumnType {
    api: &'static Api,
    pub(super) handle: LogicalType,
}

impl ColumnType {
    /// The type that holds the values of a column.
    pub(crate) fn of(api: &'static Api, of: &DataType) -> Self {
        match of {
            DataType::List(element) => {
                let element = Self::of(api, element);
                // SAFETY: the type of the elements lives until the end of this block, and the host copies it.
                Self { api, handle: unsafe { (api.create_list_type)(element.handle) } }
            }
            DataType::Struct(members) => Self::of_struct(api, members),
            scalar => Self::numbered(api, number_of(scalar)),
        }
    }

    fn of_struct(api: &'static Api, members: &[Member]) -> Self {
        let types: Vec<Self> = members.iter().map(|member| Self::of(api, &member.data_type)).collect();
        let mut handles: Vec<LogicalType> = types.iter().map(|of| of.handle).collect();
        // A NUL would end a name.
        let name = |member: &Member| CString::new(member.name.replace('\0', "\u{FFFD}")).unwrap_or_default();
        let names: Vec<CString> = members.iter().map(name).collect();
        let mut starts: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
        let len = members.len() as u64;
        // SAFETY: there are as many types and names, which live until the end of this block, and the host copies them.
        let handle = unsafe { (api.create_struct_type)(handles.as_mut_ptr(), starts.as_mut_ptr(), len) };
        Self { api, handle }
    }

    /// A type that takes arguments of several types.
    pub(crate) fn any(api: &'static Api) -> Self {
        Self::numbered(api, ANY)
    }

    fn numbered(api: &'static Api, number: u32) -> Self {
        // SAFETY: the number is that of a type without parameters.
        Self { api, handle: unsafe { (api.create_logical_type)(number) } }
    }
}

impl Drop for ColumnType {
    fn drop(&mut self) {
        // SAFETY: the handle is ours and is not used again.
        unsafe { (self.api.destroy_logical_type)(&raw mut self.handle) }
    }
}

/// Returns the number of a type without parameters. What later versions of the columns may have is text.
const fn number_of(of: &DataType) -> u32 {
    let [i8, i16, i32, i64] = SIGNED;
    let [u8, u16, u32, u64] = UNSIGNED;
    match of {
        DataType::Bool => BOOLEAN,
        DataType::Signed(8) => i8,
        DataType::Signed(16) => i16,
        DataType::Signed(32) => i32,
        DataType::Signed(_) => i64,
        DataType::Unsigned(8) => u8,
        DataType::Unsigned(16) => u16,
        DataType::Unsigned(32) => u32,
        DataType::Unsigned(_) => u64,
        DataType::F32 => FLOAT,
        DataType::F64 => DOUBLE,
        DataType::Time => TIMESTAMP_TZ,
        _ => VARCHAR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_those_of_the_header() {
        for (of, number) in [
            (DataType::Bool, 1),
            (DataType::Signed(8), 2),
            (DataType::Signed(64), 5),
            (DataType::Unsigned(8), 6),
            (DataType::Unsigned(32), 8),
            (DataType::Unsigned(64), 9),
            (DataType::F32, 10),
            (DataType::F64, 11),
            (DataType::Time, 31),
            (DataType::Text, 17),
        ] {
            assert_eq!(number_of(&of), number, "{of}");
        }
    }
}
