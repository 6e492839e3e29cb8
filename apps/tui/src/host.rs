//! What the viewer asks the program around it for.

use std::fmt::Debug;
use std::io::Write;

use etwkit::FileTime;

/// The program around the viewer.
pub trait Host: Debug {
    /// Reads a point in time that was typed.
    ///
    /// # Errors
    ///
    /// States why the text is not a point in time, for people.
    fn time(&self, text: &str) -> Result<FileTime, String>;

    /// Begins a file that what is shown is saved to.
    ///
    /// # Errors
    ///
    /// Why it cannot be made, for people.
    fn create(&self, path: &str) -> Result<Box<dyn SaveFile>, String>;
}

/// A file that is being written. If it is dropped before it is kept, nothing stays.
pub trait SaveFile: Write {
    /// Gives the file its name.
    ///
    /// # Errors
    ///
    /// Why that cannot be done, for people.
    fn keep(self: Box<Self>) -> Result<(), String>;
}
