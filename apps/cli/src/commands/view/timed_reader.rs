//! Reading from a connection until a time.

use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A connection that is read until a time, also by a client that sends its bytes one by one.
#[derive(Debug)]
pub(super) struct TimedReader<'s> {
    stream: &'s TcpStream,
    until: Instant,
}

impl<'s> TimedReader<'s> {
    pub(super) fn new(stream: &'s TcpStream, patience: Duration) -> Self {
        Self { stream, until: Instant::now() + patience }
    }
}

impl Read for TimedReader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(bytes).map_err(|error| match error.kind() {
            // So some systems call it.
            ErrorKind::WouldBlock => ErrorKind::TimedOut.into(),
            _ => error,
        })
    }
}
