//! Rows of CSV (RFC 4180). Lines end with a line feed, and cells are quoted only where they must be.

/// A row that is appended to a buffer.
///
/// ```
/// use etwkit::render::csv::Row;
///
/// let mut out = Vec::new();
/// let mut row = Row::new(&mut out);
/// row.cell("plain").cell("with \"quotes\"").end();
/// assert_eq!(out, b"plain,\"with \"\"quotes\"\"\"\n");
/// ```
#[derive(Debug)]
pub struct Row<'o> {
    out: &'o mut Vec<u8>,
    start: usize,
    has_cells: bool,
}

impl<'o> Row<'o> {
    /// Begins a row at the end of `out`.
    pub const fn new(out: &'o mut Vec<u8>) -> Self {
        let start = out.len();
        Self { out, start, has_cells: false }
    }

    /// Appends a cell.
    pub fn cell(&mut self, text: impl AsRef<[u8]>) -> &mut Self {
        if std::mem::replace(&mut self.has_cells, true) {
            self.out.push(b',');
        }
        push_cell(self.out, text.as_ref());
        self
    }

    /// Appends cells.
    pub fn cells<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>) -> &mut Self {
        texts.into_iter().for_each(|text| {
            self.cell(text);
        });
        self
    }

    /// Ends the line. An empty row is written as `""`, because readers skip empty lines.
    pub fn end(&mut self) {
        self.out.extend_from_slice(if self.out.len() == self.start { b"\"\"\n" } else { b"\n" });
    }
}

/// Returns a row of its own.
pub fn row<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut out = Vec::new();
    Row::new(&mut out).cells(texts).end();
    out
}

/// Appends a cell without what is between cells.
pub(crate) fn push_cell(out: &mut Vec<u8>, text: &[u8]) {
    if !needs_quotes(text) {
        return out.extend_from_slice(text);
    }
    out.push(b'"');
    for part in text.split_inclusive(|byte| *byte == b'"') {
        out.extend_from_slice(part);
        if part.ends_with(b"\"") {
            out.push(b'"');
        }
    }
    out.push(b'"');
}

/// Returns whether a cell must have quotes. All bytes of a block are looked at, so that the compiler vectorises this.
fn needs_quotes(text: &[u8]) -> bool {
    let special = |byte: u8| SPECIAL.into_iter().fold(0, |found, special| found | u8::from(byte == special));
    let (blocks, rest) = text.as_chunks::<32>();
    let of_block = |block: &[u8; 32]| block.iter().fold(0, |found, byte| found | special(*byte));
    blocks.iter().any(|block| of_block(block) != 0) || rest.iter().any(|byte| special(*byte) != 0)
}

/// Bytes of cells that must have quotes.
const SPECIAL: [u8; 4] = *b",\"\n\r";

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "\"a text of more than thirty-two bytes, with a comma\",a text of more than thirty-two bytes\n";

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        for (cells, line) in [
            (&["a", "", "b c"][..], "a,,b c\n"),
            (&["a,b", "c\nd", "\r"], "\"a,b\",\"c\nd\",\"\r\"\n"),
            (&["\"", "a\"\"b", "\"x\""], "\"\"\"\",\"a\"\"\"\"b\",\"\"\"x\"\"\"\n"),
            (&[""], "\"\"\n"),
            (&["", ""], ",\n"),
            (&[], "\"\"\n"),
            (&["a text of more than thirty-two bytes, with a comma", "a text of more than thirty-two bytes"], LONG),
        ] {
            assert_eq!(String::from_utf8(row(cells)).unwrap(), line);
        }
    }
}
