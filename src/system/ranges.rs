//! Things that hold a range of addresses of a process for a time.

#[cfg(feature = "output")]
use std::ops::RangeInclusive;

use hashbrown::HashMap;

use super::by_address::ByAddress;
use super::lifetime::Lifetime;
use super::owner::Owner;
use super::timeline::{Moment, Rundown, Ticks};

/// A thing at a range of addresses.
pub(super) trait Ranged {
    /// Its process.
    fn owner(&self) -> Owner;

    /// The address of its first byte.
    fn start(&self) -> u64;

    /// Its bytes.
    fn size(&self) -> u64;
}

/// Ranges over time.
#[derive(Clone, Debug)]
pub(super) struct Ranges<T> {
    list: Vec<T>,
    /// When each of them was there.
    lifetimes: Vec<Lifetime>,
    /// When the first event stated each of them.
    firsts: Vec<i64>,
    /// What is now at (process, start).
    open: HashMap<(Owner, u64), Open>,
    /// Places by process.
    by_pid: HashMap<u32, ByAddress>,
}

/// What is there, as far as the events until now state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) place: u32,
    /// When the last event stated that it is.
    pub(super) stated: i64,
}

impl<T> Default for Ranges<T> {
    fn default() -> Self {
        let (open, by_pid) = <_>::default();
        Self { list: Vec::new(), lifetimes: Vec::new(), firsts: Vec::new(), open, by_pid }
    }
}

impl<T: Ranged> Ranges<T> {
    /// Adds something that is there until [`Ranges::close`].
    pub(super) fn add(&mut self, thing: T, since: Option<i64>, stated: i64) {
        self.open.insert((thing.owner(), thing.start()), Open { place: self.list.len() as u32, stated });
        self.push(thing, Lifetime { start: since, end: None }, stated);
    }

    /// Adds something that was there until a tick, and whose beginning is not known.
    pub(super) fn add_ended(&mut self, thing: T, end: i64) {
        self.push(thing, Lifetime { start: None, end: Some(end) }, end);
    }

    /// Adds something of a time that is known, and when the first event stated it.
    pub(super) fn push(&mut self, thing: T, lifetime: Lifetime, first: i64) {
        self.by_pid.entry(thing.owner().pid).or_default().push(self.list.len() as u32);
        self.list.push(thing);
        self.lifetimes.push(lifetime);
        self.firsts.push(first);
    }

    /// Ends what is at a start, and returns it.
    pub(super) fn close(&mut self, owner: Owner, start: u64, end: i64) -> Option<&mut T> {
        let Open { place, .. } = self.open.remove(&(owner, start))?;
        let (thing, lifetime) = self.get_mut(place)?;
        lifetime.end = Some(end);
        Some(thing)
    }

    /// Ends what is at a start and is not what an event lists there: `is_same` compares. Returns what has ended and when
    /// the other one begins, unless what is there was stated later.
    pub(super) fn replace(
        &mut self,
        at: Rundown,
        (owner, start): (Owner, u64),
        is_same: impl FnOnce(&T) -> bool,
    ) -> Option<(&mut T, Moment)> {
        let open = self.open.get_mut(&(owner, start))?;
        let thing = self.list.get_mut(open.place as usize)?;
        let next = at.replaces(open.stated);
        open.stated = open.stated.max(at.event.tick);
        let next = next.filter(|_| !is_same(thing))?;
        let Open { place, .. } = self.open.remove(&(owner, start))?;
        self.lifetimes.get_mut(place as usize)?.end = Some(next.tick.saturating_sub(1));
        Some((thing, next))
    }

    /// Returns what is now at a start, and since when.
    pub(super) fn open(&mut self, owner: Owner, start: u64) -> Option<(&mut T, &mut Lifetime)> {
        let Open { place, .. } = self.opened(owner, start)?;
        self.get_mut(place)
    }

    /// Returns the place of what is now at a start.
    pub(super) fn opened(&self, owner: Owner, start: u64) -> Option<Open> {
        self.open.get(&(owner, start)).copied()
    }

    /// Returns the owners, starts and places of what is now there.
    pub(super) fn all_open(&self) -> impl Iterator<Item = (Owner, u64, u32)> {
        self.open.iter().map(|((owner, start), open)| (*owner, *start, open.place))
    }

