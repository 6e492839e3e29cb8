//! `FROM 'trace.etl'`.
#![expect(unsafe_code, reason = "called by the host")]

use std::ffi::{CStr, c_char, c_void};

use crate::api::{Api, Database, ReplacementInfo};
use crate::function::TableFunction;
use crate::guard::guarded;
use crate::host::HOST;
use crate::read_etl::ReadEtl;

/// Ends of names that are read as traces.
const ENDS: [&str; 5] = [".etl", ".btl", ".blg", ".etl.gz", ".etl.zip"];

/// Lets names of traces stand for tables.
///
/// # Safety
///
/// `database` is open.
pub(crate) unsafe fn add(api: &'static Api, database: Database) {
    // SAFETY: as the caller guarantees; nothing is handed to the callback.
    unsafe { (api.add_replacement_scan)(database, replace, std::ptr::null_mut(), None) }
}

/// # Safety
///
/// Called by the host, for a table that is not there.
unsafe extern "C" fn replace(info: ReplacementInfo, name: *const c_char, _: *mut c_void) {
    let Some(api) = HOST.get() else { return };
    if name.is_null() {
        return;
    }
    // SAFETY: the name ends with a NUL and is there until this returns.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    if !guarded(|| Ok(is_trace(name))).unwrap_or(false) {
        return;
    }
    // SAFETY: the host copies the names and the value, which is ours.
    unsafe {
        (api.replacement_scan_set_function_name)(info, ReadEtl::NAME.as_ptr());
        let mut path = (api.create_varchar_length)(name.as_ptr().cast(), name.len() as u64);
        (api.replacement_scan_add_parameter)(info, path);
        (api.destroy_value)(&raw mut path);
    }
}

fn is_trace(name: &[u8]) -> bool {
    let ends = |end: &&str| {
        let start = name.len().checked_sub(end.len());
        start.and_then(|start| name.get(start..)).is_some_and(|found| found.eq_ignore_ascii_case(end.as_bytes()))
    };
    ENDS.iter().any(ends)
}

#[cfg(test)]
mod tests {
    use super::is_trace;

    #[test]
    fn names_of_traces_are_known_by_their_ends() {
        assert!(["a.etl", "logs/*.ETL", "b.btl", "c.blg", ".etl"].iter().all(|name| is_trace(name.as_bytes())));
        assert!(["etl", "a.etl.csv", "a.parquet", ""].iter().all(|name| !is_trace(name.as_bytes())));
    }
}
