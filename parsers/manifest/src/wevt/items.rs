//! Templates and maps of a resource.

use std::collections::HashMap;
use std::sync::Arc;

use etwkit::bytes::{u8_at, u32_at};
use etwkit::error::{Error, Result};
use etwkit::limits;
use etwkit::schema::tdh::{self, InType, OutType, Property, Quantity, Shape};
use etwkit::schema::{UserData, UserPart};

use super::Messages;
use super::blocks::{Blocks, pair_at};
use crate::model::{Template, ValueMap};

/// Templates and maps by their place in the resource; many events share one.
#[derive(Debug, Default)]
pub(super) struct Items {
    pub(super) templates: Vec<Template>,
    pub(super) maps: Vec<ValueMap>,
    template_places: HashMap<u32, usize>,
    map_places: HashMap<u32, Option<usize>>,
}

/// Flags of an item.
mod flag {
    pub(super) const STRUCT: u32 = 1;
    pub(super) const FIXED_LENGTH: u32 = 2;
    pub(super) const LENGTH_BY_REFERENCE: u32 = 4;
    pub(super) const FIXED_COUNT: u32 = 8;
    pub(super) const COUNT_BY_REFERENCE: u32 = 0x10;
}

/// Bytes of an item.
const ITEM: usize = 20;

impl Items {
    /// Returns the template at `offset`: `TEMP`.
    pub(super) fn template(&mut self, offset: u32, blocks: &mut Blocks<'_>, messages: &Messages) -> Result<usize> {
        if let Some(known) = self.template_places.get(&offset) {
            return Ok(*known);
        }
        let head = blocks.block(offset, *b"TEMP", 20, "a template")?;
        let (top_level, total, place) = (u32_at(head, 8), u32_at(head, 12), u32_at(head, 16));
        if total as usize > limits::MAX_FIELDS {
            return Err(Error::limit("fields of a template", limits::MAX_FIELDS).at(offset.into()));
        }
        let user_data = user_data(offset, head, blocks)?;
        let mut template = Template { top_level: top_level as usize, user_data, ..Template::default() };
        for (place, item) in blocks.list(place, total, ITEM, "items of a template")? {
            blocks.charge(ITEM, place)?;
            template.properties.push(property(item, blocks)?);
            let map = if u32_at(item, 0) & flag::STRUCT == 0 { u32_at(item, 8) } else { 0 };
            template.maps.push(self.map(map, blocks, messages)?);
        }
        self.templates.push(template);
        self.template_places.insert(offset, self.templates.len() - 1);
        Ok(self.templates.len() - 1)
    }

    /// Returns the map at `offset`: `VMAP` or `BMAP`. `None` for 0 and for what is neither.
    fn map(&mut self, offset: u32, blocks: &mut Blocks<'_>, messages: &Messages) -> Result<Option<usize>> {
        if offset == 0 {
            return Ok(None);
        }
        if let Some(known) = self.map_places.get(&offset) {
            return Ok(*known);
        }
        let map = map(offset, blocks, messages)?;
        let place = map.map(|map| {
            self.maps.push(map);
            self.maps.len() - 1
        });
        self.map_places.insert(offset, place);
        Ok(place)
    }
}

/// Returns the elements of a template whose kind is `TEMPLATE_USER_DATA` (seen in `clretwrc.dll`, where the others have
/// 1 and the root `EventData`).
fn user_data(offset: u32, head: &[u8], blocks: &mut Blocks<'_>) -> Result<Option<Arc<UserData>>> {
    const USER_DATA: u32 = 2;
    const FRAGMENT: usize = 40;
    let (size, items) = (u32_at(head, 4), u32_at(head, 16));
    let end = items.checked_sub(offset).filter(|end| *end as usize > FRAGMENT).map_or(size, |end| end.min(size));
    let Some(fragment) = head.get(FRAGMENT..end as usize).filter(|_| u32_at(head, 20) == USER_DATA) else {
        return Ok(None);
    };
    let tree = tdh::user_data(fragment);
    let parts = tree.as_ref().map_or(0, |tree| tree.parts().len());
    blocks.charge(fragment.len() + parts * size_of::<UserPart>(), offset)?;
    Ok(tree.map(Arc::new))
}

fn property(item: &[u8], blocks: &mut Blocks<'_>) -> Result<Property> {
    let flags = u32_at(item, 0);
    let has = |bit| flags & bit != 0;
    let shape = if has(flag::STRUCT) {
        let (first, members) = pair_at(item, 4);
        Shape::Struct { first, members }
    } else {
        Shape::Value(InType(u8_at(item, 4).into()), OutType(u8_at(item, 5).into()))
    };
    let (count, length) = pair_at(item, 12);
    let name = blocks.text(u32_at(item, 16))?;
    blocks.charge(name.as_deref().map_or(0, str::len), 0)?;
    let is_fixed_count = has(flag::FIXED_COUNT) || count > 1;
    Ok(Property::with_shape(name.as_deref().unwrap_or_default(), shape)
        .count(Quantity::from_flags(count, has(flag::COUNT_BY_REFERENCE), is_fixed_count))
        .length(Quantity::from_flags(length, has(flag::LENGTH_BY_REFERENCE), has(flag::FIXED_LENGTH))))
}

fn map(offset: u32, blocks: &mut Blocks<'_>, messages: &Messages) -> Result<Option<ValueMap>> {
    let head = blocks.at(offset, 20, "a map")?;
    let is_bits = match head.first_chunk() {
        Some(b"VMAP") => false,
        Some(b"BMAP") => true,
        // There are pattern maps (`QUER` and others are not maps); nothing in a payload needs them.
        _ => return Ok(None),
    };
    let name = blocks.text(u32_at(head, 8))?.as_deref().unwrap_or_default().into();
    let list = blocks.list(offset.saturating_add(20), u32_at(head, 16), 8, "entries of a map")?;
    let mut entries = Vec::new();
    for (place, entry) in list {
        blocks.charge(8, place)?;
        let text = messages.get(u32_at(entry, 4));
        entries.extend(text.map(|text| (u64::from(u32_at(entry, 0)), text)));
    }
    Ok(Some(ValueMap { name, is_bits, entries }))
}
