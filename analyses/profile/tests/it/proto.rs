//! Reads protocol buffers, by the description of their encoding alone.

/// A field: its number and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

impl<'b> Value<'b> {
    pub(crate) fn number(&self) -> u64 {
        let Self::Number(number) = self else { panic!("no number") };
        *number
    }

    pub(crate) fn bytes(&self) -> &'b [u8] {
        let Self::Bytes(bytes) = self else { panic!("no bytes") };
        bytes
    }

    pub(crate) fn text(&self) -> &'b str {
        std::str::from_utf8(self.bytes()).unwrap()
    }

    /// The numbers of a packed field.
    pub(crate) fn packed(&self) -> Vec<u64> {
        let mut rest = self.bytes();
        let mut list = Vec::new();
        while !rest.is_empty() {
            list.push(varint(&mut rest));
        }
        list
    }
}

/// Reads a message; all bytes must belong to fields.
pub(crate) fn fields(mut bytes: &[u8]) -> Vec<(u64, Value<'_>)> {
    let mut list = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let value = match tag & 7 {
            0 => Value::Number(varint(&mut bytes)),
            2 => {
                let length = varint(&mut bytes) as usize;
                let (value, rest) = bytes.split_at(length);
                bytes = rest;
                Value::Bytes(value)
            }
            kind => panic!("field of kind {kind}"),
        };
        list.push((tag >> 3, value));
    }
    list
}

/// All values of a field.
pub(crate) fn all<'f, 'b>(fields: &'f [(u64, Value<'b>)], number: u64) -> impl Iterator<Item = &'f Value<'b>> {
    fields.iter().filter(move |(field, _)| *field == number).map(|(_, value)| value)
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return value;
        }
    }
    panic!("a varint without an end")
}
