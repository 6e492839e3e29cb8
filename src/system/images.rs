//! Images (executables and libraries) over time.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use crate::time::FileTime;

use super::StateBudget;
use super::lifetime::Lifetime;
use super::names::Names;
use super::timeline::{Moment, Ticks};

/// An image that was mapped into a process for a time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Image {
    /// Process id; 0 for those of the kernel.
    pub pid: u32,
    /// Address of its first byte.
    pub base: u64,
    /// Bytes in memory.
    pub size: u64,
    /// Checksum of the PE header.
    pub checksum: u32,
    /// Time stamp of the PE header (a hash in reproducible builds).
    pub time_stamp: u32,
    /// Path in the kernel's form.
    pub path: Arc<str>,
    /// Time of its load; `None` if it was there before the trace, or if the clock of the trace is not known.
    pub load: Option<FileTime>,
    /// Time of its unload; where that was lost, the time at which another image was loaded at the same base. `None` if
    /// it stayed to the end of the trace, or if the clock of the trace is not known.
    pub unload: Option<FileTime>,
}

impl Image {
    /// An image that was there from the start to the end of the trace, without what its PE header says.
    pub fn new(pid: u32, base: u64, size: u64, path: impl Into<Arc<str>>) -> Self {
        Self { pid, base, size, checksum: 0, time_stamp: 0, path: path.into(), load: None, unload: None }
    }

    /// Returns the file name without directory. A name longer than any file's can be is cut after
    /// [`crate::limits::MAX_FILE_NAME`] bytes.
    pub fn file_name(&self) -> &str {
        super::processes::file_name(&self.path)
    }
}

/// All images.
#[derive(Clone, Debug, Default)]
pub struct Images {
    list: Vec<Image>,
    /// When each of them was there.
    lifetimes: Vec<Lifetime>,
    /// Place of the image that is now mapped at (process, base).
    open: HashMap<(u32, u64), u32>,
    /// Places by process, in order of base once frozen; with the largest size among them.
    by_pid: HashMap<u32, (Vec<u32>, u64)>,
    paths: Names,
}

impl Images {
    /// Adds the load of an image.
    pub(super) fn load(&mut self, at: Moment, mut image: Image, budget: &mut StateBudget) {
        let open = self.open.get(&(image.pid, image.base)).copied();
        if let Some((before, lifetime)) = open.and_then(|place| self.get_mut(place)) {
            if lifetime.start.is_none() && before.path == image.path {
                // A merged trace holds the rundown of one session and the load of another.
                return;
            }
            lifetime.end = Some(at.tick.saturating_sub(1));
            before.unload = at.time;
        }
        image.load = at.time;
        self.add(image, Lifetime { start: Some(at.tick), end: None }, budget);
    }

    /// Adds the unload of an image.
    pub(super) fn unload(&mut self, at: Moment, mut image: Image, budget: &mut StateBudget) {
        let key = (image.pid, image.base);
        let open = self.open.remove(&key);
        if let Some((open, lifetime)) = open.and_then(|place| self.get_mut(place)) {
            lifetime.end = Some(at.tick);
            open.unload = at.time;
            return;
        }
        image.unload = at.time;
        self.add(image, Lifetime { start: None, end: Some(at.tick) }, budget);
        self.open.remove(&key);
    }

    /// Adds an image of a rundown.
    pub(super) fn exists(&mut self, image: Image, budget: &mut StateBudget) {
        if !self.open.contains_key(&(image.pid, image.base)) {
            self.add(image, Lifetime::default(), budget);
        }
    }

    /// Returns the image that held an address in a process. Images of the kernel belong to all processes.
    pub(crate) fn at(&self, pid: u32, address: u64, at: Ticks) -> Option<&Image> {
        self.of_process(pid, address, at).or_else(|| self.of_process(0, address, at))
    }

    /// Returns whether an image is there at an address of a process, as far as the events until now say.
    pub(super) fn is_open(&self, pid: u32, base: u64) -> bool {
        self.open.contains_key(&(pid, base))
    }

    /// Returns all images, in the order of their first mention in the trace.
    pub fn list(&self) -> &[Image] {
        &self.list
    }

    /// Returns the file name of an image of a process that begins with `start`, without regard to ASCII case.
    pub(super) fn called(&self, pid: u32, start: &str) -> Option<&str> {
        let (places, _) = self.by_pid.get(&pid)?;
        let images = places.iter().take(MAX_LOOKED_AT).filter_map(|place| self.list.get(*place as usize));
        let begins = |name: &&str| name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
        images.map(Image::file_name).find(begins)
    }

