//! Images (executables and libraries) over time.

use hashbrown::HashMap;

use super::StateBudget;

/// An image that lay in a process for a time.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Path, as the kernel names it.
    pub path: Box<str>,
    /// Time from which it was there; `None` if since before the trace.
    pub load: Option<i64>,
    /// Time until which it was there; `None` if beyond the trace.
    pub unload: Option<i64>,
}

impl Image {
    /// File name without directory; of one that is longer than any file's can be, the first
    /// [`crate::limits::MAX_FILE_NAME`] bytes.
    pub fn file_name(&self) -> &str {
        super::processes::file_name(&self.path)
    }

    fn holds(&self, address: u64, time: i64) -> bool {
        address.wrapping_sub(self.base) < self.size
            && self.load.is_none_or(|load| load <= time)
            && self.unload.is_none_or(|unload| time <= unload)
    }
}

/// All images.
#[derive(Clone, Debug, Default)]
pub struct Images {
    list: Vec<Image>,
    /// Place of the image that now lies at (process, base).
    open: HashMap<(u32, u64), u32>,
    /// Places by process, by base once frozen; with the largest size among them.
    by_pid: HashMap<u32, (Vec<u32>, u64)>,
}

impl Images {
    /// An image was loaded.
    pub fn load(&mut self, time: i64, mut image: Image, room: &mut StateBudget) {
        let key = (image.pid, image.base);
        if let Some(before) = self.open.get(&key).and_then(|place| self.list.get_mut(*place as usize)) {
            if before.load.is_none() && before.path == image.path {
                // A merged trace holds the rundown of one session and the load of another.
                return;
            }
            before.unload = Some(time.saturating_sub(1));
        }
        image.load = Some(time);
        self.add(image, room);
    }

    /// An image was unloaded.
    pub fn unload(&mut self, time: i64, mut image: Image, room: &mut StateBudget) {
        let key = (image.pid, image.base);
        let open = self.open.remove(&key);
        if let Some(open) = open.and_then(|place| self.list.get_mut(place as usize)) {
            open.unload = Some(time);
            return;
        }
        image.unload = Some(time);
        self.add(image, room);
        self.open.remove(&key);
    }

    /// A rundown found the image there.
    pub fn exists(&mut self, image: Image, room: &mut StateBudget) {
        if !self.open.contains_key(&(image.pid, image.base)) {
            self.add(image, room);
        }
    }

    /// Which image held this address in this process at this time. Images of the kernel belong to all processes.
    pub fn at(&self, pid: u32, address: u64, time: i64) -> Option<&Image> {
        self.of_process(pid, address, time).or_else(|| self.of_process(0, address, time))
    }

    /// All of them, in the order in which the trace told of them.
    pub fn list(&self) -> &[Image] {
        &self.list
    }

    fn of_process(&self, pid: u32, address: u64, time: i64) -> Option<&Image> {
        let (places, largest) = self.by_pid.get(&pid)?;
        let image = |place: &u32| self.list.get(*place as usize);
        let end = places.partition_point(|place| image(place).is_some_and(|image| image.base <= address));
        let below = places.get(..end).unwrap_or_default().iter().rev().filter_map(image);
        // Among images that lay there one after the other the latest that was there wins; the number is bounded by
        // the span of the largest image.
        below
            .take_while(|image| address - image.base < *largest)
            .take(MAX_LOOKED_AT)
            .find(|image| image.holds(address, time))
    }

    fn add(&mut self, image: Image, room: &mut StateBudget) {
        if !room.take(image.path.len()) {
            return;
        }
        let place = self.list.len() as u32;
        self.open.insert((image.pid, image.base), place);
        let (places, largest) = self.by_pid.entry(image.pid).or_default();
        places.push(place);
        *largest = image.size.max(*largest);
        self.list.push(image);
    }

    /// Sorts by address, for lookups.
    pub(super) fn freeze(&mut self) {
        let list = &self.list;
        for (places, _) in self.by_pid.values_mut() {
            places.sort_by_key(|place| list.get(*place as usize).map(|image| image.base));
        }
    }
}

/// Images looked at for one address: a crafted trace may let very many overlap.
const MAX_LOOKED_AT: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    fn image(pid: u32, base: u64, size: u64, path: &str) -> Image {
        let path = path.into();
        Image { pid, base, size, checksum: 0, time_stamp: 0, path, load: None, unload: None }
    }

    #[test]
    fn an_address_belongs_to_an_image_for_a_time() {
        let (mut all, mut room) = (Images::default(), StateBudget::default());
        all.exists(image(0, 0xffff_0000, 0x1000, r"\SystemRoot\nt.exe"), &mut room);
        all.exists(image(7, 0x1000, 0x1000, r"\a.dll"), &mut room);
        all.unload(10, image(7, 0x1000, 0x1000, r"\a.dll"), &mut room);
        all.load(20, image(7, 0x1000, 0x2000, r"\b.dll"), &mut room);
        all.freeze();
        let name = |pid, address, time| all.at(pid, address, time).map(Image::file_name);
        assert_eq!(name(7, 0x1fff, 5), Some("a.dll"));
        assert_eq!(name(7, 0x2000, 5), None);
        assert_eq!(name(7, 0x1000, 15), None);
        assert_eq!(name(7, 0x2000, 25), Some("b.dll"));
        assert_eq!(name(7, 0xffff_0123, 25), Some("nt.exe"));
        assert_eq!(name(8, 0x1000, 5), None);
    }
}
