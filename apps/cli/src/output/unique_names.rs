//! Names of files that do not replace one another.

use std::collections::BTreeSet;

/// Most characters of a name from a trace in a file's name.
const LONGEST: usize = 60;

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
    name.chars().take(LONGEST).map(keep).collect()
}
