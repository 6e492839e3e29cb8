//! `cargo xtask events`: typed views of the events that the tables describe, and `docs/events`.

mod clr;
mod meaning;
mod model;
mod names;
mod overview;
mod page;
mod parser;
mod rust;
mod types;
mod versions;
mod wrap;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::done::{Done, root};
use model::Table;
use parser::{CLR, KERNEL, Parser, REGISTERED};

/// Writes all files.
pub(crate) fn write() -> Done {
    let files = files()?;
    for (path, text) in &files {
        fs::create_dir_all(path.parent().ok_or("no folder")?)?;
        fs::write(path, text)?;
    }
    for path in strays(&files)? {
        fs::remove_file(path)?;
    }
    println!("{} files written", files.len());
    Ok(())
}

/// Compares all files with what would be written.
pub(crate) fn check() -> Done {
    let files = files()?;
    let differs = |(path, text): &(&PathBuf, &String)| fs::read_to_string(path).ok().as_ref() != Some(text);
    let mut wrong: Vec<_> = files.iter().filter(differs).map(|(path, _)| path.clone()).collect();
    wrong.append(&mut strays(&files)?);
    if wrong.is_empty() {
        println!("{} files are as they should be", files.len());
        return Ok(());
    }
    Err(format!("not as `cargo xtask events` would write it: {wrong:?}").into())
}

/// Every file and its text.
fn files() -> Done<BTreeMap<PathBuf, String>> {
    let mut files = BTreeMap::new();
    let mut all = Vec::new();
    for parser in [&KERNEL, &CLR, &REGISTERED] {
        let tables = tables(parser)?;
        if parser.has_views {
            add_views(parser, &tables, &mut files)?;
        }
        let folder = root().join("docs/events").join(parser.folder);
        for table in &tables {
            files.insert(folder.join(&table.stem).with_extension("md"), page::page(parser, table));
        }
        all.push((parser, tables));
    }
    files.insert(root().join("docs/events/README.md"), overview::text(&all));
    Ok(files)
}

fn add_views(parser: &Parser, tables: &[Table], files: &mut BTreeMap<PathBuf, String>) -> Done {
    one_name_each(parser, tables)?;
    let folder = root().join("parsers").join(parser.folder).join("src/events");
    for table in tables {
        files.insert(folder.join(&table.stem).with_extension("rs"), rust::file(parser, table));
    }
    let intro = fs::read_to_string(root().join("xtask/src/events").join(parser.folder).with_extension("txt"))?;
    files.insert(folder.join("mod.rs"), rust::root(&intro, parser, tables));
    files.insert(folder.join("views.rs"), rust::list(parser, tables));
    Ok(())
}

/// Files of the folders that nothing makes.
fn strays(files: &BTreeMap<PathBuf, String>) -> Done<Vec<PathBuf>> {
    let mut strays = Vec::new();
    let folders: BTreeSet<&Path> = files.keys().filter_map(|path| path.parent()).collect();
    for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_file() && !files.contains_key(&path) {
                strays.push(path);
            }
        }
    }
    Ok(strays)
}

/// No two views of a module have the same name.
fn one_name_each(parser: &Parser, tables: &[Table]) -> Done {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for table in tables {
        for event in &table.events {
            let view = parser.view(table, &names::view(&event.name));
            if let Some(other) = known.insert(view.clone(), &event.name) {
                return Err(format!("{view} is the view of {other} and of {}", event.name).into());
            }
        }
    }
    Ok(())
}

/// Returns the tables of a crate, by name.
fn tables(parser: &Parser) -> Done<Vec<Table>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root().join("parsers").join(parser.folder).join("schemas"))? {
        paths.push(entry?.path());
    }
    paths.sort();
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let read = |path: &PathBuf| Table::read(&stem(path), &fs::read_to_string(path)?);
    let mut tables: Vec<Table> = paths.iter().map(read).collect::<Done<_>>()?;
    if parser.folder == CLR.folder {
        clr::add_forms(&mut tables)?;
    }
    model::mark_shared(&mut tables);
    Ok(tables)
}

#[cfg(test)]
mod tests {
    /// The committed views and pages are what the tables make.
    #[test]
    fn the_views_are_fresh() {
        super::check().unwrap();
    }
}
