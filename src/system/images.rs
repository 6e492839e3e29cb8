//! Images (executables and libraries) over time.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use crate::bytes::Guid;

use super::StateBudget;
use super::budget::entry_size;
use super::identities::{FileIdentity, Identities};
use super::image::Image;
use super::lifetime::Lifetime;
use super::names::Names;
use super::owner::{Owner, Owners};
use super::processes::Processes;
use super::ranges::{Ranged, Ranges};
use super::timeline::{Moment, Ticks};
use crate::time::FileTime;

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
        self.add(owners.now, image, budget, |ranges, image| ranges.add(image, Some(at.tick)));
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

    /// Adds an image of a rundown.
    pub(super) fn exists(
        &mut self,
        listed: Option<FileTime>,
        owners: Owners,
        mut image: Image,
        budget: &mut StateBudget,
    ) {
        if !self.is_open(owners, image.base) {
            image.rundown = listed;
            if let Some((_, identity)) = self.identities.take((image.pid, image.base)) {
                image.identify(identity);
            }
            self.add(owners.now, image, budget, |ranges, image| ranges.add(image, None));
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
        owners.find(|owner| self.ranges.opened(owner, base))
    }

    /// Returns the image that held an address in a process. Images of the kernel belong to all processes.
    pub(crate) fn at(&self, pid: u32, address: u64, at: Ticks) -> Option<&Image> {
        self.ranges.at(pid, address, at).or_else(|| self.ranges.at(0, address, at))
    }

    /// Returns whether an image is there at an address of a process, as far as the events until now state.
    pub(super) fn is_open(&self, owners: Owners, base: u64) -> bool {
        self.ranges.opened(owners.now, base).is_some()
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

    /// Takes over what is known of images from another source, except those at an address of a process that has one
    /// already, and sorts by address for lookups.
    pub(super) fn freeze(&mut self, others: Self) {
        let known: HashSet<(u32, u64)> = self.list().iter().map(|image| (image.pid, image.base)).collect();
        let mut waiting = self.identities.end();
        for (mut image, lifetime) in others.ranges.into_all() {
            if !known.contains(&(image.pid, image.base)) {
                if let Some((_, identity)) = waiting.remove(&(image.pid, image.base)) {
                    image.identify(identity);
                }
                self.ranges.push(image, lifetime);
            }
        }
        self.identify_last(waiting);
        self.paths.end();
        self.ranges.freeze();
    }

    /// Gives identities that no event of an image followed to the last image that stayed at their address.
    fn identify_last(&mut self, waiting: HashMap<(u32, u64), (i64, FileIdentity)>) {
        if waiting.is_empty() {
            return;
        }
        let mut last: HashMap<(u32, u64), u32> = HashMap::new();
        for (owner, base, place) in self.ranges.all_open() {
            let latest = last.entry((owner.pid, base)).or_insert(place);
            *latest = (*latest).max(place);
        }
        for (at, (_, identity)) in waiting {
            if let Some((image, _)) = last.get(&at).copied().and_then(|place| self.ranges.get_mut(place)) {
                image.identify(identity);
            }
        }
    }
}

/// Bytes of an image: in the list, and where it is found by its process and address.
const ENTRY: usize = entry_size::<(Image, Lifetime)>(2 * size_of::<((Owner, u64), u32)>());
/// Images looked at for one name: a crafted trace may have very many in a process.
const MAX_NAMES_TRIED: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::FileTime;

    const fn at(tick: i64) -> Moment {
        Moment { tick, time: Some(FileTime(tick)) }
    }

    fn image(pid: u32, base: u64, size: u64, path: &str) -> Image {
        Image::new(pid, base, size, path)
    }

    #[test]
    fn an_address_belongs_to_an_image_for_a_time() {
        let (mut all, mut budget) = (Images::default(), StateBudget::default());
        all.exists(None, 0.into(), image(0, 0xffff_0000, 0x1000, r"\SystemRoot\nt.exe"), &mut budget);
        all.exists(None, 7.into(), image(7, 0x1000, 0x1000, r"\a.dll"), &mut budget);
        all.unload(at(10), 7.into(), image(7, 0x1000, 0x1000, r"\a.dll"), &mut budget);
        all.load(at(20), 7.into(), image(7, 0x1000, 0x2000, r"\b.dll"), &mut budget);
        all.freeze(Images::default());
        let name = |pid, address, time| all.at(pid, address, Ticks::one(time)).map(Image::file_name);
        assert_eq!(name(7, 0x1fff, 5), Some("a.dll"));
        assert_eq!(name(7, 0x2000, 5), None);
        assert_eq!(name(7, 0x1000, 15), None);
        assert_eq!(name(7, 0x2000, 25), Some("b.dll"));
        assert_eq!(name(7, 0xffff_0123, 25), Some("nt.exe"));
        assert_eq!(name(8, 0x1000, 5), None);
    }

    #[test]
    fn an_image_of_no_known_load_begins_after_what_was_there() {
        let mut budget = StateBudget::default();
        let made = |name: &str| image(7, 0x1000, 0x100, name);
        let mut first = Images::default();
        first.load(at(1), 7.into(), made("a"), &mut budget);
        first.unload(at(5), 7.into(), made("a"), &mut budget);
        let (mut listed, mut unloaded) = (first.clone(), first);
        listed.exists(None, 7.into(), made("b"), &mut budget);
        unloaded.unload(at(20), 7.into(), made("b"), &mut budget);
        for all in [&mut listed, &mut unloaded] {
            all.freeze(Images::default());
            let names = [0, 1, 5, 6, 20].map(|tick| all.at(7, 0x1010, Ticks::one(tick)).map(Image::file_name));
            assert_eq!(names, [None, Some("a"), Some("a"), Some("b"), Some("b")]);
        }
    }

    #[test]
    fn of_images_without_an_unload_the_later_load_counts() {
        let (mut all, mut budget) = (Images::default(), StateBudget::default());
        all.load(at(1), 7.into(), image(7, 0x2000, 0x1000, "a"), &mut budget);
        all.load(at(10), 7.into(), image(7, 0x1000, 0x3000, "b"), &mut budget);
        all.freeze(Images::default());
        let name = |tick| all.at(7, 0x2010, Ticks::one(tick)).map(Image::file_name);
        assert_eq!([name(9), name(10)], [Some("a"), Some("b")]);
    }

    #[test]
    fn an_identity_is_of_the_image_beside_it() {
        let (mut all, mut budget) = (Images::default(), StateBudget::default());
        let guid = |number: u32| Guid::from_u128(number.into());
        let mut add = |all: &mut Images, tick, number: u32| {
            all.pdb((tick, (7.into(), 0x1000)), (guid(number), 1), || format!("{number}.pdb").into(), &mut budget);
            all.header(tick, (7.into(), 0x1000), (number, "x.dll"), &mut budget);
        };
        let mut other = StateBudget::default();
        // Before the load; after the load; of a load that replaces an image without an identity of its own.
        add(&mut all, 10, 1);
        all.load(at(10), 7.into(), image(7, 0x1000, 0x1000, "first"), &mut other);
        all.unload(at(11), 7.into(), image(7, 0x1000, 0x1000, "first"), &mut other);
        all.load(at(20), 7.into(), image(7, 0x1000, 0x1000, "second"), &mut other);
        add(&mut all, 20, 2);
        all.unload(at(21), 7.into(), image(7, 0x1000, 0x1000, "second"), &mut other);
        all.load(at(30), 7.into(), image(7, 0x1000, 0x1000, "third"), &mut other);
        add(&mut all, 35, 4);
        all.load(at(35), 7.into(), image(7, 0x1000, 0x1000, "fourth"), &mut other);
        all.load(at(40), 7.into(), image(7, 0x1000, 0x1000, "fifth"), &mut other);
        // Of a rundown at the end, which lists the image again.
        add(&mut all, 50, 5);
        all.exists(None, 7.into(), image(7, 0x1000, 0x1000, "fifth"), &mut other);
        all.freeze(Images::default());
        let found = |image: &Image| image.pdb.as_ref().map(|pdb| (pdb.guid, pdb.name.to_string(), image.time_stamp));
        let expected = |number: u32| Some((guid(number), format!("{number}.pdb"), number));
        let found: Vec<_> = all.list().iter().map(found).collect();
        assert_eq!(found, [expected(1), expected(2), None, expected(4), expected(5)]);
    }

    #[test]
    fn equal_identities_are_one() {
        let (mut all, mut budget) = (Images::default(), StateBudget::default());
        for pid in 1..4 {
            let mut names = 0;
            let name = || {
                names += 1;
                "a.pdb".into()
            };
            all.pdb((5, (pid.into(), 0x1000)), (Guid::from_u128(7), 2), name, &mut budget);
            assert_eq!(names, u32::from(pid == 1), "the name is read once");
            all.exists(None, pid.into(), image(pid, 0x1000, 0x1000, "a.dll"), &mut budget);
        }
        all.freeze(Images::default());
        let pdbs: Vec<_> = all.list().iter().filter_map(|image| image.pdb.clone()).collect();
        assert!(pdbs.len() == 3 && pdbs.iter().all(|pdb| Arc::ptr_eq(pdb, &pdbs[0])));
    }
}
