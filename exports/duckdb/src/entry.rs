//! Where `DuckDB` enters.
#![expect(unsafe_code, reason = "called by the host")]

use std::ffi::c_void;

use crate::api::{Access, Api, Connection, Database, ExtensionInfo, VERSION};
use crate::etl_problems::EtlProblems;
use crate::etl_types::EtlTypes;
use crate::failure::Failure;
use crate::function::register;
use crate::guard::guarded;
use crate::host::HOST;
use crate::read_etl::ReadEtl;
use crate::replacement;
use crate::small_table::Small;

/// Registers the functions in the database that loads the extension; false, with an error in the database, if that
/// fails. The host finds it by the name of the file, `etwkit.duckdb_extension`.
///
/// # Safety
///
/// Only for `DuckDB`: `access` is null or points to its `duckdb_extension_access`, which belongs to `info`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etwkit_init_c_api(info: *mut c_void, access: *const c_void) -> bool {
    // SAFETY: as the caller guarantees.
    let Some(access) = (unsafe { access.cast::<Access>().as_ref() }) else { return false };
    let done = guarded(|| {
        // SAFETY: as the caller guarantees.
        unsafe { load(info, access) }
    });
    if let (Err(failure), Some(set_error)) = (&done, access.set_error) {
        let text = failure.to_c();
        // SAFETY: the host copies the text.
        unsafe { set_error(info, text.as_ptr()) };
    }
    done.is_ok()
}

/// # Safety
///
/// `access` is the host's and belongs to `info`.
unsafe fn load(info: ExtensionInfo, access: &Access) -> Result<(), Failure> {
    let functions = access.get_api.zip(access.get_database);
    let (get_api, get_database) = functions.ok_or_else(|| Failure::new("DuckDB hands over no functions"))?;
    // SAFETY: the text ends with a NUL. The table is gone when this returns, so it is copied.
    let api = unsafe { Api::copy(get_api(info, VERSION.as_ptr())) };
    let api = api.ok_or_else(|| Failure::new("this DuckDB has no C interface of version 1.2.0 for extensions"))?;
    let api = HOST.get_or_init(|| api);
    // SAFETY: the host returns null or a database that is open until this returns.
    let database = unsafe { get_database(info).as_ref() };
    let database: Database = *database.ok_or_else(|| Failure::new("DuckDB hands over no database"))?;
    let mut connection: Connection = std::ptr::null_mut();
    // SAFETY: the database is open.
    if unsafe { (api.connect)(database, &raw mut connection) } != 0 {
        return Err(Failure::new("DuckDB refuses a connection"));
    }
    // SAFETY: the connection is open.
    let done = unsafe { functions_of(api, connection) };
    // SAFETY: the connection is ours and not used again.
    unsafe { (api.disconnect)(&raw mut connection) };
    // SAFETY: the database is open.
    unsafe { replacement::add(api, database) };
    done
}

/// # Safety
///
/// `connection` is open.
unsafe fn functions_of(api: &'static Api, connection: Connection) -> Result<(), Failure> {
    // SAFETY: as the caller guarantees.
    unsafe {
        register::<ReadEtl>(api, connection)?;
        register::<Small<EtlTypes>>(api, connection)?;
        register::<Small<EtlProblems>>(api, connection)
    }
}
