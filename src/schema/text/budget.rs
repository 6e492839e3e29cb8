//! How much the schemas of one text may take together.
//!
//! `event id 1, 2, 3` makes three schemas of one, and every schema has copies of its provider's name and of its maps:
//! without a cap a short text could ask for any amount of memory.

use crate::limits;
use crate::schema::{Field, Map, Message, MessagePart, Names, Schema, SchemaEntry, UserData};

/// Bytes that may still be taken.
#[derive(Debug)]
pub(super) struct Budget(usize);

impl Budget {
    /// Enough for a text of this many bytes: a field takes some thirty times the bytes of its line, copies come on top.
    pub(super) const fn new(text: usize) -> Self {
        Self(limits::MAX_TEXT + 64 * text)
    }

    /// Takes the bytes of `copies` schemas like this one. False if there are not enough.
    pub(super) fn take(&mut self, schema: &Schema, copies: usize) -> bool {
        let left = size(schema).checked_mul(copies).and_then(|bytes| self.0.checked_sub(bytes));
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// About the bytes of a schema.
fn size(schema: &Schema) -> usize {
    let fields = schema.fields().iter().map(|field| size_of::<Field>() + field.name.len()).sum::<usize>();
    let maps = schema.maps().iter().map(map).sum::<usize>();
    // The copies of one statement share it.
    let user_data = schema.user_data().map_or(0, UserData::weight);
    size_of::<SchemaEntry>() + fields + maps + names(schema.names()) + schema.message().map_or(0, message) + user_data
}

fn map(map: &Map) -> usize {
    size_of::<Map>()
        + map.name().len()
        + map.texts().map(|(_, name)| size_of::<(u64, Box<str>)>() + name.len()).sum::<usize>()
}

fn names(names: &Names) -> usize {
    let Names { provider, task, level, channel, event, provider_message, keywords, details, .. } = names;
    let texts = [provider, task, level, channel, event, provider_message];
    let texts = texts.into_iter().flatten().map(|text| text.len()).sum::<usize>();
    let details = details.iter().map(|(key, value)| 2 * size_of::<Box<str>>() + key.len() + value.len()).sum::<usize>();
    texts + details + keywords.iter().map(|(_, name)| size_of::<(u64, Box<str>)>() + name.len()).sum::<usize>()
}

fn message(message: &Message) -> usize {
    let text = |part: &MessagePart| match part {
        MessagePart::Text(text)
        | MessagePart::Insert { format: text, .. }
        | MessagePart::Header { format: text, .. } => text.len(),
        MessagePart::Parameter(_) => 0,
    };
    message.parts().iter().map(|part| size_of::<MessagePart>() + text(part)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::SchemaSource;

    #[test]
    fn what_is_taken_is_gone() {
        let names = Names { task: Some("t".repeat(100).into()), ..Names::default() };
        let schema = Schema::empty(names, SchemaSource::USER.into()).unwrap();
        let one = size(&schema);
        let mut budget = Budget(3 * one);
        assert!(one > 100 && budget.take(&schema, 2));
        assert!(budget.take(&schema, 1));
        assert!(!budget.take(&schema, 1));
        assert!(!Budget(usize::MAX).take(&schema, usize::MAX));
    }
}
