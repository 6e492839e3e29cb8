//! Names of access rights.

use std::sync::OnceLock;

/// A kind of object that has access rights of its own beside those that all objects have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AccessRights {
    /// Files, directories and pipes; directories share the bits, under other names.
    File,
    /// Registry keys.
    Key,
    /// Processes.
    Process,
    /// Threads.
    Thread,
    /// Access tokens.
    Token,
    /// Sections (file mappings).
    Section,
    /// Event objects.
    Event,
    /// Mutants (mutexes).
    Mutant,
    /// Semaphores.
    Semaphore,
    /// Timers.
    Timer,
    /// Jobs.
    Job,
    /// Desktops.
    Desktop,
    /// Window stations.
    WindowStation,
    /// Services.
    Service,
    /// The service control manager.
    ServiceManager,
    /// Directories of the object manager.
    ObjectDirectory,
    /// Symbolic links of the object manager.
    SymbolicLink,
}

/// Each kind and its word in the table.
const KINDS: [(AccessRights, &str); 17] = [
    (AccessRights::File, "file"),
    (AccessRights::Key, "key"),
    (AccessRights::Process, "process"),
    (AccessRights::Thread, "thread"),
    (AccessRights::Token, "token"),
    (AccessRights::Section, "section"),
    (AccessRights::Event, "event"),
    (AccessRights::Mutant, "mutant"),
    (AccessRights::Semaphore, "semaphore"),
    (AccessRights::Timer, "timer"),
    (AccessRights::Job, "job"),
    (AccessRights::Desktop, "desktop"),
    (AccessRights::WindowStation, "window-station"),
    (AccessRights::Service, "service"),
    (AccessRights::ServiceManager, "service-manager"),
    (AccessRights::ObjectDirectory, "directory"),
    (AccessRights::SymbolicLink, "symbolic-link"),
];

/// The word of the rights that every object has.
const ANY: &str = "any";

/// A line of the table: object, mask and the first name.
struct Right {
    object: &'static str,
    mask: u32,
    name: &'static str,
}

static RIGHTS: OnceLock<Vec<Right>> = OnceLock::new();

impl AccessRights {
    /// Returns the names of the rights in a mask, from bit 0 on, and the bits that have no name.
    ///
    /// A mask that has a name as a whole, such as `PROCESS_ALL_ACCESS`, yields that name alone.
    pub fn names(self, mask: u32) -> (Vec<&'static str>, u32) {
        let object = self.word();
        let own = |right: &&Right| right.object == object || right.object == ANY;
        if let Some(whole) = rights().iter().filter(own).find(|right| right.mask == mask) {
            return (vec![whole.name], 0);
        }
        let single = |right: &&Right| right.mask.is_power_of_two() && right.mask & mask != 0;
        let mut found: Vec<&Right> = rights().iter().filter(own).filter(single).collect();
        found.sort_by_key(|right| right.mask);
        let left = found.iter().fold(mask, |left, right| left & !right.mask);
        (found.iter().map(|right| right.name).collect(), left)
    }

    /// Returns the kind's word in the table: `file`, `window-station`.
    fn word(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or(ANY, |(_, word)| word)
    }
}

fn rights() -> &'static [Right] {
    RIGHTS.get_or_init(|| include_str!("access.txt").lines().filter_map(right).collect())
}

/// `object mask NAME ALIAS...`
fn right(line: &'static str) -> Option<Right> {
    let mut words = line.split(' ');
    let object = words.next().filter(|word| *word != "#")?;
    Some(Right { object, mask: u32::from_str_radix(words.next()?, 16).ok()?, name: words.next()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_every_kind_has_rights() {
        let lines = include_str!("access.txt").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!((rights().len(), lines), (143, 143));
        for (kind, word) in KINDS {
            assert!(rights().iter().any(|right| right.object == word), "{kind:?}");
        }
        assert!(
            rights().iter().all(|right| right.object == ANY || KINDS.iter().any(|(_, word)| *word == right.object))
        );
    }

    #[test]
    fn masks_are_read_bit_by_bit() {
        let file = |mask| AccessRights::File.names(mask);
        assert_eq!(file(0x0010_0081), (vec!["FILE_READ_DATA", "FILE_READ_ATTRIBUTES", "SYNCHRONIZE"], 0));
        assert_eq!(file(0x0012_0089), (vec!["FILE_GENERIC_READ"], 0));
        assert_eq!(file(0x0000_0201), (vec!["FILE_READ_DATA"], 0x200));
        assert_eq!(file(0), (vec![], 0));
        assert_eq!(file(0x8000_0000), (vec!["GENERIC_READ"], 0));
        assert_eq!(
            AccessRights::Process.names(0x1410).0,
            ["PROCESS_VM_READ", "PROCESS_QUERY_INFORMATION", "PROCESS_QUERY_LIMITED_INFORMATION"]
        );
        assert_eq!(AccessRights::Process.names(0x001F_FFFF), (vec!["PROCESS_ALL_ACCESS"], 0));
        assert_eq!(AccessRights::Thread.names(0x0010_0002).0, ["THREAD_SUSPEND_RESUME", "SYNCHRONIZE"]);
        assert_eq!(AccessRights::Key.names(0x0002_0019), (vec!["KEY_READ"], 0));
        assert_eq!(AccessRights::Key.names(0x0002_0119).0.last(), Some(&"READ_CONTROL"));
        assert_eq!(AccessRights::Token.names(0x28).0, ["TOKEN_QUERY", "TOKEN_ADJUST_PRIVILEGES"]);
        assert_eq!(AccessRights::Section.names(6).0, ["SECTION_MAP_WRITE", "SECTION_MAP_READ"]);
        assert_eq!(AccessRights::ServiceManager.names(1), (vec!["SC_MANAGER_CONNECT"], 0));
        assert_eq!(AccessRights::Job.names(0x001F_003F), (vec!["JOB_OBJECT_ALL_ACCESS"], 0));
    }
}