    pub(super) fn list(&self) -> &[T] {
        &self.list
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&mut T, &mut Lifetime)> {
        self.list.iter_mut().zip(&mut self.lifetimes)
    }

    /// Returns all with their lifetimes, and when the first event stated them.
    pub(super) fn into_all(self) -> impl Iterator<Item = (T, Lifetime, i64)> {
        self.list
            .into_iter()
            .zip(self.lifetimes)
            .zip(self.firsts)
            .map(|((thing, lifetime), first)| (thing, lifetime, first))
    }

    /// Returns the thing at a place, and when it was there.
    pub(super) fn get(&self, place: u32) -> Option<(&T, Lifetime)> {
        self.list.get(place as usize).zip(self.lifetimes.get(place as usize).copied())
    }

    pub(super) fn get_mut(&mut self, place: u32) -> Option<(&mut T, &mut Lifetime)> {
        self.list.get_mut(place as usize).zip(self.lifetimes.get_mut(place as usize))
    }

    /// Returns the places of the things of a process.
    pub(super) fn of_pid(&self, pid: u32) -> Option<&ByAddress> {
        self.by_pid.get(&pid)
    }

    /// Returns what held an address of a process. Of several the one that began last wins.
    pub(super) fn at(&self, pid: u32, address: u64, at: Ticks) -> Option<&T> {
        let held = self.over(pid, address).filter(|(_, lifetime)| lifetime.holds(at));
        held.reduce(|found, next| if wins(next.1, found.1) { next } else { found }).map(|(thing, _)| thing)
    }

    /// Returns the same for a tick, and for which other ticks it is so.
    #[cfg(feature = "output")]
    pub(super) fn span(&self, pid: u32, address: u64, tick: i64) -> (Option<&T>, RangeInclusive<i64>) {
        let mut ticks = i64::MIN..=i64::MAX;
        let mut found: Option<(&T, Lifetime)> = None;
        for (thing, lifetime) in self.over(pid, address) {
            if lifetime.holds(Ticks::one(tick)) && found.is_none_or(|(_, found)| wins(lifetime, found)) {
                found = Some((thing, lifetime));
            }
            ticks = lifetime.same_as_at(tick, ticks);
        }
        (found.map(|(thing, _)| thing), ticks)
    }

    /// Returns what was at a start of a process at any time, and when the first event stated it; `None` if that is more
    /// than one lookup may take.
    pub(super) fn starting_at(&self, pid: u32, start: u64) -> Option<impl Iterator<Item = (&T, Lifetime, i64)>> {
        let places = self.by_pid.get(&pid).map_or(Some(&[][..]), |all| all.starting_at(start))?;
        Some(places.iter().filter_map(|place| {
            let (thing, lifetime) = self.get(*place)?;
            Some((thing, lifetime, *self.firsts.get(*place as usize)?))
        }))
    }

    /// Returns what covers an address of a process at any time, as far as one lookup goes.
    fn over(&self, pid: u32, address: u64) -> impl Iterator<Item = (&T, Lifetime)> {
        let near = self.by_pid.get(&pid).into_iter().flat_map(move |all| all.near(address, all.up_to(address)));
        let near = near.filter_map(|(_, place)| self.get(place));
        near.filter(move |(thing, _)| address - thing.start() < thing.size())
    }

    /// Sorts by address for lookups. What has no beginning and lies where something else ended before begins after it.
    pub(super) fn freeze(&mut self) {
        self.open = HashMap::new();
        let (list, firsts) = (&self.list, &self.firsts);
        for all in self.by_pid.values_mut() {
            all.freeze(|place| list.get(place as usize).map_or((0, 0), |thing| (thing.start(), thing.size())));
            let places = all.places();
            let ends = places.iter().filter_map(|place| self.lifetimes.get(*place as usize)?.end);
            let Some(first_end) = ends.min() else { continue };
            for (at, place) in places.iter().enumerate() {
                if firsts.get(*place as usize).is_none_or(|first| *first <= first_end) {
                    continue;
                }
                let near = at.saturating_sub(NEIGHBOURS)..places.len().min(at + NEIGHBOURS);
                let near = places.get(near).unwrap_or_default();
                begin_after_others((list, firsts), &mut self.lifetimes, *place, near);
            }
        }
    }
}

