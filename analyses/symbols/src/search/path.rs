//! Search paths, also in the language of `_NT_SYMBOL_PATH`.

use std::path::{Path, PathBuf};

/// Folders in which symbol files are looked for, in their order.
///
/// Each of them may be a flat folder of symbol files, or a symbol store as `symstore` and debuggers make it. Addresses of
/// symbol servers are kept to be shown, and never contacted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPath {
    folders: Vec<PathBuf>,
    urls: Vec<String>,
    within: Option<Vec<PathBuf>>,
}

impl SearchPath {
    /// Returns a search path without folders.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a folder or a symbol store.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        if !self.folders.contains(&folder) {
            self.folders.push(folder);
        }
        self
    }

    /// Adds what a text in the language of `_NT_SYMBOL_PATH` names: elements between semicolons, each of which is a
    /// folder, `cache*FOLDER`, `srv*STORE*STORE*…`, or `symsrv*symsrv.dll*STORE*STORE*…`. A store that is the address of
    /// a server goes to [`urls`](Self::urls). An empty store, which is the debugger's own folder, is skipped.
    ///
    /// Source: "Advanced `SymSrv` use" and "Symbol path for Windows debuggers" of Microsoft's documentation.
    #[must_use]
    pub fn symbol_path(mut self, text: &str) -> Self {
        for element in text.split(';') {
            let mut parts = element.trim().split('*').map(str::trim);
            let first = parts.next().unwrap_or_default();
            let is_list = element.contains('*');
            match first.to_ascii_lowercase().as_str() {
                "srv" | "cache" if is_list => {}
                // The library that asks the server.
                "symsrv" if is_list => drop(parts.next()),
                _ => self = self.store(first),
            }
            self = parts.fold(self, Self::store);
        }
        self
    }

    /// Follows a `file.ptr` only if it leads to a file below one of these folders, which must exist.
    #[must_use]
    pub fn within(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.within = Some(folders.into_iter().filter_map(|folder| folder.canonicalize().ok()).collect());
        self
    }

    /// Returns whether a `file.ptr` may lead to a file: only if it is there, where folders are set by
    /// [`within`](Self::within).
    pub(crate) fn allows(&self, file: &Path) -> bool {
        let is_below = |folders: &Vec<PathBuf>| {
            let found = file.canonicalize();
            found.is_ok_and(|file| folders.iter().any(|folder| file.starts_with(folder)))
        };
        self.within.as_ref().is_none_or(is_below)
    }

    /// Returns the folders.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Returns the addresses of servers, none of which is asked.
    pub fn urls(&self) -> &[String] {
        &self.urls
    }

    fn store(self, text: &str) -> Self {
        if !is_url(text) {
            return if text.is_empty() { self } else { self.folder(text) };
        }
        let (mut path, url) = (self, text.trim_end_matches('/').to_owned());
        if !path.urls.contains(&url) {
            path.urls.push(url);
        }
        path
    }
}

fn is_url(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme.is_some_and(|scheme| ["http", "https", "ftp"].contains(&scheme.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Vec<String>, Vec<String>) {
        let path = SearchPath::new().symbol_path(text);
        (path.folders().iter().map(|folder| folder.display().to_string()).collect(), path.urls().to_vec())
    }

    #[test]
    fn symbol_paths_are_read() {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let server = "https://msdl.microsoft.com/download/symbols";
        let text =
            format!(r"srv*C:\sym*\\server\share*{server}/; /flat ;cache*D:\c;SYMSRV*symsrv.dll*e*HTTP://x;srv*;;e");
        let folders = owned(&[r"C:\sym", r"\\server\share", "/flat", r"D:\c", "e"]);
        assert_eq!(parsed(&text), (folders, owned(&[server, "HTTP://x"])));
        assert_eq!(parsed(server), (Vec::new(), owned(&[server])));
        assert_eq!(parsed("srv;cache*;*x;srv**a"), (owned(&["srv", "x", "a"]), Vec::new()));
        assert_eq!(parsed(""), (Vec::new(), Vec::new()));
    }
}
