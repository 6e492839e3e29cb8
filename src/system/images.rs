//! Images (executables and libraries) over time.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::bytes::Guid;

use super::StateBudget;
use super::budget::entry_size;
use super::identities::{FileIdentity, Identities};
use super::image::Image;
use super::lifetime::Lifetime;
use super::names::Names;
use super::owner::{Owner, Owners};
use super::processes::Processes;
use super::ranges::{LINKS, Ranged, Ranges};
use super::timeline::{Moment, Rundown, Ticks};

/// All images.
#[derive(Clone, Debug, Default)]
pub struct Images {
    ranges: Ranges<Image>,
    paths: Names,
    identities: Identities,
}

impl Ranged for Image {
    fn owner(&self) -> Owner {
        Owner { pid: self.pid, instance: self.instance }
    }

    fn start(&self) -> u64 {
        self.base
    }

    fn size(&self) -> u64 {
        self.size
    }
}

impl Images {
    /// Adds the load of an image.
    pub(super) fn load(&mut self, at: Moment, owners: Owners, mut image: Image, budget: &mut StateBudget) {
        let open = self.opened((owners, image.base));
        let mut open = open.and_then(|place| self.ranges.get_mut(place));
        if let Some((before, lifetime)) = &mut open {
            if lifetime.start.is_none() && before.path == image.path && before.instance == owners.now.instance {
                // A merged trace holds the rundown of one session and the load of another.
                return;
            }
            lifetime.end = Some(at.tick.saturating_sub(1));
            before.unload = at.time;
        }
        if let Some((since, identity)) = self.identities.take((image.pid, image.base)) {
            // One that came earlier is of the image that was there.
            match open.filter(|_| since != at.tick) {
                Some((before, _)) => before.identify(identity),
                None => image.identify(identity),
            }
        }
        image.load = at.time;
        self.add(owners.now, image, budget, |ranges, image| ranges.add(image, Some(at.tick), at.tick));
    }

    /// Adds the unload of an image.
    pub(super) fn unload(&mut self, at: Moment, owners: Owners, mut image: Image, budget: &mut StateBudget) {
        let identity = self.identities.take((image.pid, image.base)).map(|(_, identity)| identity);
        let owner = self.image_at((owners, image.base)).map(Image::owner);
        if let Some(open) = owner.and_then(|owner| self.ranges.close(owner, image.base, at.tick)) {
            open.unload = at.time;
            if let Some(identity) = identity {
                open.identify(identity);
            }
            return;
        }
        if let Some(identity) = identity {
            image.identify(identity);
        }
        image.unload = at.time;
        self.add(owners.last, image, budget, |ranges, image| ranges.add_ended(image, at.tick));
    }

    /// Adds an image of a rundown. Another one that was there is gone: its unload is in no session, or was lost.
    pub(super) fn exists(&mut self, at: Rundown, owners: Owners, mut image: Image, budget: &mut StateBudget) {
        let key = (owners.now, image.base);
        let replaced = self.ranges.replace(at, key, |open| !open.is_other_than(&image));
        let since = replaced.map(|(before, next)| {
            before.unload = next.time;
            next.tick
        });
        if since.is_some() || self.ranges.opened(owners.now, image.base).is_none() {
            image.rundown = at.event.time;
            if let Some((_, identity)) = self.identities.take((image.pid, image.base)) {
                image.identify(identity);
            }
            self.add(owners.now, image, budget, |ranges, image| ranges.add(image, since, at.event.tick));
        }
    }

    /// Adds the PDB file of the image at an address of a process.
    pub(super) fn pdb(
        &mut self,
        (tick, at): (i64, (Owners, u64)),
        pdb: (Guid, u32),
        name: impl FnOnce() -> Arc<str>,
        budget: &mut StateBudget,
    ) {
        let known = self.image_at(at).and_then(|image| image.pdb.as_ref());
        if known.is_some_and(|known| (known.guid, known.age) == pdb) {
            return;
        }
        let pdb = self.identities.pdb(pdb, name, budget);
        self.identity(tick, at, FileIdentity { pdb, header: None }, budget);
    }

    /// Returns whether the original file name of the image at an address is known, and its time stamp is this one.
    pub(super) fn has_header(&self, at: (Owners, u64), time_stamp: u32) -> bool {
        self.image_at(at).is_some_and(|image| image.original_name.is_some() && image.time_stamp == time_stamp)
    }

    /// Adds what the header of the image at an address of a process has: time stamp and original file name.
    pub(super) fn header(
        &mut self,
        tick: i64,
        at: (Owners, u64),
        (stamp, name): (u32, &str),
        budget: &mut StateBudget,
    ) {
        let known = self.image_at(at).and_then(|image| image.original_name.as_deref());
        if known == Some(name) {
            return;
        }
        let header = self.identities.name(name, budget).map(|name| (stamp, name));
        self.identity(tick, at, FileIdentity { pdb: None, header }, budget);
    }

    /// Adds the identity of the image at an address: of the one whose event has the same time, before or after; else of
    /// the one that is there.
    fn identity(&mut self, tick: i64, at: (Owners, u64), identity: FileIdentity, budget: &mut StateBudget) {
        let open = self.opened(at);
        match open.and_then(|place| self.ranges.get_mut(place)) {
            Some((image, _)) if image.has(&identity) => {}
            Some((image, lifetime)) if lifetime.start == Some(tick) => image.identify(identity),
            _ => {
                let earlier = self.identities.wait((at.0.now.pid, at.1), tick, identity, budget);
                let image = open.and_then(|place| self.ranges.get_mut(place));
                if let (Some((image, _)), Some(earlier)) = (image, earlier) {
                    image.identify(earlier);
                }
            }
        }
    }