    /// Returns the places of the images of a process in order of base, and the largest size among them.
    pub(super) fn places(&self, pid: u32) -> Option<(&[u32], u64)> {
        self.by_pid.get(&pid).map(|(places, largest)| (&**places, *largest))
    }

    /// Returns an image, and when it was there.
    pub(super) fn with_lifetime(&self, place: u32) -> Option<(&Image, Lifetime)> {
        self.list.get(place as usize).zip(self.lifetimes.get(place as usize).copied())
    }

    fn of_process(&self, pid: u32, address: u64, at: Ticks) -> Option<&Image> {
        let (places, largest) = self.places(pid)?;
        let image = |place: &u32| self.list.get(*place as usize);
        let end = places.partition_point(|place| image(place).is_some_and(|image| image.base <= address));
        let below = places.get(..end).unwrap_or_default().iter().rev();
        let below = below.filter_map(|place| self.with_lifetime(*place));
        // Of images that were there one after the other the latest wins; the number is bounded by the span of the
        // largest image.
        let mut near = below.take_while(|(image, _)| address - image.base < largest).take(MAX_LOOKED_AT);
        let found = near.find(|(image, lifetime)| address - image.base < image.size && lifetime.holds(at));
        found.map(|(image, _)| image)
    }

    fn get_mut(&mut self, place: u32) -> Option<(&mut Image, &mut Lifetime)> {
        self.list.get_mut(place as usize).zip(self.lifetimes.get_mut(place as usize))
    }

    fn add(&mut self, mut image: Image, lifetime: Lifetime, budget: &mut StateBudget) {
        if budget.take(image.path.len()) {
            self.paths.share(&mut image.path);
            self.open.insert((image.pid, image.base), self.list.len() as u32);
            self.push(image, lifetime);
        }
    }

    fn push(&mut self, image: Image, lifetime: Lifetime) {
        let place = self.list.len() as u32;
        let (places, largest) = self.by_pid.entry(image.pid).or_default();
        places.push(place);
        *largest = image.size.max(*largest);
        self.list.push(image);
        self.lifetimes.push(lifetime);
    }

    /// Takes over what is known of images from another source, except those at an address of a process that has one
    /// already, and sorts by address for lookups.
    pub(super) fn freeze(&mut self, others: Self) {
        let known: HashSet<(u32, u64)> = self.list.iter().map(|image| (image.pid, image.base)).collect();
        for (image, lifetime) in others.list.into_iter().zip(others.lifetimes) {
            if !known.contains(&(image.pid, image.base)) {
                self.push(image, lifetime);
            }
        }
        self.open = HashMap::new();
        self.paths.end();
        let list = &self.list;
        for (places, _) in self.by_pid.values_mut() {
            places.sort_by_key(|place| list.get(*place as usize).map(|image| image.base));
        }
    }
}

/// Images looked at for one address: a crafted trace may let very many overlap.
pub(super) const MAX_LOOKED_AT: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(tick: i64) -> Moment {
        Moment { tick, time: Some(FileTime(tick)) }
    }

    fn image(pid: u32, base: u64, size: u64, path: &str) -> Image {
        let path = path.into();
        Image { pid, base, size, checksum: 0, time_stamp: 0, path, load: None, unload: None }
    }

    #[test]
    fn an_address_belongs_to_an_image_for_a_time() {
        let (mut all, mut budget) = (Images::default(), StateBudget::default());
        all.exists(image(0, 0xffff_0000, 0x1000, r"\SystemRoot\nt.exe"), &mut budget);
        all.exists(image(7, 0x1000, 0x1000, r"\a.dll"), &mut budget);
        all.unload(at(10), image(7, 0x1000, 0x1000, r"\a.dll"), &mut budget);
        all.load(at(20), image(7, 0x1000, 0x2000, r"\b.dll"), &mut budget);
        all.freeze(Images::default());
        let name = |pid, address, time| all.at(pid, address, Ticks::one(time)).map(Image::file_name);
        assert_eq!(name(7, 0x1fff, 5), Some("a.dll"));
        assert_eq!(name(7, 0x2000, 5), None);
        assert_eq!(name(7, 0x1000, 15), None);
        assert_eq!(name(7, 0x2000, 25), Some("b.dll"));
        assert_eq!(name(7, 0xffff_0123, 25), Some("nt.exe"));
        assert_eq!(name(8, 0x1000, 5), None);
    }
}
