//! Failures as exceptions.

use etwkit::ErrorKind;
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyIsADirectoryError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    etwkit,
    EtlError,
    PyException,
    "A trace cannot be read. `offset` is the place in the file where that was found, or None."
);

/// Returns the exception for a failure: `OSError` for what the operating system refused, `ValueError` for an expression,
/// else `EtlError` with an offset.
pub(crate) fn exception(error: etwkit::Error) -> PyErr {
    let (text, offset) = (format!("{error:#}"), error.offset());
    match error.into_kind() {
        ErrorKind::Io { source, .. } if source.raw_os_error().is_some() => system(&source, text),
        // Found before the system is asked to read it.
        ErrorKind::Io { source, .. } if source.kind() == std::io::ErrorKind::IsADirectory => {
            PyIsADirectoryError::new_err(text)
        }
        ErrorKind::Expression(_) => PyValueError::new_err(text),
        _ => etl_error(text, offset),
    }
}

/// Returns an `EtlError`.
pub(crate) fn etl_error(text: String, offset: Option<u64>) -> PyErr {
    let error = EtlError::new_err(text);
    let set = Python::attach(|py| error.value(py).setattr("offset", offset));
    set.err().unwrap_or(error)
}

/// An `OSError`, by its number that of the right class: `FileNotFoundError` and others.
fn system(source: &std::io::Error, text: String) -> PyErr {
    pyo3::exceptions::PyOSError::new_err((source.raw_os_error(), text))
}
