//! The extended data items of an event (section 7).

use zerocopy::FromBytes;

use crate::bytes::{Guid, PointerSize, read_pointer, u32_at, u64_at};
use crate::format::{EventHeader, ExtendedType, ItemHeader, RecordHeader, RecordItem};
use crate::limits;

/// One extended data item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtendedItem<'d> {
    /// What it is.
    pub item_type: ExtendedType,
    /// Its data, without padding.
    pub data: &'d [u8],
}

impl<'d> ExtendedItem<'d> {
    /// Returns the data as a GUID.
    pub fn guid(self) -> Option<Guid> {
        self.data.first_chunk().map(|bytes| Guid::from_bytes(*bytes))
    }

    /// Returns the data as a stack of addresses, for the two stack types. The item type states the address size, not
    /// the event's header.
    pub fn stack(self) -> Option<Stack<'d>> {
        let size = match self.item_type {
            ExtendedType::STACK_32 => PointerSize::Four,
            ExtendedType::STACK_64 => PointerSize::Eight,
            _ => return None,
        };
        Some(Stack { match_id: u64_at(self.data, 0), addresses: self.data.get(8..)?, size })
    }

    /// Returns the PEBS index, if the data is exactly one.
    pub fn pebs_index(self) -> Option<u64> {
        (self.item_type == ExtendedType::PEBS_INDEX && self.data.len() == 8).then(|| u64_at(self.data, 0))
    }

    /// Returns the bytes of hardware counters, 8 each, if the data is exactly some.
    pub fn counters(self) -> Option<&'d [u8]> {
        let is_some = self.item_type == ExtendedType::PMC_COUNTERS && !self.data.is_empty();
        (is_some && self.data.len().is_multiple_of(8)).then_some(self.data)
    }

    /// Returns instance, parent instance and parent class, if the data is exactly these.
    pub fn instance(self) -> Option<(u32, u32, Guid)> {
        let is_one = self.item_type == ExtendedType::INSTANCE && self.data.len() == 24;
        let class = self.data.last_chunk().filter(|_| is_one)?;
        Some((u32_at(self.data, 0), u32_at(self.data, 4), Guid::from_bytes(*class)))
    }

    /// Returns the key of a stack that is defined elsewhere, for the two key types.
    pub fn stack_key(self) -> Option<u64> {
        let size = match self.item_type {
            ExtendedType::STACK_KEY_32 => PointerSize::Four,
            ExtendedType::STACK_KEY_64 => PointerSize::Eight,
            _ => return None,
        };
        (self.data.len() >= 8 + size.bytes()).then(|| read_pointer(self.data, 8, size))
    }
}

/// Return addresses, innermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stack<'d> {
    /// Joins the kernel and the user part when they come in two events; 0 if there is but one.
    pub match_id: u64,
    addresses: &'d [u8],
    size: PointerSize,
}

impl Stack<'_> {
    /// Returns whether the innermost and the outermost frame are the kernel's: their address has the highest bit.
    /// `None` if there is no frame.
    pub fn ends_in_kernel(self) -> Option<(bool, bool)> {
        let high = |address: u64| address >> (8 * self.size.bytes() - 1) == 1;
        let count = self.addresses.len() / self.size.bytes();
        let at = |place: usize| Some(high(read_pointer(self.addresses, place * self.size.bytes(), self.size)));
        at(0).filter(|_| count > 0).zip(at(count.checked_sub(1)?))
    }

    /// Returns the addresses.
    pub fn addresses(self) -> impl Iterator<Item = u64> {
        self.addresses.chunks_exact(self.size.bytes()).map(move |a| read_pointer(a, 0, self.size))
    }
}

/// Iterates the items of an event. Ends after the last item, and after one that does not fit.
#[derive(Clone, Debug, Default)]
pub struct ExtendedItems<'d> {
    rest: &'d [u8],
    more: bool,
    left: usize,
    /// The data of a record's items: `rest` has only their heads.
    apart: Option<&'d [u8]>,
}

