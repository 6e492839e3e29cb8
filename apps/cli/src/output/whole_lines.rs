//! Lines of stdout are whole, whenever the run ends.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of a line that are held back until its end comes.
const LONGEST: usize = 1 << 20;
/// How often it is looked whether the lines of the moment are written.
const MOMENT: Duration = Duration::from_millis(2);

/// Held while lines are written.
static WRITING: Mutex<()> = Mutex::new(());
/// Set when nothing more may be written. A mutex is not fair: one who writes much would take it again and again before
/// the one who ends the run gets it.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

/// Hands whole lines to a writer: the beginning of one is held back until its end comes, or until it is dropped or
/// flushed. A line of more than a mebibyte, and what has no lines, goes through in parts.
#[derive(Debug)]
pub(super) struct WholeLines<W: Write> {
    begun: Vec<u8>,
    out: W,
}

impl<W: Write> WholeLines<W> {
    pub(super) const fn new(out: W) -> Self {
        Self { begun: Vec::new(), out }
    }

    fn write_begun(&mut self) -> io::Result<()> {
        // What could not be written is not tried again when this is dropped.
        let begun = std::mem::take(&mut self.begun);
        if begun.is_empty() { Ok(()) } else { self.out.write_all(&begun) }
    }
}

impl<W: Write> Write for WholeLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let (lines, rest) = bytes.split_at_checked(whole).unwrap_or_default();
        if !lines.is_empty() {
            let _writing = writing();
            self.write_begun()?;
            self.out.write_all(lines)?;
        }
        self.begun.extend_from_slice(rest);
        if self.begun.len() > LONGEST {
            self.write_begun()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _writing = writing();
        self.write_begun()?;
        self.out.flush()
    }
}

impl<W: Write> Drop for WholeLines<W> {
    fn drop(&mut self) {
        // As a buffered writer does: who wants to know flushes.
        let _ = self.flush();
    }
}

/// Returns the right to write. After [`stop`], waits for the end of the program.
fn writing() -> MutexGuard<'static, ()> {
    while IS_STOPPED.load(Ordering::Relaxed) {
        thread::park();
    }
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stops new writes, and waits until the current lines are written, if they are read.
/// Gives up after `patience`. The program is to end while the guard lives.
#[must_use]
pub(crate) fn stop(patience: Duration) -> impl Sized {
    IS_STOPPED.store(true, Ordering::Relaxed);
    let began = Instant::now();
    loop {
        match WRITING.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(guard)) => return Some(guard.into_inner()),
            Err(TryLockError::WouldBlock) if began.elapsed() > patience => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(MOMENT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_line_waits_for_its_end() {
        let mut out = Vec::new();
        let mut lines = WholeLines::new(&mut out);
        for (written, seen) in [("a", ""), ("b\nc", "ab\n"), ("d", "ab\n"), ("\n\n", "ab\ncd\n\n"), ("e", "ab\ncd\n\n")]
        {
            lines.write_all(written.as_bytes()).unwrap();
            assert_eq!(String::from_utf8_lossy(lines.out), seen);
        }
        lines.flush().unwrap();
        assert_eq!(String::from_utf8_lossy(lines.out), "ab\ncd\n\ne");
        lines.write_all(&vec![b'x'; LONGEST + 1]).unwrap();
        assert_eq!(lines.out.len(), 8 + LONGEST + 1);
        lines.write_all(b"y").unwrap();
        drop(lines);
        assert_eq!(out.last(), Some(&b'y'));
    }
}
