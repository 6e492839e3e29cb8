//! CSV whose cells no spreadsheet takes for formulas (`--csv-safe`).
//!
//! Spreadsheets run cells that begin with `=`, `+`, `-` or `@`, also after a tab or a line end, and also between
//! quotes. An apostrophe before such a cell makes it text; a number needs none.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether `--csv-safe` was typed.
static IS_WANTED: AtomicBool = AtomicBool::new(false);
/// Whether CSV was written so.
static IS_USED: AtomicBool = AtomicBool::new(false);
/// Bytes that are handed on together.
const FULL: usize = 64 << 10;

/// Makes all CSV of this run safe for spreadsheets.
pub(crate) fn want_csv_safe() {
    IS_WANTED.store(true, Ordering::Relaxed);
}

/// Whether that was wanted, and no CSV was written.
pub(crate) fn is_csv_safe_unused() -> bool {
    IS_WANTED.load(Ordering::Relaxed) && !IS_USED.load(Ordering::Relaxed)
}

/// Returns a writer of CSV, which is safe for spreadsheets if that is wanted.
pub(crate) fn csv_to<W: Write>(out: W, separator: u8) -> CsvOut<W> {
    CsvOut { out, cells: is_wanted().then(|| Cells::new(separator)), made: Vec::new() }
}

/// Returns why a record could not be written. The conversion of the csv crate loses the kind, and with it that the reader of
/// a pipe has gone.
pub(crate) fn csv_error(error: csv::Error) -> io::Error {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(text),
    }
}

/// Returns whole rows, which are safe for spreadsheets if that is wanted.
pub(super) fn csv_rows(rows: &[u8]) -> Cow<'_, [u8]> {
    if !is_wanted() {
        return rows.into();
    }
    let (mut cells, mut made) = (Cells::new(b','), Vec::with_capacity(rows.len() + 64));
    cells.push(&mut made, rows);
    cells.end(&mut made);
    made.into()
}

fn is_wanted() -> bool {
    let is_wanted = IS_WANTED.load(Ordering::Relaxed);
    IS_USED.fetch_or(is_wanted, Ordering::Relaxed);
    is_wanted
}

/// Puts an apostrophe before the cells of CSV that need one, if that is wanted.
#[derive(Debug)]
pub(crate) struct CsvOut<W: Write> {
    out: W,
    cells: Option<Cells>,
    made: Vec<u8>,
}

impl<W: Write> Write for CsvOut<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(cells) = &mut self.cells else { return self.out.write(bytes) };
        cells.push(&mut self.made, bytes);
        if self.made.len() >= FULL {
            self.hand_on()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(cells) = &mut self.cells {
            cells.end(&mut self.made);
        }
        self.hand_on()?;
        self.out.flush()
    }
}

impl<W: Write> CsvOut<W> {
    fn hand_on(&mut self) -> io::Result<()> {
        let made = std::mem::take(&mut self.made);
        self.out.write_all(&made)
    }
}

impl<W: Write> Drop for CsvOut<W> {
    fn drop(&mut self) {
        // As a buffered writer does: who wants to know flushes.
        let _ = self.flush();
    }
}

/// Where in a row it is.
#[derive(Debug)]
struct Cells {
    separator: u8,
    is_quoted: bool,
    /// A cell that may be a formula or a number, up to its end.
    doubtful: Option<Vec<u8>>,
    /// Only spaces and a quote came since the last cell.
    is_start: bool,
}

impl Cells {
    const fn new(separator: u8) -> Self {
        Self { separator, is_quoted: false, doubtful: None, is_start: true }
    }

    fn push(&mut self, out: &mut Vec<u8>, bytes: &[u8]) {
        for byte in bytes {
            self.byte(out, *byte);
        }
    }

    fn byte(&mut self, out: &mut Vec<u8>, byte: u8) {
        let was_quoted = self.is_quoted;
        // A doubled quote closes and opens again.
        self.is_quoted ^= byte == b'"';
        let is_end = !was_quoted && (byte == self.separator || byte == b'\n');
        if is_end || self.doubtful.is_some() && byte == b'"' {
            self.end(out);
            self.is_start = is_end;
        } else if self.is_start && byte != b'"' && (byte != b' ' || was_quoted) {
            self.is_start = false;
            if matches!(byte, b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') {
                self.doubtful = Some(Vec::new());
            }
        }
        match &mut self.doubtful {
            Some(cell) if cell.len() < LONGEST_NUMBER => cell.push(byte),
            // Longer than any number.
            Some(cell) => {
                out.push(b'\'');
                out.append(cell);
                out.push(byte);
                self.doubtful = None;
            }
            None => out.push(byte),
        }
    }

    /// Writes a doubtful cell: its content is known now.
    fn end(&mut self, out: &mut Vec<u8>) {
        if let Some(cell) = self.doubtful.take() {
            if !is_number(&cell) {
                out.push(b'\'');
            }
            out.extend_from_slice(&cell);
        }
    }
}

/// Bytes of a cell beyond which it is not a number.
const LONGEST_NUMBER: usize = 400;

fn is_number(cell: &[u8]) -> bool {
    let only_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    cell.iter().all(only_number) && std::str::from_utf8(cell).is_ok_and(|text| text.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn safe(separator: u8, text: &str) -> String {
        // In pieces of any size it is the same.
        let all: Vec<Vec<u8>> = [1, 2, 7, 1000]
            .into_iter()
            .map(|size| {
                let (mut cells, mut out) = (Cells::new(separator), Vec::new());
                text.as_bytes().chunks(size).for_each(|piece| cells.push(&mut out, piece));
                cells.end(&mut out);
                out
            })
            .collect();
        assert!(all.iter().all(|one| *one == all[0]));
        String::from_utf8(all[0].clone()).unwrap()
    }

    #[test]
    fn cells_that_are_formulas_become_text() {
        for (row, expected) in [
            ("a,=1+1,b\n", "a,'=1+1,b\n"),
            ("=a\n=b\n", "'=a\n'=b\n"),
            ("-1,+2.5,-1e5,-x,+,-\n", "-1,+2.5,-1e5,'-x,'+,'-\n"),
            ("@SUM(A1),a=b,a@b\n", "'@SUM(A1),a=b,a@b\n"),
            ("\"=a,\"\"b\"\"\",\"x,=y\"\n", "\"'=a,\"\"b\"\"\",\"x,=y\"\n"),
            ("\"\tx\",\"\r\n=1\"\n", "\"'\tx\",\"'\r\n=1\"\n"),
            ("\"a\n=1\",2\n", "\"a\n=1\",2\n"),
            ("x, =1, \"=2\", \"-3\"\n", "x, '=1, \"'=2\", \"-3\"\n"),
            ("\"-1\",\"-1\"\"\"\n", "\"-1\",\"-1\"\"\"\n"),
            ("-infinity,+NaN\n", "'-infinity,'+NaN\n"),
            (",,\n\n", ",,\n\n"),
        ] {
            assert_eq!(safe(b',', row), expected);
        }
        assert_eq!(safe(b'\t', "\"=a\"\t\"-1\"\t\"b,=c\"\n"), "\"'=a\"\t\"-1\"\t\"b,=c\"\n");
        let long = format!("={},-{}\n", "x".repeat(1000), "1".repeat(1000));
        assert_eq!(safe(b',', &long), format!("'={},'-{}\n", "x".repeat(1000), "1".repeat(1000)));
    }
}