    fn image_at(&self, at: (Owners, u64)) -> Option<&Image> {
        self.ranges.list().get(self.opened(at)? as usize)
    }

    /// Returns the place of the image that is there at an address.
    fn opened(&self, (owners, base): (Owners, u64)) -> Option<u32> {
        owners.find(|owner| self.ranges.opened(owner, base)).map(|open| open.place)
    }

    /// Returns the image that held an address in a process. Images of the kernel belong to all processes.
    pub(crate) fn at(&self, pid: u32, address: u64, at: Ticks) -> Option<&Image> {
        self.ranges.at(pid, address, at).or_else(|| self.ranges.at(0, address, at))
    }

    /// Returns whether an image is there at an address of a process, as far as the events until now state.
    pub(super) fn is_open(&self, owners: Owners, base: u64) -> bool {
        self.ranges.opened(owners.now, base).is_some()
    }

    /// Returns whether an event since the start of a session stated an image at an address of a process that has this size
    /// and time stamp.
    pub(super) fn is_stated(&self, session: i64, at: (Owners, u64), file: impl FnOnce() -> Option<(u64, u32)>) -> bool {
        let open = self.ranges.opened(at.0.now, at.1).filter(|open| open.stated >= session);
        let image = open.and_then(|open| self.ranges.list().get(open.place as usize));
        let is_file =
            |image: &Image| file().is_some_and(|(size, stamp)| image.size == size && image.may_have_stamp(stamp));
        image.is_some_and(is_file)
    }

    /// Returns all images, in the order of their first mention in the trace.
    pub fn list(&self) -> &[Image] {
        self.ranges.list()
    }

    /// Returns the file name of an image of a process that begins with `start`, without regard to ASCII case.
    pub(super) fn called(&self, pid: u32, start: &str) -> Option<&str> {
        let places = self.ranges.of_pid(pid)?.places().iter().take(MAX_NAMES_TRIED);
        let images = places.filter_map(|place| self.ranges.list().get(*place as usize));
        let begins = |name: &&str| name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
        images.map(Image::file_name).find(begins)
    }

    /// Returns all images by their addresses.
    #[cfg(feature = "output")]
    pub(super) fn ranges(&self) -> &Ranges<Image> {
        &self.ranges
    }

    fn add(
        &mut self,
        owner: Owner,
        mut image: Image,
        budget: &mut StateBudget,
        put: impl FnOnce(&mut Ranges<Image>, Image),
    ) {
        if budget.take(ENTRY, image.path.len()) {
            self.paths.share(&mut image.path);
            image.instance = owner.instance;
            put(&mut self.ranges, image);
        }
    }

    /// Lets images be there no longer than their processes, where ids were reused. Once, after the first pass.
    pub(super) fn end_with_processes(&mut self, processes: &Processes) {
        for (image, lifetime) in self.ranges.iter_mut() {
            let Some((during, ended)) = processes.bounds(image.owner()) else { continue };
            if lifetime.cut(during) {
                image.unload = ended;
            }
        }
    }

    /// Takes over what is known of images from another source, except those that are known already, and sorts by address
    /// for lookups.
    pub(super) fn freeze(&mut self, others: Self) {
        let mut waiting = self.identities.end();
        self.identify_last(&mut waiting);
        self.paths.end();
        self.ranges.freeze();
        let is_new = |(other, lifetime, first): &(Image, Lifetime, i64)| !self.has(other, *lifetime, *first);
        let new: Vec<_> = others.ranges.into_all().filter(is_new).collect();
        if new.is_empty() {
            return;
        }
        for (mut image, lifetime, first) in new {
            if let Some((_, identity)) = waiting.remove(&(image.pid, image.base)) {
                image.identify(identity);
            }
            self.ranges.push(image, lifetime, first);
        }
        self.ranges.freeze();
    }

    /// Returns whether an image of another source is known: that one is at the same address at the same time. Where an
    /// event states the beginning of only one of the two, they may have different names and follow one another. Of very
    /// many at one address none is looked at, and the other source has nothing to add.
    fn has(&self, other: &Image, lifetime: Lifetime, first: i64) -> bool {
        self.ranges.starting_at(other.pid, other.base).is_none_or(|mut all| {
            all.any(|(known, of_known, first_of_known)| {
                let may_follow = of_known.may_follow(lifetime, first_of_known) || lifetime.may_follow(of_known, first);
                of_known.overlaps(lifetime) && (known.is_called_as(other) || !may_follow)
            })
        })
    }

    /// Gives identities that no event of an image followed to the last image that stayed at their address.
    fn identify_last(&mut self, waiting: &mut HashMap<(u32, u64), (i64, FileIdentity)>) {
        if waiting.is_empty() {
            return;
        }
        let mut last: HashMap<(u32, u64), u32> = HashMap::new();
        for (owner, base, place) in self.ranges.all_open() {
            let latest = last.entry((owner.pid, base)).or_insert(place);
            *latest = (*latest).max(place);
        }
        for (at, place) in last {
            let image = self.ranges.get_mut(place);
            if let Some(((image, _), (_, identity))) = image.zip(waiting.remove(&at)) {
                image.identify(identity);
            }
        }
    }
}

/// Bytes of an image: in the list, and where it is found by its process and address.
const ENTRY: usize = entry_size::<(Image, Lifetime)>(LINKS);
/// Images looked at for one name: a crafted trace may have very many in a process.
const MAX_NAMES_TRIED: usize = 256;

#[cfg(test)]
mod tests;
