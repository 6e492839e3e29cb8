//! Device names and what users call them.

use std::borrow::Cow;

/// How kernel paths become the paths that users know.
#[derive(Clone, Debug)]
pub struct Volumes {
    /// Kernel prefix and what stands for it; both end in a backslash.
    map: Vec<(Box<str>, Box<str>)>,
    /// Directory of the system, as users see it.
    system: Option<Box<str>>,
    /// Directory of Windows, as users see it.
    windows: Option<Box<str>>,
    /// Mappings that are kept.
    most: usize,
}

/// Mappings kept; Windows writes one a volume.
const MAX_VOLUMES: usize = 4096;
/// Mappings kept of a machine even if there are very many machines.
const LETTERS: usize = 26;

impl Default for Volumes {
    fn default() -> Self {
        Self { map: Vec::new(), system: None, windows: None, most: MAX_VOLUMES }
    }
}

impl Volumes {
    /// Returns those of one of several machines, which share the cap.
    pub(super) fn shared_by(machines: usize) -> Self {
        Self { most: (MAX_VOLUMES / machines.max(1)).max(LETTERS), ..Self::default() }
    }

    /// Paths with this kernel prefix begin with that drive.
    pub fn map(&mut self, kernel: &str, user: &str) {
        if !kernel.is_empty() && self.map.len() < self.most {
            self.map.push((kernel.into(), user.into()));
        }
    }

    /// Where Windows is.
    pub fn system_paths(&mut self, system: &str, windows: &str) {
        self.system = Some(system.into());
        self.windows = Some(windows.into());
    }

    /// Directory of Windows, if the trace tells.
    pub fn windows(&self) -> Option<&str> {
        self.windows.as_deref()
    }

    /// Directory of the system, if the trace tells.
    pub fn system(&self) -> Option<&str> {
        self.system.as_deref()
    }

    /// All mappings: kernel prefix, user prefix.
    pub fn list(&self) -> impl Iterator<Item = (&str, &str)> {
        self.map.iter().map(|(kernel, user)| (&**kernel, &**user))
    }

    /// The path as users know it; the same path if nothing is known of its volume. The longest prefix counts. A path
    /// that begins with the directory of Windows, without a volume, is taken to be on its drive.
    pub fn user_path<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let best = self
            .list()
            .filter_map(|(kernel, user)| Some((kernel.len(), user, strip_prefix(path, kernel)?)))
            .max_by_key(|(len, ..)| *len);
        match best {
            Some((_, user, rest)) => Cow::Owned(format!("{user}{rest}")),
            None => match self.system_drive(path) {
                Some(drive) => Cow::Owned(format!("{drive}{path}")),
                None => Cow::Borrowed(path),
            },
        }
    }

    /// Returns what stands for the first bytes of a path in UTF-16, and their number, as [`Volumes::user_path`] replaces
    /// them. `None` if only that can say.
    #[cfg(feature = "output")]
    pub(crate) fn user_prefix(&self, path: &[u8]) -> Option<(&str, usize)> {
        let mut best: Option<(&str, usize)> = None;
        for (kernel, user) in self.list() {
            let is_longest = best.is_none_or(|(_, len)| len <= 2 * kernel.len());
            if is_longest && begins_with(path, kernel)? {
                best = Some((user, 2 * kernel.len()));
            }
        }
        if best.is_some() {
            return best;
        }
        let Some((drive, directory)) = self.directory() else { return Some(("", 0)) };
        let is_system = begins_with(path, directory)? && path.get(2 * directory.len()..)?.starts_with(b"\\\0");
        Some(if is_system { (drive, 0) } else { ("", 0) })
    }

    /// `C:` if the path begins with what follows it in the directory of Windows.
    fn system_drive(&self, path: &str) -> Option<&str> {
        let (drive, directory) = self.directory()?;
        let rest = strip_prefix(path, directory).filter(|rest| rest.starts_with('\\'));
        rest.map(|_| drive)
    }

    /// The drive and the path of the directory of Windows.
    fn directory(&self) -> Option<(&str, &str)> {
        let windows = self.windows()?;
        let (drive, directory) = windows.split_at_checked(windows.find(':')? + 1)?;
        Some((drive, directory.trim_end_matches('\\'))).filter(|(_, directory)| !directory.is_empty())
    }
}

/// `str::strip_prefix` without regard to ASCII case, as Windows compares paths.
fn strip_prefix<'p>(path: &'p str, prefix: &str) -> Option<&'p str> {
    let (head, rest) = path.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Returns whether UTF-16 begins with an ASCII prefix, without regard to ASCII case; `None` for other prefixes.
#[cfg(feature = "output")]
fn begins_with(text: &[u8], prefix: &str) -> Option<bool> {
    if !prefix.is_ascii() {
        return None;
    }
    let Some(head) = text.get(..2 * prefix.len()) else { return Some(false) };
    // Volumes differ in their last characters.
    let mut pairs = head.chunks_exact(2).zip(prefix.bytes()).rev();
    let is_same = |(unit, byte): (&[u8], u8)| matches!(unit, [low, 0] if *low != 0 && low.eq_ignore_ascii_case(&byte));
    Some(pairs.all(is_same))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_counts() {
        let mut volumes = Volumes::default();
        volumes.map(r"\Device\HarddiskVolume1\", r"C:\");
        volumes.map(r"\Device\HarddiskVolume1\mount\", r"M:\");
        volumes.map(r"\??\", "");
        assert_eq!(volumes.user_path(r"\device\harddiskvolume1\a.dll"), r"C:\a.dll");
        assert_eq!(volumes.user_path(r"\Device\HarddiskVolume1\mount\b"), r"M:\b");
        assert_eq!(volumes.user_path(r"\??\D:\c"), r"D:\c");
        assert_eq!(volumes.user_path(r"\Device\HarddiskVolume12\d"), r"\Device\HarddiskVolume12\d");
        assert_eq!(volumes.user_path(r"\Windows\e"), r"\Windows\e");
        volumes.system_paths(r"C:\Windows\system32", r"C:\Windows\");
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
        volumes.map(r"\Device\HarddiskVolume1\", r"C:\");
        volumes.map(r"\Device\HarddiskVolume1\mount\", r"M:\");
        volumes.map(r"\??\", "");
        check(&volumes);
        volumes.system_paths(r"C:\Windows\system32", r"C:\Windows\");
        check(&volumes);
        volumes.map("\\gr\u{fc}n\\", r"G:\");
        assert_eq!(volumes.user_prefix(b"\\\0a\0\0\0"), None);
    }
}
