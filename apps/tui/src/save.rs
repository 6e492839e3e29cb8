//! Writing what passes the filter to a file, part by part.

use std::fmt;

use crate::host::SaveFile;
use crate::source::Source;

/// A file that is being written.
pub(crate) struct Save {
    pub(crate) path: String,
    file: Box<dyn SaveFile>,
    pub(crate) part: usize,
    lines: u64,
}

impl fmt::Debug for Save {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Save").field("path", &self.path).field("part", &self.part).finish_non_exhaustive()
    }
}

impl Save {
    pub(crate) fn new(path: String, file: Box<dyn SaveFile>) -> Self {
        Self { path, file, part: 0, lines: 0 }
    }

    /// Writes one part; false if that was the last one.
    pub(crate) fn step(&mut self, source: &Source<'_>) -> Result<bool, String> {
        let Some(lines) = source.lines(self.part).map_err(|error| error.to_string())? else { return Ok(false) };
        self.file.write_all(&lines).map_err(|error| error.to_string())?;
        self.lines += lines.split_inclusive(|byte| *byte == b'\n').count() as u64;
        self.part += 1;
        Ok(true)
    }

    /// Gives the file its name, and states what was done.
    pub(crate) fn finish(mut self) -> Result<String, String> {
        self.file.flush().map_err(|error| error.to_string())?;
        self.file.keep()?;
        let what = if self.lines == 1 { "event" } else { "events" };
        Ok(format!("{} {what} saved as {}", self.lines, self.path))
    }
}
