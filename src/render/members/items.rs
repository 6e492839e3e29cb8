//! The less common parts of a header: counters, instances, extended items.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::bytes::{Sid, u32_at, u64_at};
use crate::event::{ExtendedItem, Header, RawEvent};
use crate::format::ExtendedType;

use super::member::{MemberValue, MemberWriter};

/// Writes hardware counters, instances and extended items; the stack is apart.
pub(crate) fn write_items<W: MemberWriter>(out: &mut W, raw: &RawEvent<'_>) {
    write_counters(out, raw);
    write_instances(out, raw);
    if raw.has_extended() {
        write_other_items(out, raw);
    }
}

/// Those of a kernel event follow its header, those of others are items.
fn write_counters<W: MemberWriter>(out: &mut W, raw: &RawEvent<'_>) {
    let (pebs, counters) = raw.header().counters(raw.bytes());
    if let Some(index) = pebs.or_else(|| raw.item(ExtendedType::PEBS_INDEX)?.pebs_index()) {
        out.member("pebs_index", MemberValue::Counter(index));
    }
    let of_header = Some(counters).filter(|counters| !counters.is_empty());
    if let Some(counters) = of_header.or_else(|| raw.item(ExtendedType::PMC_COUNTERS)?.counters()) {
        out.list("counters", counters.chunks_exact(8).map(|counter| MemberValue::Counter(u64_at(counter, 0))));
    }
}

/// Those of an instance event are in its header, those of others are an item.
fn write_instances<W: MemberWriter>(out: &mut W, raw: &RawEvent<'_>) {
    let item = || raw.item(ExtendedType::INSTANCE)?.instance();
    let (instances, parent_class) = match (raw.header(), raw.header().instances()) {
        (Header::Instance(header), instances) => (instances, Some(header.parent_class)),
        (_, instances @ Some(_)) => (instances, None),
        (_, None) => item().map_or((None, None), |(own, parent, class)| (Some((own, parent)), Some(class))),
    };
    if let Some((instance, parent_instance)) = instances {
        out.member("instance", MemberValue::Number(instance.into()));
        out.member("parent_instance", MemberValue::Number(parent_instance.into()));
    }
    if let Some(class) = parent_class {
        out.member("parent_class", MemberValue::Guid(class));
    }
}

fn write_other_items<W: MemberWriter>(out: &mut W, raw: &RawEvent<'_>) {
    let mut before = Before::default();
    let members = raw.extended().filter_map(|item| {
        let count = before.count(item.item_type);
        (!is_shown_elsewhere(item, count)).then(|| (name(item.item_type, count), item_value(item)))
    });
    out.object("extended", members);
}

/// Returns whether other members are made of an item, if `before` items of its type came before it: only the first one of
/// a type is looked at.
fn is_shown_elsewhere(item: ExtendedItem<'_>, before: usize) -> bool {
    match item.item_type {
        ExtendedType::RELATED_ACTIVITY => before == 0 && item.data.len() == 16,
        ExtendedType::PEBS_INDEX => before == 0 && item.pebs_index().is_some(),
        ExtendedType::PMC_COUNTERS => before == 0 && item.counters().is_some(),
        ExtendedType::INSTANCE => before == 0 && item.instance().is_some(),
        ExtendedType::STACK_32 | ExtendedType::STACK_64 | ExtendedType::SCHEMA | ExtendedType::PROVIDER_TRAITS => {
            before == 0
        }
        _ => false,
    }
}

/// Returns the name of an item, if `before` items of its type came before it.
fn name(item_type: ExtendedType, before: usize) -> Cow<'static, str> {
    let name = item_type.name().map_or_else(|| Cow::Owned(item_type.0.to_string()), Cow::Borrowed);
    if before == 0 { name } else { Cow::Owned(format!("{name}#{}", before + 1)) }
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
    let sid = || Sid::new(data).filter(|sid| sid.as_bytes().len() == data.len()).map(MemberValue::Sid);
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

    #[test]
    fn no_byte_of_an_item_is_left_out() {
        let activity = |data| ExtendedItem { item_type: ExtendedType::RELATED_ACTIVITY, data };
        assert!(is_shown_elsewhere(activity(&[1; 16]), 0));
        for (data, before) in [(&[1; 16][..], 1), (&[1; 7], 0), (&[1; 17], 0)] {
            assert!(!is_shown_elsewhere(activity(data), before), "{data:?} after {before}");
        }
        let whole = [(ExtendedType::PEBS_INDEX, 8), (ExtendedType::PMC_COUNTERS, 16), (ExtendedType::INSTANCE, 24)];
        for (item_type, len) in whole {
            let item = |len| ExtendedItem { item_type, data: [1; 40].get(..len).unwrap_or_default() };
            assert!(is_shown_elsewhere(item(len), 0) && !is_shown_elsewhere(item(len), 1), "{item_type:?}");
            assert!([0, len - 1, len + 1].iter().all(|len| !is_shown_elsewhere(item(*len), 0)), "{item_type:?}");
        }
        let sid = [1, 1, 0, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0x7A];
        let value = |data| item_value(ExtendedItem { item_type: ExtendedType::SID, data });
        assert!(matches!(value(&sid[..12]), MemberValue::Sid(_)));
        assert!(matches!(value(&sid), MemberValue::Bytes(_)), "with bytes after it");
    }
}
