//! The members of gzip data, one after the other.

use std::io::{self, BufRead, Error, ErrorKind, Read};

use flate2::bufread::GzDecoder;

use crate::limits::MAX_PADDING;

/// The first byte of a member (`ID1` in RFC 1952).
const MEMBER: u8 = 0x1F;

/// Unpacks all members. Zeros after one are padding, as copies in blocks leave it; other bytes are an error.
#[derive(Debug)]
pub(crate) struct GzipMembers<R> {
    /// The member that is being read; `None` after the last one.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipMembers<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { member: Some(GzDecoder::new(reader)) }
    }

    /// Begins the next member, if there is one.
    fn next_member(&mut self) -> io::Result<()> {
        let Some(member) = self.member.take() else { return Ok(()) };
        let mut reader = member.into_inner();
        self.member = match skip_zeros(&mut reader)? {
            None => None,
            Some(MEMBER) => Some(GzDecoder::new(reader)),
            Some(_) => return Err(Error::new(ErrorKind::InvalidData, "other bytes follow the gzip data")),
        };
        Ok(())
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let len = member.read(room)?;
            if len > 0 || room.is_empty() {
                return Ok(len);
            }
            self.next_member()?;
        }
        Ok(0)
    }
}

/// Returns the first byte that is not zero, which stays unread; `None` at the end.
fn skip_zeros(reader: &mut impl BufRead) -> io::Result<Option<u8>> {
    let mut skipped = 0;
    while skipped <= MAX_PADDING {
        let bytes = reader.fill_buf()?;
        if let Some(at) = bytes.iter().position(|byte| *byte != 0) {
            let found = bytes.get(at).copied();
            reader.consume(at);
            return Ok(found);
        }
        let zeros = bytes.len();
        if zeros == 0 {
            return Ok(None);
        }
        reader.consume(zeros);
        skipped += zeros;
    }
    Err(Error::new(ErrorKind::InvalidData, "more zeros follow the gzip data than padding has"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> (String, Option<String>) {
        let mut text = String::new();
        let error = GzipMembers::new(bytes).read_to_string(&mut text).err();
        (text, error.map(|error| error.to_string()))
    }

    #[test]
    fn members_follow_each_other_also_after_padding() {
        let (one, two) = (packed("one"), packed("two"));
        assert_eq!(unpacked(&[&one[..], &two].concat()), ("onetwo".to_owned(), None));
        assert_eq!(unpacked(&[&one[..], &[0; 512], &two, &[0; 3]].concat()), ("onetwo".to_owned(), None));
        assert_eq!(unpacked(&one), ("one".to_owned(), None));
        assert_eq!(unpacked(&packed("")), (String::new(), None));
    }

    #[test]
    fn other_bytes_and_endless_zeros_are_errors_after_the_data() {
        let one = packed("one");
        let after = |rest: &[u8]| {
            let mut text = Vec::new();
            let error = GzipMembers::new(&[&one[..], rest].concat()[..]).read_to_end(&mut text).unwrap_err();
            assert_eq!(text, b"one");
            error.to_string()
        };
        assert_eq!(after(b"\0\0rest"), "other bytes follow the gzip data");
        assert_eq!(after(&vec![0; MAX_PADDING + 1]), "more zeros follow the gzip data than padding has");
        assert!(GzipMembers::new(&one[..one.len() - 4]).read_to_end(&mut Vec::new()).is_err());
    }
}
