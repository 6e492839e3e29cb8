//! The less common parts of a header: counters, instances, extended items.

use crate::bytes::{Guid, Sid, u32_at, u64_at, write_hex};
use crate::event::{ExtendedItem, Header, RawEvent};
use crate::format::ExtendedType;
use crate::render::json::{push_integer, push_key, quoted};
use crate::render::value;

use super::member::{push_guid, push_key_after_comma, push_list, push_number};

/// Appends hardware counters, instances and extended items; the stack is apart.
pub(super) fn push_items(out: &mut Vec<u8>, raw: &RawEvent<'_>) {
    let (pebs, counters) = raw.header().counters(raw.bytes());
    if let Some(index) = pebs {
        push_key_after_comma(out, "pebs_index");
        push_integer(out, index.cast_signed());
    }
    if !counters.is_empty() {
        push_list(out, "counters", counters.chunks_exact(8).map(|c| u64_at(c, 0)), push_counter);
    }
    if let Header::Instance(instance) = raw.header() {
        push_number(out, "instance", instance.instance.get());
        push_number(out, "parent_instance", instance.parent_instance.get());
        push_guid(out, "parent_class", instance.parent_class);
    }
    if !raw.has_extended() {
        return;
    }
    push_other_items(out, raw);
}

fn push_other_items(out: &mut Vec<u8>, raw: &RawEvent<'_>) {
    let shown = |item: &ExtendedItem<'_>| {
        !matches!(
            item.item_type,
            ExtendedType::RELATED_ACTIVITY
                | ExtendedType::STACK_32
                | ExtendedType::STACK_64
                | ExtendedType::SCHEMA
                | ExtendedType::PROVIDER_TRAITS
        )
    };
    let mut first = true;
    for item in raw.extended().filter(shown) {
        if first {
            push_key_after_comma(out, "extended");
            out.push(b'{');
        } else {
            out.push(b',');
        }
        first = false;
        match item.item_type.name() {
            Some(name) => push_key(out, name),
            None => push_key(out, &item.item_type.0.to_string()),
        }
        push_item(out, item);
    }
    if !first {
        out.push(b'}');
    }
}

fn push_item(out: &mut Vec<u8>, item: ExtendedItem<'_>) {
    let data = item.data;
    match item.item_type {
        ExtendedType::SID if Sid::new(data).is_some() => {
            let sid = Sid::new(data).map(|sid| sid.to_string()).unwrap_or_default();
            quoted(out, |out| out.extend_from_slice(sid.as_bytes()));
        }
        ExtendedType::TERMINAL_SESSION if data.len() == 4 => push_integer(out, u32_at(data, 0).into()),
        ExtendedType::CONTROL_GUID | ExtendedType::CONTAINER_ID if data.len() == 16 => {
            let guid = item.guid().unwrap_or(Guid::NULL);
            quoted(out, |out| out.extend_from_slice(&guid.to_text()));
        }
        ExtendedType::PEBS_INDEX
        | ExtendedType::EVENT_KEY
        | ExtendedType::PROCESS_START_KEY
        | ExtendedType::QPC_DELTA
            if data.len() == 8 =>
        {
            quoted(out, |out| {
                value::hex(out, u64_at(data, 0));
            });
        }
        _ => quoted(out, |out| write_hex(out, data)),
    }
}

fn push_counter(out: &mut Vec<u8>, value: u64) {
    match i64::try_from(value) {
        Ok(value) => push_integer(out, value),
        Err(_) => quoted(out, |out| out.extend_from_slice(value.to_string().as_bytes())),
    }
}
