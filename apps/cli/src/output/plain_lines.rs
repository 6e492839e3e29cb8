//! Text that cannot command a terminal, whatever its origin.

use std::io::{self, Write};

use etwkit::render::terminal;

/// Escapes the control characters of lines, except for line feeds and tabs, and what reorders or hides text.
#[derive(Debug)]
pub(crate) struct PlainLines<W: Write> {
    begun: Vec<u8>,
    out: W,
}

impl<W: Write> PlainLines<W> {
    pub(crate) const fn new(out: W) -> Self {
        Self { begun: Vec::new(), out }
    }
}

impl<W: Write> Write for PlainLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Characters are whole where lines are.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let (lines, rest) = bytes.split_at_checked(whole).unwrap_or_default();
        if !lines.is_empty() {
            let mut text = std::mem::take(&mut self.begun);
            text.extend_from_slice(lines);
            terminal::escape_lines_from(&mut text, 0);
            self.out.write_all(&text)?;
        }
        self.begun.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut text = std::mem::take(&mut self.begun);
        terminal::escape_lines_from(&mut text, 0);
        self.out.write_all(&text)?;
        self.out.flush()
    }
}
