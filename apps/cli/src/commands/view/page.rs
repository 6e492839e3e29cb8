//! The page of the viewer, and what is put into it.

use std::path::PathBuf;

use etwkit::input::read_whole;
use serde_json::Value;

use crate::failure::Failure;

use super::served_file::ServedFile;

/// The name of the page beside the program.
const NAME: &str = "etwkit-viewer.html";
/// Bytes that a page may have.
const MAX_PAGE: usize = 16 << 20;
/// The begin of the page's policy, after which it is allowed to read from where it came.
const POLICY: &str = "content=\"default-src 'none'; ";
/// The end of the element that names the files.
const FILES: &str = " id=\"served\"></script>";

/// Reads the page that was named, or the one beside the program.
pub(super) fn read(named: Option<PathBuf>) -> Result<String, Failure> {
    let is_named = named.is_some();
    let beside = || std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join(NAME)));
    let path = named.or_else(beside).unwrap_or_else(|| NAME.into());
    if !is_named && !path.is_file() {
        let failure = Failure::new(format!("the viewer's page is not beside the program: {}", path.display()));
        return Err(failure.hint(format!("`cargo xtask web` builds {NAME}; name it with --page, or put it there")));
    }
    let here = |error: etwkit::Error| Failure::from(error).of(path.display());
    let bytes = read_whole(&path, "page", MAX_PAGE).map_err(here)?;
    let page = String::from_utf8(bytes).ok().filter(|page| page.contains(POLICY) && page.contains(FILES));
    page.ok_or_else(|| {
        let failure = Failure::new("it is not the viewer's page, or one of another version").of(path.display());
        failure.hint(format!("`cargo xtask web` builds {NAME}"))
    })
}

/// Lets the page read from where it came, and names the files there.
pub(super) fn with_files(page: &str, files: &[ServedFile]) -> String {
    let list: Value = files.iter().map(ServedFile::described).collect();
    // Nothing of a name ends the element.
    let list = list.to_string().replace('<', "\\u003c");
    let page = page.replacen(POLICY, &format!("{POLICY}connect-src 'self'; "), 1);
    page.replacen(FILES, &format!(" id=\"served\">{list}</script>"), 1)
}
