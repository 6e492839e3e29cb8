//! How a page calls the engine: three functions of WebAssembly's C ABI, and one that the page has.
//!
//! A request is written to memory that [`etwkit_alloc`] gives; [`etwkit_call`] takes it and returns the address of the
//! answer, whose first four bytes are its length, little-endian. The page gives it back by [`etwkit_free`].
#![expect(unsafe_code, reason = "the ABI of WebAssembly")]

use std::cell::RefCell;
use std::io;

use crate::files::ReadFile;
use crate::session::Session;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Copies bytes of a file to `room`, and returns how many; negative if they cannot be read.
    safe fn read(file: u32, offset: f64, room: *mut u8, len: u32) -> i32;

    /// Takes what a panic states, UTF-8, before the engine ends.
    safe fn panicked(text: *const u8, len: usize);
}

/// The files of the page.
struct PageFiles;

impl ReadFile for PageFiles {
    fn read(&self, file: usize, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        let len = u32::try_from(room.len()).unwrap_or(u32::MAX);
        // Offsets are exact in a double up to 2^53.
        let read = read(file as u32, offset as f64, room.as_mut_ptr(), len);
        usize::try_from(read).map_err(|_| io::Error::other("the browser cannot read the file"))
    }
}

thread_local! {
    static SESSION: RefCell<Session> = {
        std::panic::set_hook(Box::new(|panic| {
            let text = panic.to_string();
            panicked(text.as_ptr(), text.len());
        }));
        RefCell::new(Session::new(PageFiles))
    };
}

/// Returns memory for a request of `len` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn etwkit_alloc(len: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
}

/// Answers the request of `len` bytes at `request`, which it takes.
///
/// # Safety
///
/// `request` is from [`etwkit_alloc`] with the same `len`, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etwkit_call(request: *mut u8, len: usize) -> *mut u8 {
    // SAFETY: the caller promises that the memory is from `etwkit_alloc` with this length.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(request, len)) };
    let answer = SESSION.with_borrow_mut(|session| session.call(&request));
    let mut framed = Vec::with_capacity(answer.len() + 4);
    framed.extend_from_slice(&(answer.len() as u32).to_le_bytes());
    framed.extend_from_slice(&answer);
    Box::into_raw(framed.into_boxed_slice()).cast()
}

/// Frees an answer of `len` bytes after its length.
///
/// # Safety
///
/// `answer` is from [`etwkit_call`], `len` is what its first four bytes state, and it is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etwkit_free(answer: *mut u8, len: usize) {
    // SAFETY: the caller promises that the memory is an answer of this length.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(answer, len + 4)) });
}