impl<'d> ExtendedItems<'d> {
    /// The items of an event with the flag set; `bytes` is the whole event.
    pub(super) fn new(bytes: &'d [u8]) -> Self {
        let rest = bytes.get(size_of::<EventHeader>()..).unwrap_or_default();
        Self { rest, more: true, left: limits::MAX_EXTENDED_ITEMS, apart: None }
    }

    /// The items of a record; `bytes` is all of it.
    pub(super) fn of_record(bytes: &'d [u8], record: &RecordHeader) -> Self {
        let count = usize::from(record.item_count.get());
        let (rest, data) = bytes
            .get(record.items_start()..)
            .and_then(|rest| rest.split_at_checked(count * size_of::<RecordItem>()))
            .unwrap_or_default();
        Self { rest, more: true, left: count.min(limits::MAX_EXTENDED_ITEMS), apart: Some(data) }
    }

    /// Returns the next item of a record.
    fn next_apart(&mut self, data: &'d [u8]) -> Option<ExtendedItem<'d>> {
        let (head, rest) = RecordItem::ref_from_prefix(self.rest).ok()?;
        let len = usize::from(head.data_size.get());
        let item = ExtendedItem { item_type: ExtendedType(head.item_type.get()), data: data.get(..len)? };
        self.rest = rest;
        self.left -= 1;
        self.apart = Some(data.get(len.next_multiple_of(8)..).unwrap_or_default());
        Some(item)
    }
}

impl<'d> Iterator for ExtendedItems<'d> {
    type Item = ExtendedItem<'d>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if !self.more || self.left == 0 {
            return None;
        }
        if let Some(data) = self.apart {
            return self.next_apart(data);
        }
        let next = split(self.rest);
        self.left -= 1;
        self.more = next.is_some_and(|(_, _, more)| more);
        let (item, size, _) = next?;
        self.rest = self.rest.get(size..).unwrap_or_default();
        Some(item)
    }
}

/// Returns the first item of `bytes`, the bytes it takes with padding, and whether another follows.
fn split(bytes: &[u8]) -> Option<(ExtendedItem<'_>, usize, bool)> {
    let (head, data) = ItemHeader::ref_from_prefix(bytes).ok()?;
    let size = usize::from(head.size.get());
    if size < size_of::<ItemHeader>() || size > bytes.len() {
        return None;
    }
    let room = size - size_of::<ItemHeader>();
    let data = data.get(..usize::from(head.data_size.get()).min(room))?;
    Some((ExtendedItem { item_type: ExtendedType(head.item_type.get()), data }, size, head.linkage.get() & 1 != 0))
}

/// Returns where the items of an event with the flag end, from the event's start. If the list is damaged the payload
/// begins where it broke, so that no byte is lost.
#[inline(never)]
pub(super) fn end(bytes: &[u8]) -> usize {
    let mut items = ExtendedItems::new(bytes);
    while items.next().is_some() {}
    bytes.len() - items.rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(items: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; 80];
        bytes.extend_from_slice(items);
        bytes
    }

    #[test]
    fn the_list_ends_where_linkage_says() {
        let bytes = event(&[
            16, 0, 3, 0, 1, 0, 4, 0, 7, 0, 0, 0, 0, 0, 0, 0, // terminal session 7, more follow
            16, 0, 7, 0, 0, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, // PEBS index, the last
            9, 9, // payload
        ]);
        let items: Vec<_> = ExtendedItems::new(&bytes).collect();
        assert_eq!(items.len(), 2);
        assert_eq!((items[0].item_type, items[0].data), (ExtendedType::TERMINAL_SESSION, &[7, 0, 0, 0][..]));
        assert_eq!(items[1].item_type, ExtendedType::PEBS_INDEX);
        assert_eq!(end(&bytes), bytes.len() - 2);
    }

    #[test]
    fn a_list_that_does_not_fit_ends_without_losing_bytes() {
        let bytes = event(&[16, 0, 3, 0, 1, 0, 4, 0, 7, 0, 0, 0, 0, 0, 0, 0, 200, 0, 1, 0]);
        assert_eq!(ExtendedItems::new(&bytes).count(), 1);
        assert_eq!(end(&bytes), 96);
        let zero = event(&[0; 16]);
        assert_eq!((ExtendedItems::new(&zero).count(), end(&zero)), (0, 80));
    }
}