/// Returns whether something counts rather than what was found before it, nearer to the address: it began later.
pub(super) fn wins(next: Lifetime, found: Lifetime) -> bool {
    next.start > found.start
}

/// Lets a thing without a beginning begin after the last one that ended before it at the same addresses.
fn begin_after_others<T: Ranged>((list, firsts): (&[T], &[i64]), lifetimes: &mut [Lifetime], place: u32, near: &[u32]) {
    let lifetime_of = |place: u32| lifetimes.get(place as usize).copied();
    let Some((thing, lifetime)) = list.get(place as usize).zip(lifetime_of(place)) else { return };
    let first = firsts.get(place as usize).copied().unwrap_or(i64::MAX);
    if lifetime.start.is_some() {
        return;
    }
    let ended_before = |other: &u32| {
        let (other, theirs) = list.get(*other as usize).zip(lifetime_of(*other))?;
        let overlaps = other.start() < thing.start().saturating_add(thing.size())
            && thing.start() < other.start().saturating_add(other.size());
        theirs.end.filter(|_| overlaps && lifetime.may_follow(theirs, first))
    };
    let start = Lifetime::start_after(near.iter().filter_map(ended_before).max());
    if let Some(lifetime) = lifetimes.get_mut(place as usize) {
        lifetime.start = start;
    }
}

/// Bytes by which a thing is found.
pub(super) const LINKS: usize = size_of::<((Owner, u64), Open)>() + size_of::<(u32, u64, u64, i64)>();

/// Neighbours in order of address that are compared with a thing on either side.
const NEIGHBOURS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Code(u64, u64, &'static str);

    const OWNER: Owner = Owner { pid: 7, instance: 0 };

    impl Ranged for Code {
        fn owner(&self) -> Owner {
            OWNER
        }
        fn start(&self) -> u64 {
            self.0
        }
        fn size(&self) -> u64 {
            self.1
        }
    }

    #[test]
    fn what_has_no_beginning_begins_after_what_ended_there() {
        let mut all = Ranges::default();
        all.add(Code(100, 50, "first"), None, 0);
        assert!(all.close(OWNER, 100, 10).is_some());
        assert!(all.close(OWNER, 100, 11).is_none());
        all.add(Code(120, 10, "second"), Some(20), 20);
        all.close(OWNER, 120, 30);
        all.add(Code(110, 40, "rundown"), None, 40);
        all.add_ended(Code(400, 4, "gone"), 5);
        all.freeze();
        let name = |address, tick| all.at(7, address, Ticks::one(tick)).map(|code| code.2);
        assert_eq!(
            [name(100, 10), name(149, 0), name(150, 0), name(100, 11)],
            [Some("first"), Some("first"), None, None]
        );
        assert_eq!(
            [name(125, 20), name(125, 30), name(125, 31), name(112, 25)],
            [Some("second"), Some("second"), Some("rundown"), None]
        );
        assert_eq!([name(403, 5), name(403, 6), name(404, 5), name(0, 0)], [Some("gone"), None, None, None]);
        assert_eq!(all.at(8, 100, Ticks::one(0)), None);
    }

    #[cfg(feature = "output")]
    proptest::proptest! {
        #[test]
        fn a_span_has_the_same_thing_throughout(
            things in proptest::collection::vec((0_u64..40, 0_u64..20, 0_i64..30, 0_u8..4), 0..12),
            address in 0_u64..60,
            tick in 0_i64..32,
        ) {
            let mut all = Ranges::default();
            for (start, size, at, what) in things {
                match what {
                    0 => all.add(Code(start, size, "since"), Some(at), at),
                    1 => all.add(Code(start, size, "always"), None, 0),
                    2 => all.add_ended(Code(start, size, "until"), at),
                    _ => drop(all.close(OWNER, start, at)),
                }
            }
            all.freeze();
            let (found, ticks) = all.span(7, address, tick);
            proptest::prop_assert!(ticks.contains(&tick));
            for other in (-1..33).filter(|other| ticks.contains(other)) {
                proptest::prop_assert_eq!(all.at(7, address, Ticks::one(other)), found, "{}", other);
            }
        }
    }
}
