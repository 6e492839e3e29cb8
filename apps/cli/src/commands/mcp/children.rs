//! The commands that run, so that what ends the server ends them, too.

use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A command, which a call waits for and others may kill.
pub(super) type SharedChild = Arc<Mutex<Child>>;

struct Running {
    children: Vec<SharedChild>,
    /// No other command may run.
    is_over: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { children: Vec::new(), is_over: false });

/// Adds a command that was started.
pub(super) fn add(child: &SharedChild) {
    let mut running = running();
    if running.is_over {
        kill(child);
    }
    running.children.push(Arc::clone(child));
}

/// Removes a command that has ended.
pub(super) fn remove(child: &SharedChild) {
    running().children.retain(|other| !Arc::ptr_eq(other, child));
}

/// Kills all commands, those, too, that are started from now on: the server ends.
pub(super) fn kill_all() {
    let mut running = running();
    running.is_over = true;
    running.children.iter().for_each(kill);
}

/// Kills a command. One that has ended cannot be killed, and need not be.
pub(super) fn kill(child: &SharedChild) {
    let _ = child.lock().unwrap_or_else(PoisonError::into_inner).kill();
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
