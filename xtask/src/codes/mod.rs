//! `cargo xtask codes`: the tables of names of codes in `src/codes`, made of the sources that `ATTRIBUTION.md` names.

mod access;
mod fact;
mod fetch;
mod hresult;
mod mingw;
mod order;
mod sources;
mod tables;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use crate::done::{Done, root};
use sources::Sources;

/// Writes all tables. Without a folder of sources, cargo downloads the crates into `target/codes`.
pub(crate) fn write(folder: Option<&str>) -> Done {
    let files = files(folder)?;
    for (path, text) in &files {
        fs::write(path, text)?;
    }
    println!("{} tables written", files.len());
    Ok(())
}

/// Compares all tables with what would be written.
pub(crate) fn check(folder: Option<&str>) -> Done {
    let files = files(folder)?;
    let differs = |(path, text): &&(PathBuf, String)| fs::read_to_string(path).ok().as_ref() != Some(text);
    let wrong: Vec<_> = files.iter().filter(differs).map(|(path, _)| path).collect();
    if wrong.is_empty() {
        println!("{} tables are as they should be", files.len());
        return Ok(());
    }
    Err(format!("not as `cargo xtask codes` would write it: {wrong:?}").into())
}

/// Every table's file and its text.
fn files(folder: Option<&str>) -> Done<Vec<(PathBuf, String)>> {
    let folder = folder.map_or_else(fetch::folder, |folder| Ok(PathBuf::from(folder)))?;
    let sources = Sources::read(&folder)?;
    let mut files: Vec<_> =
        tables::TABLES.iter().map(|table| (path(table.file), table.text(&table.rows(&sources.facts)))).collect();
    files.push((path("access"), access::text(&sources.facts)));
    if sources.has_mingw {
        files.push((path("ndis_status"), mingw::text(&sources.facts)));
    } else {
        println!("NDIS_STATUS is left as it is: there is no `mingw/ddk/ndis.h` in {}", folder.display());
    }
    Ok(files)
}

fn path(table: &str) -> PathBuf {
    root().join(Path::new("src/codes")).join(table).with_extension("txt")
}
