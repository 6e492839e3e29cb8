//! Connections that are served at the same time.

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Connections at the same time. A browser makes about six to one server.
const MAX_CONNECTIONS: usize = 64;
/// Failures to take a connection, one after the other, that are borne.
const MAX_FAILURES: usize = 100;
/// Between two of them, such as those of a system that has no more files.
const PAUSE: Duration = Duration::from_millis(100);

/// Calls `serve` for each connection, on a thread of its own, and `refuse` for those that are too many.
///
/// # Errors
///
/// The system takes the port away.
pub(super) fn run(
    listener: &TcpListener,
    serve: impl Fn(&TcpStream) + Sync,
    refuse: impl Fn(&TcpStream),
) -> io::Result<Infallible> {
    let (serve, taken) = (&serve, &AtomicUsize::new(0));
    thread::scope(|scope| {
        loop {
            let stream = next(listener)?;
            match Place::take(taken) {
                // Without a thread it is closed.
                Some(place) => drop(thread::Builder::new().spawn_scoped(scope, move || {
                    serve(&stream);
                    drop(place);
                })),
                None => refuse(&stream),
            }
        }
    })
}

fn next(listener: &TcpListener) -> io::Result<TcpStream> {
    let mut failures = 0;
    loop {
        match listener.accept() {
            Ok((stream, _)) => return Ok(stream),
            // These are about one client.
            Err(error) if is_of_client(error.kind()) => {}
            Err(error) if failures == MAX_FAILURES => return Err(error),
            Err(_) => {
                failures += 1;
                thread::sleep(PAUSE);
            }
        }
    }
}

fn is_of_client(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted)
}

/// One of the places for connections.
struct Place<'t>(&'t AtomicUsize);

impl<'t> Place<'t> {
    /// Takes a place if one is free.
    fn take(taken: &'t AtomicUsize) -> Option<Self> {
        let place = |taken| (taken < MAX_CONNECTIONS).then_some(taken + 1);
        taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, place).is_ok().then(|| Self(taken))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
