//! Where the bytes of a trace come from.
//!
//! Everything above asks an [`Input`] for *windows*: a mapped or owned input lends them, a file is read into the
//! caller's scratch memory. Windows of a buffer's size are the default: a map is faster on some traces and slower on
//! others (`cargo xtask bench`, stages `walk` and `walk-mapped`), and a file that shrinks under its map ends the
//! process.

#[cfg(not(target_family = "wasm"))]
mod file;
mod folder;
#[cfg(not(target_family = "wasm"))]
mod kept_file;
#[cfg(feature = "mmap")]
mod map;
mod paths;
mod whole;

use std::fmt;
#[cfg(any(feature = "mmap", not(target_family = "wasm")))]
use std::fs::File;
use std::io::Read;
#[cfg(any(feature = "mmap", not(target_family = "wasm")))]
use std::path::Path;

use crate::error::{Error, Result};

pub use crate::bytes::file_name;

pub use folder::FolderFiles;
#[cfg(not(target_family = "wasm"))]
use kept_file::KeptFile;
pub use paths::has_extension;
pub use whole::read_whole;

/// The bytes of one file.
pub struct Input {
    name: String,
    inner: Inner,
    len: u64,
}

enum Inner {
    Owned(Vec<u8>),
    Shared(Box<dyn AsRef<[u8]> + Send + Sync>),
    Positioned(Box<dyn ReadAt>),
    #[cfg(feature = "mmap")]
    Mapped(map::Mapped),
    #[cfg(not(target_family = "wasm"))]
    File(KeptFile),
}

impl Input {
    /// Makes an input of bytes in memory.
    pub fn bytes(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self { name: name.into(), len: bytes.len() as u64, inner: Inner::Owned(bytes) }
    }

    /// Makes an input of bytes that the caller shares, such as an `Arc<[u8]>` or a map of another crate. They must not
    /// change while the input lives.
    pub fn shared(name: impl Into<String>, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let len = bytes.as_ref().len() as u64;
        Self { name: name.into(), len, inner: Inner::Shared(Box::new(bytes)) }
    }

    /// Makes an input of bytes that are read at positions, one window at a time: a block of an object store, a file of
    /// a virtual file system. `len` is the number of bytes.
    pub fn positioned(name: impl Into<String>, len: u64, reader: impl ReadAt + 'static) -> Self {
        Self { name: name.into(), len, inner: Inner::Positioned(Box::new(reader)) }
    }

