//! Other traces in the folder of a file.

use std::path::{Path, PathBuf};

use crate::folder_search::{folder_of, names_in};

use super::file_sets;
use etwkit_archive::{is_wanted_name, without_number};

/// Names that are shown of a folder.
const SHOWN: usize = 3;

/// Other traces beside a file that seem to be of the same collection: named alike up to the first dot, as a profiler
/// names what it records at once. Of archive members and pipes nothing is known.
pub(crate) fn collection(name: &str) -> Vec<String> {
    let path = Path::new(name);
    let stem = |name: &str| name.split_once('.').map(|(stem, _)| stem.to_ascii_lowercase());
    let own = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (Some(wanted), Some(names), true) = (stem(&own), names_in(folder_of(path)), path.is_file()) else {
        return Vec::new();
    };
    let names = names.into_iter().map(|name| name.to_string_lossy().into_owned());
    let others = names.filter(|name| {
        *name != own && stem(name).as_deref() == Some(&*wanted) && without_number(&name.to_ascii_lowercase()).is_some()
    });
    let mut paths: Vec<PathBuf> = others.map(|name| path.with_file_name(name)).collect();
    file_sets::sort(&mut paths);
    paths.into_iter().map(|path| path.display().to_string()).collect()
}

/// The traces beside a file that is not there, for a hint.
pub(super) fn traces_beside(path: &Path) -> Option<String> {
    path.parent()?;
    let folder = folder_of(path);
    let Some(names) = names_in(folder) else {
        return Some(format!("there is no folder {} either", folder.display())).filter(|_| !folder.exists());
    };
    let names = names.into_iter().map(|name| name.to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| is_wanted_name(name)).collect();
    names.sort();
    let shown =
        names.iter().take(SHOWN).map(|name| path.with_file_name(name).display().to_string()).collect::<Vec<_>>();
    let more = names.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!shown.is_empty()).then(|| format!("traces in that folder: {}{more}", shown.join(", ")))
}
