//! Names of files that do not replace one another.

use std::collections::BTreeSet;

/// Maximum number of characters of a name from a trace in a file's name.
const LONGEST: usize = 60;
/// Maximum number of bytes of it: two such names, a version, a number and an extension have to fit into 255 bytes, the
/// most that file systems take.
const MOST_BYTES: usize = 100;
/// Names that Windows keeps for devices, with any extension.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
/// Beginnings of such names, which a digit follows.
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// Makes names of files that differ, also where a file system sees no difference between cases.
#[derive(Debug, Default)]
pub(crate) struct UniqueNames(BTreeSet<String>);

impl UniqueNames {
    /// The name with this stem and extension; with a number if it is taken.
    pub(crate) fn take(&mut self, stem: &str, extension: &str) -> String {
        let mut name = format!("{stem}.{extension}");
        for other in 2.. {
            if self.0.insert(name.to_lowercase()) {
                break;
            }
            name = format!("{stem}-{other}.{extension}");
        }
        name
    }
}

/// A name that every file system takes and that leads to no other folder.
pub(crate) fn safe_name(name: &str) -> String {
    let keep = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '(' | ')') { c } else { '_' };
    let mut left = MOST_BYTES;
    let fits = |c: &char| {
        let room = left.checked_sub(c.len_utf8());
        left = room.unwrap_or(0);
        room.is_some()
    };
    let mut safe: String = name.chars().take(LONGEST).map(keep).take_while(fits).collect();
    if is_device(&safe) {
        safe.insert(0, '_');
    }
    safe
}

fn is_device(name: &str) -> bool {
    let is_numbered = |device: &&str| {
        let number = name
            .get(device.len()..)
            .filter(|_| name.get(..device.len()).is_some_and(|start| start.eq_ignore_ascii_case(device)));
        number.is_some_and(|number| number.chars().count() == 1 && number.chars().all(char::is_numeric))
    };
    DEVICES.iter().any(|device| device.eq_ignore_ascii_case(name)) || NUMBERED_DEVICES.iter().any(is_numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_every_file_system() {
        for name in ["日本語".repeat(100), "\u{10400}".repeat(100), "x".repeat(300), "é".repeat(59)] {
            let safe = safe_name(&name);
            let all = format!("{safe}.{safe}.v255-4294967295.csv");
            assert!(all.len() <= 255 && safe.len() >= 60.min(name.len()), "{}: {all}", all.len());
            assert!(name.starts_with(&safe));
        }
        for (name, safe) in [
            ("../../etc/passwd", "______etc_passwd"),
            ("C:\\x\0\n..", "C__x____"),
            ("con", "_con"),
            ("LPT1", "_LPT1"),
            ("COM", "COM"),
            ("console", "console"),
            ("", ""),
        ] {
            assert_eq!(safe_name(name), safe);
        }
    }
}