    /// Reads everything that `reader` returns: a pipe, an unpacked archive member. All of it is kept in memory, however much
    /// it is; [`Read::take`] limits what a reader returns.
    pub fn read(name: impl Into<String>, mut reader: impl Read) -> Result<Self> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(Error::reading)?;
        Ok(Self::bytes(name, bytes))
    }

    /// Opens a file that is read one window at a time. Memory use does not grow with the file's size, and a file
    /// that shrinks meanwhile is damage, not a crash. A pipe or a device has no windows: it is read as by [`Input::read`].
    ///
    /// At most [`limits::MAX_OPEN_FILES`](crate::limits::MAX_OPEN_FILES) inputs of a process keep their files open;
    /// further ones are opened again for each window, so that a trace of many files needs few descriptors. It is an
    /// error if another file has taken the name meanwhile.
    #[cfg(not(target_family = "wasm"))]
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let named = |error: std::io::Error| Error::opening(error).of_file(path.display());
        let file = File::open(path).map_err(named)?;
        let meta = file.metadata().map_err(named)?;
        if !meta.is_file() {
            // A pipe or device has no length and no windows.
            return Self::read(path.display().to_string(), file);
        }
        let file = KeptFile::new(path, file, &meta).map_err(named)?;
        Ok(Self { name: path.display().to_string(), len: meta.len(), inner: Inner::File(file) })
    }

    /// Opens a file, mapped into memory. Needs the feature `mmap`.
    ///
    /// # Safety
    ///
    /// The file must not be truncated or changed while the input lives: the operating system ends the process when a
    /// vanished page is touched. [`Input::open`] has no such condition.
    #[cfg(feature = "mmap")]
    #[expect(unsafe_code, reason = "memory mapping is asked for; the condition is handed to the caller")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|error| Error::opening(error).of_file(path.display()))?;
        // SAFETY: the caller promises what `Mapped::new` needs.
        let mapped = unsafe { map::Mapped::new(&file)? };
        Ok(Self { name: path.display().to_string(), len: mapped.bytes().len() as u64, inner: Inner::Mapped(mapped) })
    }

    /// Returns its name: a path, or a path and an archive member.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the same input under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Returns the number of bytes.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether windows are lent without being copied.
    pub const fn lends(&self) -> bool {
        match self.inner {
            Inner::Owned(_) | Inner::Shared(_) => true,
            #[cfg(feature = "mmap")]
            Inner::Mapped(_) => true,
            _ => false,
        }
    }

    /// Returns up to `len` bytes at `offset`: fewer only at the end of the file. They are lent if possible, else read
    /// into `scratch`, whose former content is lost.
    #[inline]
    pub fn window<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        match &self.inner {
            Inner::Owned(bytes) => Ok(part(bytes, offset, len)),
            Inner::Shared(bytes) => Ok(part((**bytes).as_ref(), offset, len)),
            Inner::Positioned(reader) => {
                let len = len.min(self.rest(offset));
                if scratch.len() < len {
                    scratch.resize(len, 0);
                }
                let done = fill(reader.as_ref(), offset, scratch.get_mut(..len).unwrap_or_default())?;
                Ok(scratch.get(..done).unwrap_or_default())
            }
            #[cfg(feature = "mmap")]
            Inner::Mapped(map) => Ok(part(map.bytes(), offset, len)),
            #[cfg(not(target_family = "wasm"))]
            Inner::File(file) => file.with(|file| file::read_window(file, offset, len.min(self.rest(offset)), scratch)),
        }
    }

    /// Fills `room` with the bytes at `offset`; returns how many there were, fewer only at the end of the file.
    #[inline]
    pub fn read_into(&self, offset: u64, room: &mut [u8]) -> Result<usize> {
        match &self.inner {
            #[cfg(not(target_family = "wasm"))]
            Inner::File(file) => file.with(|file| file::fill(file, offset, room)),
            Inner::Positioned(reader) => fill(reader.as_ref(), offset, room),
            _ => {
                let mut unused = Vec::new();
                let bytes = self.window(offset, room.len(), &mut unused)?;
                room.get_mut(..bytes.len()).unwrap_or_default().copy_from_slice(bytes);
                Ok(bytes.len())
            }
        }
    }

    fn rest(&self, offset: u64) -> usize {
        usize::try_from(self.len.saturating_sub(offset)).unwrap_or(usize::MAX)
    }
}

/// Reads bytes at positions, by several threads at a time.
pub trait ReadAt: Send + Sync {
    /// Fills `room` from the byte at `offset` on, and returns how many bytes it wrote; 0 only at the end. Fewer than
    /// the room are not an error: it is called again for the rest.
    ///
    /// # Errors
    ///
    /// The reader's own. [`ErrorKind::Interrupted`](std::io::ErrorKind::Interrupted) means to try again.
    fn read_at(&self, offset: u64, room: &mut [u8]) -> std::io::Result<usize>;
}

/// Fills the room, unless the bytes end before.
fn fill(reader: &dyn ReadAt, offset: u64, room: &mut [u8]) -> Result<usize> {
    let mut done = 0;
    while let Some(rest) = room.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match reader.read_at(offset + done as u64, rest) {
            Ok(0) => break,
            // A reader may claim more than there is room for.
            Ok(count) => done += count.min(rest.len()),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::reading(error)),
        }
    }
    Ok(done)
}

/// The argument of [`Trace::open`](crate::trace::Trace::open): a path, which is opened and read in windows, or an
/// [`Input`].
pub trait IntoInput {
    /// Opens it.
    fn into_input(self) -> Result<Input>;
}

impl IntoInput for Input {
    fn into_input(self) -> Result<Input> {
        Ok(self)
    }
}

/// Paths, on systems that have files.
macro_rules! paths {
    ($($path:ty),+) => {$(
        #[cfg(not(target_family = "wasm"))]
        impl IntoInput for $path {
            fn into_input(self) -> Result<Input> {
                Input::open(self)
            }
        }
    )+};
}
paths!(&str, String, &String, &Path, std::path::PathBuf, &std::path::PathBuf, &std::ffi::OsStr, std::ffi::OsString);

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("name", &self.name).field("len", &self.len).finish_non_exhaustive()
    }
}

fn part(bytes: &[u8], offset: u64, len: usize) -> &[u8] {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let rest = bytes.get(start..).unwrap_or_default();
    rest.get(..len).unwrap_or(rest)
}
