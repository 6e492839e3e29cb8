//! The less common parts of a header: counters, instances, extended items.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::bytes::{Sid, u32_at, u64_at};
use crate::event::{ExtendedItem, Header, RawEvent};
use crate::format::ExtendedType;

use super::member::{MemberValue, MemberWriter};

/// Writes hardware counters, instances and extended items; the stack is apart.
pub(crate) fn write_items<W: MemberWriter>(out: &mut W, raw: &RawEvent<'_>) {
    let (pebs, counters) = raw.header().counters(raw.bytes());
    if let Some(index) = pebs {
        out.member("pebs_index", MemberValue::Integer(index.cast_signed()));
    }
    if !counters.is_empty() {
        out.list("counters", counters.chunks_exact(8).map(|counter| MemberValue::Counter(u64_at(counter, 0))));
    }
    if let Some((instance, parent_instance)) = raw.header().instances() {
        out.member("instance", MemberValue::Number(instance.into()));
        out.member("parent_instance", MemberValue::Number(parent_instance.into()));
    }
    if let Header::Instance(instance) = raw.header() {
        out.member("parent_class", MemberValue::Guid(instance.parent_class));
    }
    if raw.has_extended() {
        write_other_items(out, raw);
    }
}

fn write_other_items<W: MemberWriter>(out: &mut W, raw: &RawEvent<'_>) {
    let is_shown = |item: &ExtendedItem<'_>| {
        !matches!(
            item.item_type,
            ExtendedType::RELATED_ACTIVITY
                | ExtendedType::STACK_32
                | ExtendedType::STACK_64
                | ExtendedType::SCHEMA
                | ExtendedType::PROVIDER_TRAITS
        )
    };
    let mut before = Before::default();
    let mut name = |item: ExtendedItem<'_>| {
        let name = match item.item_type.name() {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(item.item_type.0.to_string()),
        };
        match before.count(item.item_type) {
            0 => name,
            count => Cow::Owned(format!("{name}#{}", count + 1)),
        }
    };
    out.object("extended", raw.extended().filter(is_shown).map(|item| (name(item), item_value(item))));
}

/// How many items of each type came before. Most events have one of a type: that takes no memory.
#[derive(Default)]
struct Before {
    /// A bit for each type that came.
    seen: u64,
    counts: BTreeMap<u16, usize>,
}

impl Before {
    /// Counts an item; returns how many of its type came before.
    fn count(&mut self, item_type: ExtendedType) -> usize {
        let bit = 1_u64.checked_shl(item_type.0.into()).unwrap_or(0);
        if bit != 0 && self.seen & bit == 0 {
            self.seen |= bit;
            return 0;
        }
        // The first one of a small type has its bit alone.
        let count = self.counts.entry(item_type.0).or_insert(usize::from(bit != 0));
        *count += 1;
        *count - 1
    }
}

fn item_value(item: ExtendedItem<'_>) -> MemberValue<'_> {
    let data = item.data;
    let sid = || Sid::new(data).map(MemberValue::Sid);
    let guid = || item.guid().filter(|_| data.len() == 16).map(MemberValue::Guid);
    let session = || (data.len() == 4).then(|| MemberValue::Integer(u32_at(data, 0).into()));
    let hex = || (data.len() == 8).then(|| MemberValue::Hex(u64_at(data, 0)));
    let value = match item.item_type {
        ExtendedType::SID => sid(),
        ExtendedType::TERMINAL_SESSION => session(),
        ExtendedType::CONTROL_GUID | ExtendedType::CONTAINER_ID => guid(),
        ExtendedType::PEBS_INDEX
        | ExtendedType::EVENT_KEY
        | ExtendedType::PROCESS_START_KEY
        | ExtendedType::QPC_DELTA => hex(),
        _ => None,
    };
    value.unwrap_or(MemberValue::Bytes(data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_a_type_are_counted() {
        let mut before = Before::default();
        let types = [3, 3, 0, 19, 70, 3, 19, 70, 63, 64, 64, 63];
        let counts = types.map(|number| before.count(ExtendedType(number)));
        assert_eq!(counts, [0, 1, 0, 0, 0, 2, 1, 1, 0, 0, 1, 1]);
    }
}
