//! The traces that are open: names for files.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::folder_search::below;

/// Traces that may be open at the same time.
const MOST: usize = 64;

/// The traces that are open, by their names.
#[derive(Debug)]
pub(super) struct Traces {
    /// Only files below it are opened.
    root: Option<PathBuf>,
    open: BTreeMap<String, Opened>,
    opened: usize,
}

/// A trace that is open.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) files: Vec<OsString>,
    /// Options that every command on it gets, such as `--symbols=FOLDER`.
    pub(super) options: Vec<OsString>,
}

impl Traces {
    /// No trace is open. Fails if there is no such folder.
    pub(super) fn new(root: Option<PathBuf>) -> Result<Self, Failure> {
        let resolved = root
            .map(|root| root.canonicalize().map_err(|error| Failure::from(error).of(root.display())))
            .transpose()?;
        Ok(Self { root: resolved, open: BTreeMap::new(), opened: 0 })
    }

    /// Opens files as one trace with options, and returns its name.
    pub(super) fn open(&mut self, paths: &[String], mut options: Vec<OsString>) -> Result<String, String> {
        if self.open.len() >= MOST {
            return Err(format!("{MOST} traces are open: close one first"));
        }
        let files = paths.iter().map(|path| self.resolve(path)).collect::<Result<Vec<_>, _>>()?;
        if let Some(root) = &self.root {
            let mut within = OsString::from("--symbols-within=");
            within.push(root);
            options.push(within);
        }
        self.opened += 1;
        let name = format!("t{}", self.opened);
        self.open.insert(name.clone(), Opened { files, options });
        Ok(name)
    }

    /// Closes a trace.
    pub(super) fn close(&mut self, name: &str) -> Result<(), String> {
        self.open.remove(name).map(drop).ok_or_else(|| self.unknown(name))
    }

    /// A trace.
    pub(super) fn get(&self, name: &str) -> Result<&Opened, String> {
        self.open.get(name).ok_or_else(|| self.unknown(name))
    }

    /// A path that may be read, without links.
    pub(super) fn resolve(&self, path: &str) -> Result<OsString, String> {
        // The member of an archive comes after an exclamation mark.
        let whole = Path::new(path);
        let (file, member) = match path.rsplit_once('!') {
            Some((archive, member)) if !whole.exists() => (Path::new(archive), Some(member)),
            _ => (whole, None),
        };
        let found =
            file.canonicalize().map_err(|error| format!("{path}: {error}\nhint: {}", self.where_paths_are()))?;
        if self.root.as_ref().is_some_and(|root| !found.starts_with(root)) {
            return Err(format!(
                "{path}: only files below the folder of --root may be read\nhint: {}",
                self.where_paths_are()
            ));
        }
        self.check_links(&found)?;
        let mut found = found.into_os_string();
        if let Some(member) = member {
            found.push("!");
            found.push(member);
        }
        Ok(found)
    }

    /// With a root, refuses a folder with a link that leads out of it: links are followed when the folder is read.
    fn check_links(&self, folder: &Path) -> Result<(), String> {
        if self.root.is_none() || !folder.is_dir() {
            return Ok(());
        }
        let links = below(folder, usize::MAX).filter_map(Result::ok).filter(walkdir::DirEntry::path_is_symlink);
        let is_outside = |path: &PathBuf| path.canonicalize().is_ok_and(|target| !target.starts_with(folder));
        match links.map(walkdir::DirEntry::into_path).find(is_outside) {
            Some(link) => Err(format!(
                "{}: with --root, a folder may have no link that leads out of it\nhint: name files one by one",
                link.display()
            )),
            None => Ok(()),
        }
    }

    /// What a client needs to know to name files.
    fn where_paths_are(&self) -> String {
        let root = self.root.as_ref().map_or_else(String::new, |root| format!(", and below {}", root.display()));
        match std::env::current_dir() {
            Ok(folder) => format!("paths are absolute or relative to {}{root}", folder.display()),
            Err(_) => format!("paths are absolute{root}"),
        }
    }

    fn unknown(&self, name: &str) -> String {
        let known: Vec<&str> = self.open.keys().map(String::as_str).collect();
        let known = if known.is_empty() { "none is".to_owned() } else { format!("open are {}", known.join(", ")) };
        format!("no trace `{name}` is open ({known}): open it with the tool `open`, which returns its name")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_below_the_root_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("a.etl");
        std::fs::write(&below, b"").unwrap();
        let mut traces = Traces::new(Some(folder.path().to_owned())).unwrap();
        let path = below.to_str().unwrap().to_owned();
        assert_eq!(traces.open(std::slice::from_ref(&path), Vec::new()).unwrap(), "t1");
        assert!(traces.open(&[format!("{path}!b.etl")], Vec::new()).is_ok());
        let options = &traces.get("t1").unwrap().options;
        assert!(options.iter().any(|option| option.to_string_lossy().starts_with("--symbols-within=")), "{options:?}");
        let above = folder.path().join("..").to_str().unwrap().to_owned();
        assert!(traces.open(&[above], Vec::new()).unwrap_err().contains("--root"));
        assert!(traces.get("t9").unwrap_err().contains("open are t1, t2"));
        traces.close("t1").unwrap();
        assert!(traces.close("t1").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_in_folders_do_not_lead_out_of_the_root() {
        let (root, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, root.path().join(name)).unwrap();
        let open =
            || Traces::new(Some(root.path().to_owned())).unwrap().open(&[root.path().display().to_string()], vec![]);
        std::fs::write(root.path().join("a.etl"), b"").unwrap();
        link(&root.path().join("a.etl"), "b.etl");
        assert!(open().is_ok());
        link(other.path(), "store");
        assert!(open().unwrap_err().contains("leads out of it"));
    }
}
