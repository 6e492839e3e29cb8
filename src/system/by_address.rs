//! Things of a process in order of address.

/// Things that lie at addresses: images, methods. They are known by their places in a list, and are in order once frozen.
#[derive(Clone, Debug, Default)]
pub(super) struct ByAddress {
    places: Vec<u32>,
    /// The first address of each thing.
    starts: Vec<u64>,
    /// The last address of each thing and all before it; 0 if these are empty.
    reach: Vec<u64>,
}

/// Things looked at for one address: a crafted trace may let very many overlap.
const MAX_LOOKED_AT: usize = 256;

impl ByAddress {
    /// Adds the thing at a place of the list.
    pub(super) fn push(&mut self, place: u32) {
        self.places.push(place);
    }

    /// Sorts them. `extent` returns the first address and the size of the thing at a place.
    pub(super) fn freeze(&mut self, extent: impl Fn(u32) -> (u64, u64)) {
        self.places.sort_by_key(|place| extent(*place).0);
        let extents = || self.places.iter().map(|place| extent(*place));
        self.starts = extents().map(|(start, _)| start).collect();
        let mut reach = 0;
        let last = |(start, size): (u64, u64)| size.checked_sub(1).map_or(0, |more| start.saturating_add(more));
        self.reach = extents()
            .map(|extent| {
                reach = last(extent).max(reach);
                reach
            })
            .collect();
    }

    /// Returns the places.
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// Returns how many begin at an address or below.
    #[inline]
    pub(super) fn up_to(&self, address: u64) -> usize {
        self.starts.partition_point(|start| *start <= address)
    }

    /// Returns the places of those that begin at an address; `None` if that are too many to look at.
    pub(super) fn starting_at(&self, address: u64) -> Option<&[u32]> {
        let first = self.starts.partition_point(|start| *start < address);
        let places = self.places.get(first..self.up_to(address)).unwrap_or_default();
        (places.len() <= MAX_LOOKED_AT).then_some(places)
    }

    /// Returns the first address of the thing that is `number`-th in order.
    #[cfg(feature = "output")]
    pub(super) fn start(&self, number: usize) -> Option<u64> {
        self.starts.get(number).copied()
    }

    /// Returns the last address of those that come before the `number`-th one.
    #[cfg(feature = "output")]
    pub(super) fn reach_before(&self, number: usize) -> Option<u64> {
        self.reach.get(number.checked_sub(1)?).copied()
    }

    /// Returns the numbers in order and the places of those that may hold an address, the nearest one first, of the first
    /// `count`.
    #[inline]
    pub(super) fn near(&self, address: u64, count: usize) -> impl Iterator<Item = (usize, u32)> {
        let all = self.reach.iter().zip(&self.places).enumerate().take(count).rev();
        let reaching = all.take_while(move |(_, (reach, _))| **reach >= address).take(MAX_LOOKED_AT);
        reaching.map(|(number, (_, place))| (number, *place))
    }
}
