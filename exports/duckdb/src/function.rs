//! Table functions, and the callbacks through which the host calls them.
#![expect(unsafe_code, reason = "called by the host")]

use std::ffi::{CStr, c_void};

use etwkit_columns::DataType;

use crate::api::{self, Api, BindInfo, Connection, FunctionInfo, InitInfo};
use crate::failure::Failure;
use crate::guard::guarded;
use crate::host::{Binding, Chunk, Declaration, HOST, Opening};

/// A function that makes a table.
pub(crate) trait TableFunction: 'static {
    /// Its name in SQL.
    const NAME: &'static CStr;
    /// Its parameters with names, besides the paths.
    const PARAMETERS: &'static [(&'static CStr, DataType)];
    /// A call in a statement that is prepared.
    type Bound: Send + Sync;
    /// One execution of it.
    type Scan: Send + Sync;
    /// What a thread of an execution has for itself.
    type Local: Default + Send;

    /// Reads the arguments and declares the columns.
    fn bind(binding: &Binding) -> Result<Self::Bound, Failure>;

    /// Begins an execution.
    fn open(bound: &Self::Bound, opening: &Opening) -> Result<Self::Scan, Failure>;

    /// Writes the next rows and returns how many; 0 at the end.
    fn rows(scan: &Self::Scan, local: &mut Self::Local, chunk: &mut Chunk) -> Result<usize, Failure>;
}

/// Registers a function.
///
/// # Safety
///
/// `connection` is open.
pub(crate) unsafe fn register<F: TableFunction>(api: &'static Api, connection: Connection) -> Result<(), Failure> {
    let declaration = Declaration::new(api, F::NAME);
    let add = |declaration: Declaration, (name, of): &(&'static CStr, DataType)| declaration.parameter(name, of);
    let declaration = F::PARAMETERS.iter().fold(declaration, add);
    let declaration = declaration.callbacks(bind::<F>, open::<F>, open_local::<F>, rows::<F>);
    // SAFETY: as the caller guarantees.
    unsafe { declaration.register(connection) }
}

/// # Safety
///
/// Called by the host.
unsafe extern "C" fn bind<F: TableFunction>(info: BindInfo) {
    let Some(api) = HOST.get() else { return };
    // SAFETY: `info` is good until this returns.
    let binding = unsafe { Binding::new(api, info) };
    match guarded(|| F::bind(&binding)) {
        // SAFETY: the host frees it by the function for its type.
        Ok(bound) => unsafe { (api.bind_set_bind_data)(info, boxed(bound), delete::<F::Bound>) },
        Err(failure) => {
            let text = failure.to_c();
            // SAFETY: the host copies the text.
            unsafe { (api.bind_set_error)(info, text.as_ptr()) }
        }
    }
}

/// # Safety
///
/// Called by the host.
unsafe extern "C" fn open<F: TableFunction>(info: InitInfo) {
    let Some(api) = HOST.get() else { return };
    let scan = guarded(|| {
        // SAFETY: what `bind` made, or null; it lives as long as the statement.
        let bound = unsafe { (api.init_get_bind_data)(info).cast::<F::Bound>().as_ref() };
        let bound = bound.ok_or_else(|| Failure::new("a call that was not bound"))?;
        // SAFETY: `info` is good until this returns.
        F::open(bound, &unsafe { Opening::new(api, info) })
    });
    match scan {
        // SAFETY: the host frees it by the function for its type.
        Ok(scan) => unsafe { (api.init_set_init_data)(info, boxed(scan), delete::<F::Scan>) },
        Err(failure) => {
            let text = failure.to_c();
            // SAFETY: the host copies the text.
            unsafe { (api.init_set_error)(info, text.as_ptr()) }
        }
    }
}

/// # Safety
///
/// Called by the host.
unsafe extern "C" fn open_local<F: TableFunction>(info: InitInfo) {
    let Some(api) = HOST.get() else { return };
    if let Ok(local) = guarded(|| Ok(F::Local::default())) {
        // SAFETY: the host frees it by the function for its type.
        unsafe { (api.init_set_init_data)(info, boxed(local), delete::<F::Local>) }
    }
}

/// # Safety
///
/// Called by the host.
unsafe extern "C" fn rows<F: TableFunction>(info: FunctionInfo, chunk: api::Chunk) {
    let Some(api) = HOST.get() else { return };
    let written = guarded(|| {
        // SAFETY: what `open` made, or null; it lives as long as the execution.
        let scan = unsafe { (api.function_get_init_data)(info).cast::<F::Scan>().as_ref() };
        // SAFETY: what `open_local` made for this thread, or null; nobody else has it.
        let local = unsafe { (api.function_get_local_init_data)(info).cast::<F::Local>().as_mut() };
        let (scan, local) = scan.zip(local).ok_or_else(|| Failure::new("rows of what was not begun"))?;
        // SAFETY: the chunk is good until this returns.
        let mut chunk = unsafe { Chunk::new(api, chunk) };
        let rows = F::rows(scan, local, &mut chunk)?;
        chunk.end(rows);
        Ok(())
    });
    if let Err(failure) = written {
        let text = failure.to_c();
        // SAFETY: the host copies the text.
        unsafe { (api.function_set_error)(info, text.as_ptr()) }
    }
}

fn boxed<T>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// # Safety
///
/// `value` is null or what [`boxed`] returned for a `T`, and is not used again.
unsafe extern "C" fn delete<T>(value: *mut c_void) {
    if value.is_null() {
        return;
    }
    let _ = guarded(|| {
        // SAFETY: as the caller guarantees.
        drop(unsafe { Box::from_raw(value.cast::<T>()) });
        Ok(())
    });
}
