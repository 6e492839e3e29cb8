//! Writes messages of protocol buffers.

use etwkit::bytes::push_varint;

/// A message that is being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

/// How a field is written.
const VARINT: u64 = 0;
const LENGTH_DELIMITED: u64 = 2;

impl Message {
    /// Adds a number.
    pub(super) fn number(mut self, field: u64, value: u64) -> Self {
        push_varint(&mut self.0, field << 3 | VARINT);
        push_varint(&mut self.0, value);
        self
    }

    /// Adds bytes.
    pub(super) fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        push_varint(&mut self.0, field << 3 | LENGTH_DELIMITED);
        push_varint(&mut self.0, value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    /// Adds a text.
    pub(super) fn text(self, field: u64, value: &str) -> Self {
        self.bytes(field, value.as_bytes())
    }

    /// Adds a message.
    pub(super) fn message(self, field: u64, value: &Self) -> Self {
        self.bytes(field, &value.0)
    }

    /// Adds numbers as one field.
    pub(super) fn packed(self, field: u64, values: impl IntoIterator<Item = u64>) -> Self {
        let mut list = Self::default();
        values.into_iter().for_each(|value| push_varint(&mut list.0, value));
        self.message(field, &list)
    }

    /// Returns the bytes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn messages_are_as_the_encoding_guide_shows_them() {
        // https://protobuf.dev/programming-guides/encoding: `150`, `testing`, a message, packed 3, 270, 86942.
        assert_eq!(Message::default().number(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        assert_eq!(Message::default().text(2, "testing").into_bytes(), b"\x12\x07testing");
        let inner = Message::default().number(1, 150);
        assert_eq!(Message::default().message(3, &inner).into_bytes(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
        let packed = Message::default().packed(6, [3, 270, 86_942]);
        assert_eq!(packed.into_bytes(), [0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05]);
    }
}
