//! One member of an event's object, for `--fields`, `--where` and `--group-by`.

use std::borrow::Cow;

use crate::decode::Event;
use crate::render::members::{
    MemberValue, MemberWriter, NameRoom, write_details, write_items, write_message_options, write_rest, write_stack,
};

use super::header_value::HeaderValue;

/// Returns a member that is not part of every header; `None` if the event does not have it.
pub(super) fn pick(event: &Event<'_>, name: &str) -> Option<HeaderValue<'static>> {
    let mut picker = Picker { name, found: None };
    match name {
        "details" => write_details(&mut picker, event),
        "problem" | "unterminated" => write_rest(&mut picker, event),
        "sequence" | "component" => write_message_options(&mut picker, event.raw()),
        "stack" | "stack_missing" | "frames" | "functions" => {
            // A condition looks at all names.
            write_stack(&mut picker, event, &mut Vec::new(), NameRoom::unlimited);
        }
        _ => write_items(&mut picker, event.raw()),
    }
    picker.found
}

/// Keeps the member of a name.
struct Picker<'n> {
    name: &'n str,
    found: Option<HeaderValue<'static>>,
}

impl Picker<'_> {
    /// Keeps a member that is written as `,"name":value`.
    fn keep(&mut self, written: &[u8]) {
        let value = written.get(self.name.len() + r#","":"#.len()..).filter(|value| !value.is_empty());
        self.found = value.map(|value| HeaderValue::Json(String::from_utf8_lossy(value).into()));
    }
}

impl MemberWriter for Picker<'_> {
    fn member(&mut self, name: &str, value: MemberValue<'_>) {
        if name != self.name {
            return;
        }
        let number = |value| HeaderValue::Number { value, name: None };
        let text = |text: String| HeaderValue::Text(Cow::Owned(text));
        self.found = Some(match value {
            MemberValue::Number(value) | MemberValue::Counter(value) => number(value),
            MemberValue::Integer(value) => u64::try_from(value).map_or_else(|_| text(value.to_string()), number),
            MemberValue::Hex(value) => HeaderValue::Bits(value),
            MemberValue::Guid(guid) => HeaderValue::Guid(guid),
            MemberValue::Text(value) => text(String::from_utf8_lossy(value).into_owned()),
            _ => return,
        });
    }

    #[expect(single_use_lifetimes, reason = "an elided lifetime is not stable here")]
    fn list<'a>(&mut self, name: &str, values: impl Iterator<Item = MemberValue<'a>>) {
        if name == self.name {
            let mut written = Vec::new();
            written.list(name, values);
            self.keep(&written);
        }
    }

    fn object<'a>(&mut self, name: &str, members: impl Iterator<Item = (Cow<'a, str>, MemberValue<'a>)>) {
        if name == self.name {
            let mut written = Vec::new();
            written.object(name, members);
            self.keep(&written);
        }
    }
}
