//! Fields whose width a source of the pack has lost.
//!
//! One source shows every `win:Boolean` (4 bytes) as an 8-bit and every `win:Pointer` as a 64-bit integer. Both lack the
//! out-type that its true integers have. Where no other source has the layout, the payload decides: the engine tries
//! the other readings when the layout does not fit exactly.

use etwkit::limits;
use etwkit::schema::tdh::{InType, OutType};

use crate::pack::{FactField, Provider};

/// How a layout reads the fields whose width its source may have lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Widths {
    /// 8-bit integers without an out-type are `win:Boolean`.
    pub(crate) booleans: bool,
    /// 64-bit integers without an out-type are as wide as a pointer.
    pub(crate) pointers: bool,
}

impl Widths {
    /// Returns the other readings of a layout, at most three: all Booleans, all pointers, both.
    pub(crate) fn others(provider: &Provider, layout: &[u32]) -> impl Iterator<Item = Self> {
        let (mut booleans, mut pointers) = (false, false);
        let mut left = limits::MAX_FIELDS;
        for field in layout.iter().filter_map(|place| provider.field(*place)) {
            Self::search(provider, field, 0, &mut left, &mut |lossy| {
                booleans |= lossy == InType::UINT8;
                pointers |= lossy == InType::UINT64;
            });
        }
        let all = [(true, false), (false, true), (true, true)].map(|(booleans, pointers)| Self { booleans, pointers });
        all.into_iter().filter(move |other| booleans >= other.booleans && pointers >= other.pointers)
    }

    /// Hands over the in-types of the fields that have other readings, members included; `left` bounds their number.
    fn search(provider: &Provider, field: &FactField, depth: usize, left: &mut usize, found: &mut impl FnMut(InType)) {
        *left = left.saturating_sub(1);
        if field.is_struct() {
            for member in provider.members(field) {
                if *left == 0 || depth >= limits::MAX_DEPTH {
                    return;
                }
                Self::search(provider, member, depth + 1, left, found);
            }
        } else if Self::is_lossy(field) {
            found(field.in_type);
        }
    }

    fn is_lossy(field: &FactField) -> bool {
        matches!(field.in_type, InType::UINT8 | InType::UINT64) && field.out_type == OutType::NULL
    }

    /// Returns the in-type of a field in this reading.
    pub(crate) fn in_type(self, field: &FactField) -> InType {
        match field.in_type {
            InType::UINT8 if self.booleans && Self::is_lossy(field) => InType::BOOLEAN,
            InType::UINT64 if self.pointers && Self::is_lossy(field) => InType::POINTER,
            other => other,
        }
    }
}
