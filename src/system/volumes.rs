//! Device names and what users call them.

use std::borrow::Cow;

use super::budget::{StateBudget, entry_size};

/// How kernel paths become the paths that users know.
#[derive(Clone, Debug)]
pub struct Volumes {
    /// Kernel prefix and what stands for it; both end in a backslash.
    map: Vec<(Box<str>, Box<str>)>,
    /// In the order in which they are compared with a path: the longest prefix first, of equal ones the last that came.
    order: Vec<Mark>,
    /// Directory of the system, as users see it.
    system: Option<Box<str>>,
    /// Directory of Windows, as users see it.
    windows: Option<Box<str>>,
    /// Its drive, and its path after that with a backslash at the end.
    system_root: Option<(Box<str>, Box<str>)>,
    /// Mappings that are kept.
    most: usize,
    /// Whether a kernel prefix has characters other than printable ASCII without quotes.
    has_rare: bool,
}

/// What tells most kernel prefixes apart.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Its place in the list.
    place: u32,
    /// Bytes of the prefix.
    len: u32,
    /// The last character before the backslash, which differs between volumes, with the bit of lower case.
    #[cfg(feature = "output")]
    last: u8,
}

/// The bit that letters of lower case have.
#[cfg(feature = "output")]
const LOWER: u8 = 0x20;

/// Bytes of a mapping without its text.
const ENTRY: usize = entry_size::<((Box<str>, Box<str>), Mark)>(0);

/// Mappings kept; Windows writes one per volume.
const MAX_VOLUMES: usize = 4096;
/// Mappings kept of a machine even if there are very many machines.
const LETTERS: usize = 26;

impl Default for Volumes {
    fn default() -> Self {
        Self {
            map: Vec::new(),
            order: Vec::new(),
            system: None,
            windows: None,
            system_root: None,
            most: MAX_VOLUMES,
            has_rare: false,
        }
    }
}

impl Volumes {
    /// Returns those of one of several machines, which share the cap.
    pub(super) fn shared_by(machines: usize) -> Self {
        Self { most: (MAX_VOLUMES / machines.max(1)).max(LETTERS), ..Self::default() }
    }

    /// Adds a mapping: paths that begin with `kernel` begin with `user` for users. If `kernel` has no backslash at the end,
    /// both get one, so that `\Device\HarddiskVolume1` is no beginning of `\Device\HarddiskVolume12\x.dll`.
    pub(super) fn add_mapping(&mut self, kernel: &str, user: &str, budget: &mut StateBudget) {
        let (kernel, user) = (budget.shortened(kernel), budget.shortened(user));
        let (kernel, user) = if kernel.ends_with('\\') {
            (Cow::Borrowed(kernel), Cow::Borrowed(user))
        } else {
            (folder(kernel), folder(user))
        };
        if kernel.len() > 1 && self.map.len() < self.most && budget.take(ENTRY, kernel.len() + user.len()) {
            self.has_rare |= !kernel.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"');
            let (place, len) = (self.map.len() as u32, kernel.len() as u32);
            let mark = Mark {
                place,
                len,
                #[cfg(feature = "output")]
                last: kernel.bytes().nth_back(1).unwrap_or(0) | LOWER,
            };
            let at = self.order.partition_point(|mark| mark.len > len);
            self.order.insert(at, mark);
            self.map.push((kernel.into(), user.into()));
        }
    }

    /// Sets the directories of the system and of Windows.
    pub(super) fn set_system_paths(&mut self, system: &str, windows: &str, budget: &mut StateBudget) {
        let (system, windows) = (budget.shortened(system), budget.shortened(windows));
        self.system = Some(system.into());
        self.windows = Some(windows.into());
        self.system_root = windows.find(':').and_then(|colon| {
            let (drive, directory) = windows.split_at_checked(colon + 1)?;
            let directory = directory.trim_end_matches('\\');
            (!directory.is_empty()).then(|| (drive.into(), format!("{directory}\\").into()))
        });
    }

    /// Returns the directory of Windows, if the trace states it.
    pub fn windows(&self) -> Option<&str> {
        self.windows.as_deref()
    }

    /// Returns the directory of the system, if the trace states it.
    pub fn system(&self) -> Option<&str> {
        self.system.as_deref()
    }

    /// Returns all mappings: kernel prefix, user prefix.
    pub fn list(&self) -> impl Iterator<Item = (&str, &str)> {
        self.map.iter().map(|(kernel, user)| (&**kernel, &**user))
    }

