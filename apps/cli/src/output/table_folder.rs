//! A folder of tables: a file for each type of event.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use etwkit::output::{TableInfo, TableWriter};
use etwkit::trace::Trace;

use crate::failure::Failure;

use super::appended_file::OPEN;
use super::csv_safe::csv_rows;
use super::destination::is_stream;
use super::inputs::Inputs;
use super::new_file::NewFile;
use super::unique_names::{UniqueNames, safe_name};

/// Appends rows to files of a folder.
#[derive(Debug)]
pub(crate) struct TableFolder {
    path: PathBuf,
    /// What must not be overwritten.
    inputs: Inputs,
    /// File of each table that got rows. They take their names together, when all are complete.
    files: BTreeMap<usize, NewFile>,
    names: UniqueNames,
    /// Open files, the one used last at the end: others are opened again when rows come for them.
    open: VecDeque<(usize, File)>,
}

impl TableFolder {
    /// The folder, made if it is not there.
    pub(crate) fn new(path: &Path, trace: &Trace) -> Result<Self, Failure> {
        std::fs::create_dir_all(path).map_err(|error| Failure::from(error).of(path.display()))?;
        let (files, names, open) = <_>::default();
        Ok(Self { path: path.to_owned(), inputs: Inputs::of(trace), files, names, open })
    }

    /// Ends all files; returns how many were written.
    pub(crate) fn finish(mut self) -> Result<u64, Failure> {
        for (_, file) in &mut self.open {
            file.flush()?;
        }
        drop(self.open);
        let written = self.files.len() as u64;
        self.files.into_values().try_for_each(NewFile::keep)?;
        Ok(written)
    }

    /// The table's file, at its end.
    fn file(&mut self, number: usize, table: &TableInfo) -> io::Result<&mut File> {
        if let Some(at) = self.open.iter().position(|(open, _)| *open == number) {
            let found = self.open.remove(at);
            self.open.extend(found);
        } else {
            let file = match self.files.get(&number) {
                Some(file) => file.append()?,
                None => self.begin(number, table)?,
            };
            if self.open.len() >= OPEN {
                self.open.pop_front();
            }
            self.open.push_back((number, file));
        }
        self.open.back_mut().map(|(_, file)| file).ok_or_else(|| io::Error::other("no file is open"))
    }

    fn begin(&mut self, number: usize, table: &TableInfo) -> io::Result<File> {
        let path = self.path.join(self.names.take(&stem(table), "csv"));
        if self.inputs.has(&path) {
            return Err(io::Error::other(format!("{} is an input: the output would overwrite it", path.display())));
        }
        if is_stream(&path) {
            return Err(io::Error::other(format!(
                "{} is not a plain file: the output would replace it",
                path.display()
            )));
        }
        let (new, mut file) = NewFile::create(&path)?;
        self.files.insert(number, new);
        file.write_all(&csv_rows(&table.header))?;
        Ok(file)
    }
}

impl TableWriter for TableFolder {
    fn append(&mut self, number: usize, table: &TableInfo, rows: &[u8]) -> etwkit::Result<()> {
        self.file(number, table)?.write_all(&csv_rows(rows))?;
        Ok(())
    }
}

/// A file's name without its extension: provider, event, version.
fn stem(table: &TableInfo) -> String {
    if table.provider.is_empty() {
        return safe_name(&table.event);
    }
    format!("{}.{}.v{}", safe_name(&table.provider), safe_name(&table.event), table.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        let table = |provider: &str, event: &str| {
            let mut table = TableInfo::new(provider, event);
            table.version = 3;
            table
        };
        assert_eq!(stem(&table("../a b", "Task/Start")), "___a_b.Task_Start.v3");
        assert_eq!(stem(&table("", "other events")), "other_events");
        assert!(stem(&table(&"x".repeat(500), "y")).len() < 80);
    }
}
