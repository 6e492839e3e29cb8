//! Which events a part of a parser wants.

use std::sync::Arc;

use crate::bytes::Guid;
use crate::event::{EventKey, Kind};

/// A set of events, given by what their keys have: one claim, or several that are joined by [`Claims::with`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    list: Vec<Claim>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Claim {
    /// Sorted.
    Providers(Arc<[Guid]>),
    /// Sorted.
    Classic(Arc<[(Guid, u8)]>),
    Kind(Kind),
    /// Sorted.
    Manifest(Arc<[(Guid, u16)]>),
    EventId(u16),
    All,
}

impl Claims {
    /// Claims no event.
    pub const fn none() -> Self {
        Self { list: Vec::new() }
    }

    /// Claims all events.
    pub fn all() -> Self {
        Self::of(Claim::All)
    }

    /// Claims the events of one provider, event class or message GUID.
    pub fn provider(guid: Guid) -> Self {
        Self::providers([guid])
    }

    /// Claims the events of these providers, event classes or message GUIDs. A list that is sorted (by [`Guid`]'s
    /// order, that of its bytes in a file) is not copied if it is an `Arc` already.
    pub fn providers(guids: impl Into<Arc<[Guid]>>) -> Self {
        Self::of(Claim::Providers(sorted(guids.into())))
    }

    /// Claims the classic events of these classes with these opcodes.
    pub fn classic(events: impl Into<Arc<[(Guid, u8)]>>) -> Self {
        Self::of(Claim::Classic(sorted(events.into())))
    }

    /// Claims the manifest events of these providers with these ids.
    pub fn manifest(events: impl Into<Arc<[(Guid, u16)]>>) -> Self {
        Self::of(Claim::Manifest(sorted(events.into())))
    }

    /// Claims the events that name their schema in this way.
    pub fn kind(kind: Kind) -> Self {
        Self::of(Claim::Kind(kind))
    }

    /// Claims the manifest events of any provider with this id.
    pub fn event_id(id: u16) -> Self {
        Self::of(Claim::EventId(id))
    }

    /// Returns both sets as one.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.list.extend(other.list);
        self
    }

    /// Returns whether an event with this key is claimed.
    pub fn holds(&self, key: &EventKey) -> bool {
        self.list.iter().any(|claim| claim.holds(key))
    }

    /// Returns whether events of this provider or class are claimed because of their GUID.
    pub(crate) fn names(&self, guid: &Guid) -> bool {
        self.list.iter().any(|claim| claim.names(guid))
    }

    fn of(claim: Claim) -> Self {
        Self { list: vec![claim] }
    }
}

impl Claim {
    fn holds(&self, key: &EventKey) -> bool {
        match self {
            Self::Providers(guids) => guids.binary_search(&key.provider).is_ok(),
            Self::Classic(list) => key.kind == Kind::Classic && list.binary_search(&(key.provider, key.opcode)).is_ok(),
            Self::Manifest(list) => key.kind == Kind::Manifest && list.binary_search(&(key.provider, key.id)).is_ok(),
            Self::Kind(kind) => key.kind == *kind,
            Self::EventId(id) => key.kind == Kind::Manifest && key.id == *id,
            Self::All => true,
        }
    }

    fn names(&self, guid: &Guid) -> bool {
        match self {
            Self::Providers(guids) => guids.binary_search(guid).is_ok(),
            Self::Classic(list) => list.binary_search_by_key(guid, |(class, _)| *class).is_ok(),
            Self::Manifest(list) => list.binary_search_by_key(guid, |(provider, _)| *provider).is_ok(),
            Self::Kind(_) | Self::EventId(_) | Self::All => false,
        }
    }
}

/// Parsers may have sorted a list in another way, by the text of its GUIDs for example.
fn sorted<T: Ord + Clone>(list: Arc<[T]>) -> Arc<[T]> {
    if list.is_sorted() {
        return list;
    }
    let mut copy = list.to_vec();
    copy.sort_unstable();
    copy.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(kind: Kind, guid: u128, id: u16) -> EventKey {
        EventKey { kind, provider: Guid::from_u128(guid), id, version: 0, opcode: id as u8, task: 0 }
    }

    #[test]
    fn a_claim_holds_its_events_and_no_others() {
        let guid = Guid::from_u128;
        let wanted = [
            (Claims::none(), [false, false, false]),
            (Claims::all(), [true, true, true]),
            (Claims::provider(guid(7)), [true, true, false]),
            (Claims::classic([(guid(7), 3)]), [false, true, false]),
            (Claims::kind(Kind::Manifest), [true, false, true]),
            (Claims::manifest([(guid(8), 4), (guid(7), 4)]), [false, false, true]),
            (Claims::event_id(3), [true, false, false]),
        ];
        let keys = [key(Kind::Manifest, 7, 3), key(Kind::Classic, 7, 3), key(Kind::Manifest, 8, 4)];
        for (claims, holds) in &wanted {
            assert_eq!(&keys.map(|key| claims.holds(&key)), holds, "{claims:?}");
        }
        let both = Claims::event_id(4).with(Claims::classic([(guid(7), 3)]));
        assert_eq!(keys.map(|key| both.holds(&key)), [false, true, true]);
    }

    #[test]
    fn the_order_of_a_list_does_not_matter() {
        let guids: Vec<Guid> = [9, 1 << 120, 5, 1 << 64, 7].map(Guid::from_u128).into();
        let classic: Vec<(Guid, u8)> = guids.iter().flat_map(|guid| [(*guid, 3), (*guid, 1)]).collect();
        let claims = [Claims::providers(guids.as_slice()), Claims::classic(classic)];
        for guid in guids {
            let event = EventKey { provider: guid, ..key(Kind::Classic, 0, 3) };
            assert!(claims.iter().all(|claims| claims.holds(&event) && claims.names(&guid)), "{guid}");
        }
        assert!(!claims.iter().any(|claims| claims.names(&Guid::from_u128(6))));
        assert!(!Claims::all().names(&Guid::from_u128(9)), "whose events they are is not known");
    }
}