    /// Returns the path as users know it; the same path if nothing is known of its volume. The longest prefix counts. A
    /// path that begins with the directory of Windows, without a volume, is taken to be on its drive.
    pub fn user_path<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let begins = |prefix: &str| path.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix));
        match self.replaced(|_| true, begins) {
            ("", 0) => Cow::Borrowed(path),
            (user, replaced) => Cow::Owned(format!("{user}{}", path.get(replaced..).unwrap_or_default())),
        }
    }

    /// Returns what stands for the first bytes of a path in UTF-16, and their number, as [`Volumes::user_path`]
    /// replaces them. These bytes are printable ASCII without quotes. `None` if only that function can decide.
    #[cfg(feature = "output")]
    pub(crate) fn user_prefix(&self, path: &[u8]) -> Option<(&str, usize)> {
        if self.has_rare {
            return None;
        }
        let has_last = |mark: &Mark| match (mark.len as usize).checked_sub(2) {
            Some(before) => path.get(2 * before).is_some_and(|low| low | LOWER == mark.last),
            None => true,
        };
        let (user, replaced) = self.replaced(has_last, |prefix| begins_with(path, prefix));
        Some((user, 2 * replaced))
    }

    /// Returns what stands for the first characters of a path, and their number. `begins` returns whether the path
    /// begins with a prefix, without regard to ASCII case, as Windows compares paths. It is asked only about prefixes
    /// with which the path may begin by their marks.
    fn replaced(&self, may_begin: impl Fn(&Mark) -> bool, begins: impl Fn(&str) -> bool) -> (&str, usize) {
        let marked = self.order.iter().filter(|mark| may_begin(mark));
        let mut marked = marked.filter_map(|mark| self.map.get(mark.place as usize));
        let known = marked.find(|(kernel, _)| begins(kernel));
        let root = || self.system_root.as_ref().filter(|(_, directory)| begins(directory));
        match known {
            Some((kernel, user)) => (user, kernel.len()),
            None => (root().map_or("", |(drive, _)| drive), 0),
        }
    }
}

/// A path with a backslash at its end.
fn folder(path: &str) -> Cow<'_, str> {
    if path.ends_with('\\') { Cow::Borrowed(path) } else { Cow::Owned(format!("{path}\\")) }
}

/// Returns whether UTF-16 begins with a prefix that is ASCII, without regard to ASCII case; false for other prefixes.
#[cfg(feature = "output")]
fn begins_with(text: &[u8], prefix: &str) -> bool {
    let Some(head) = text.get(..2 * prefix.len()) else { return false };
    let mut pairs = head.chunks_exact(2).zip(prefix.bytes()).rev();
    pairs.all(|(unit, byte)| matches!(unit, [low, 0] if *low != 0 && low.eq_ignore_ascii_case(&byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_counts() {
        let mut volumes = Volumes::default();
        volumes.add_mapping(r"\Device\HarddiskVolume1\", r"C:\", &mut StateBudget::default());
        volumes.add_mapping(r"\Device\HarddiskVolume1\mount\", r"M:\", &mut StateBudget::default());
        volumes.add_mapping(r"\??\", "", &mut StateBudget::default());
        assert_eq!(volumes.user_path(r"\device\harddiskvolume1\a.dll"), r"C:\a.dll");
        assert_eq!(volumes.user_path(r"\Device\HarddiskVolume1\mount\b"), r"M:\b");
        assert_eq!(volumes.user_path(r"\??\D:\c"), r"D:\c");
        assert_eq!(volumes.user_path(r"\Device\HarddiskVolume12\d"), r"\Device\HarddiskVolume12\d");
        volumes.add_mapping(r"\Device\HarddiskVolume3", "E:", &mut StateBudget::default());
        assert_eq!(volumes.user_path(r"\Device\HarddiskVolume3\e"), r"E:\e");
        assert_eq!(volumes.user_path(r"\Device\HarddiskVolume31\e"), r"\Device\HarddiskVolume31\e");
        assert_eq!(volumes.user_path(r"\Windows\e"), r"\Windows\e");
        volumes.set_system_paths(r"C:\Windows\system32", r"C:\Windows\", &mut StateBudget::default());
        assert_eq!(volumes.user_path(r"\Windows\e"), r"C:\Windows\e");
        assert_eq!(volumes.user_path(r"\WindowsApps\e"), r"\WindowsApps\e");
    }

    #[cfg(feature = "output")]
    #[test]
    fn prefixes_of_utf16_are_those_of_text() {
        let mut volumes = Volumes::default();
        let paths = [
            r"\device\harddiskvolume1\a.dll",
            r"\Device\HarddiskVolume1\mount\b",
            r"\Device\HarddiskVolume1\",
            r"\Device\HarddiskVolume1",
            r"\??\D:\c",
            r"\Device\HarddiskVolume12\d",
            r"\Windows\e",
            r"\windows",
            r"\WindowsApps\e",
            r"\gr\u{fc}n",
            "",
        ];
        let check = |volumes: &Volumes| {
            for path in paths {
                let bytes: Vec<u8> = path.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
                let (user, replaced) = volumes.user_prefix(&bytes).unwrap();
                assert_eq!(volumes.user_path(path), format!("{user}{}", &path[replaced / 2..]));
            }
        };
        check(&volumes);
        volumes.add_mapping(r"\Device\HarddiskVolume1\", r"C:\", &mut StateBudget::default());
        volumes.add_mapping(r"\Device\HarddiskVolume1\mount\", r"M:\", &mut StateBudget::default());
        volumes.add_mapping(r"\??\", "", &mut StateBudget::default());
        check(&volumes);
        volumes.set_system_paths(r"C:\Windows\system32", r"C:\Windows\", &mut StateBudget::default());
        check(&volumes);
        volumes.add_mapping("\\\"\\", r"G:\", &mut StateBudget::default());
        assert_eq!(volumes.user_prefix(b"\\\0a\0\0\0"), None);
        let mut volumes = Volumes::default();
        volumes.add_mapping("\\gr\u{fc}n\\", r"G:\", &mut StateBudget::default());
        assert_eq!(volumes.user_prefix(b"\\\0a\0\0\0"), None);
    }
}
