//! The traces that are open: names for files.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Traces that may be open at the same time.
const MOST: usize = 64;

/// The traces that are open, by their names.
#[derive(Debug)]
pub(super) struct Traces {
    /// Only files below it are opened.
    root: Option<PathBuf>,
    open: BTreeMap<String, Vec<OsString>>,
    opened: usize,
}

impl Traces {
    /// No trace is open. Fails if there is no such folder.
    pub(super) fn new(root: Option<PathBuf>) -> Result<Self, Failure> {
        let resolved = root
            .map(|root| root.canonicalize().map_err(|error| Failure::from(error).of(root.display())))
            .transpose()?;
        Ok(Self { root: resolved, open: BTreeMap::new(), opened: 0 })
    }

    /// Opens files as one trace, and returns its name.
    pub(super) fn open(&mut self, paths: &[String]) -> Result<String, String> {
        if self.open.len() >= MOST {
            return Err(format!("{MOST} traces are open: close one first"));
        }
        let paths = paths.iter().map(|path| self.resolve(path)).collect::<Result<Vec<_>, _>>()?;
        self.opened += 1;
        let name = format!("t{}", self.opened);
        self.open.insert(name.clone(), paths);
        Ok(name)
    }

    /// Closes a trace.
    pub(super) fn close(&mut self, name: &str) -> Result<(), String> {
        self.open.remove(name).map(drop).ok_or_else(|| self.unknown(name))
    }

    /// The files of a trace.
    pub(super) fn files(&self, name: &str) -> Result<&[OsString], String> {
        self.open.get(name).map(|paths| &**paths).ok_or_else(|| self.unknown(name))
    }

    /// A path that may be read, without links.
    pub(super) fn resolve(&self, path: &str) -> Result<OsString, String> {
        // The member of an archive comes after an exclamation mark.
        let whole = Path::new(path);
        let (file, member) = match path.rsplit_once('!') {
            Some((archive, member)) if !whole.exists() => (Path::new(archive), Some(member)),
            _ => (whole, None),
        };
        let found = file.canonicalize().map_err(|error| format!("{path}: {error}"))?;
        if self.root.as_ref().is_some_and(|root| !found.starts_with(root)) {
            return Err(format!("{path}: only files below the folder of --root may be opened"));
        }
        let mut found = found.into_os_string();
        if let Some(member) = member {
            found.push("!");
            found.push(member);
        }
        Ok(found)
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
        assert_eq!(traces.open(std::slice::from_ref(&path)).unwrap(), "t1");
        assert!(traces.open(&[format!("{path}!b.etl")]).is_ok());
        let above = folder.path().join("..").to_str().unwrap().to_owned();
        assert!(traces.open(&[above]).unwrap_err().contains("--root"));
        assert!(traces.files("t9").unwrap_err().contains("open are t1, t2"));
        traces.close("t1").unwrap();
        assert!(traces.close("t1").is_err());
    }
}
