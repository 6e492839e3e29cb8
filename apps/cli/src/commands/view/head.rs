//! Reading the head of a request.

use std::io::{ErrorKind, Read};

/// What came of a connection.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// A head, without the empty line at its end. Bytes that are not UTF-8 are U+FFFD, which no value that counts has.
    Whole(String),
    /// More than a head may have.
    TooLong,
    /// A part, and then nothing for too long.
    TooLate,
    /// Nothing, or the client has gone.
    Nothing,
}

/// Bytes that the head of a request may have.
const MAX_HEAD: usize = 16 << 10;
const END: &[u8] = b"\r\n\r\n";

impl Head {
    /// Reads until the head ends, and ignores what came with its last bytes.
    pub(super) fn read(reader: &mut impl Read) -> Self {
        let mut head = Vec::new();
        let mut piece = [0; 2048];
        loop {
            let came = match reader.read(&mut piece) {
                Ok(count) => piece.get(..count).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::TimedOut && !head.is_empty() => return Self::TooLate,
                Err(_) => return Self::Nothing,
            };
            if came.is_empty() {
                return Self::Nothing;
            }
            // The end may have begun with what came before.
            let from = head.len().saturating_sub(END.len() - 1);
            head.extend_from_slice(came);
            let end = head.get(from..).and_then(|bytes| bytes.windows(END.len()).position(|bytes| bytes == END));
            let len = end.map_or(head.len(), |end| from + end);
            if len > MAX_HEAD {
                return Self::TooLong;
            }
            if end.is_some() {
                head.truncate(len);
                return Self::Whole(String::from_utf8_lossy(&head).into_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out a byte at a time, then nothing for too long.
    struct Slow<'b>(&'b [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            let (first, rest) = self.0.split_first().ok_or(ErrorKind::TimedOut)?;
            self.0 = rest;
            bytes[0] = *first;
            Ok(1)
        }
    }

    #[test]
    fn a_head_ends_with_an_empty_line_wherever_the_pieces_end() {
        let text = "GET / HTTP/1.1\r\nX: \u{e9}\r\n\r\n";
        let whole = Head::Whole("GET / HTTP/1.1\r\nX: \u{e9}".to_owned());
        assert_eq!(Head::read(&mut text.as_bytes()), whole);
        assert_eq!(Head::read(&mut format!("{text}body\r\n\r\n").as_bytes()), whole);
        assert_eq!(Head::read(&mut Slow(text.as_bytes())), whole);
        for end in 1..text.len() {
            assert_eq!(Head::read(&mut &text.as_bytes()[..end]), Head::Nothing, "{end}");
            assert_eq!(Head::read(&mut Slow(&text.as_bytes()[..end])), Head::TooLate, "{end}");
        }
        assert_eq!([Head::read(&mut Slow(b"")), Head::read(&mut &b""[..])], [Head::Nothing, Head::Nothing]);
    }

    #[test]
    fn a_head_has_a_greatest_length() {
        let of = |len| Head::read(&mut format!("{}\r\n\r\n", "a".repeat(len)).as_bytes());
        assert_eq!(of(MAX_HEAD), Head::Whole("a".repeat(MAX_HEAD)));
        assert_eq!(of(MAX_HEAD + 1), Head::TooLong);
        assert_eq!(Head::read(&mut std::io::repeat(b'a')), Head::TooLong);
    }
}
