//! A reader that counts.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// Counts the bytes that are read through it. [`Unpacker::counted`](crate::Unpacker::counted) makes it.
#[derive(Debug)]
pub struct Counted<R> {
    reader: R,
    count: Rc<Cell<u64>>,
}

impl<R> Counted<R> {
    pub(crate) const fn new(reader: R, count: Rc<Cell<u64>>) -> Self {
        Self { reader, count }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(room)?;
        self.count.set(self.count.get().saturating_add(len as u64));
        Ok(len)
    }
}
