//! A folder of tables, one for each event.

use std::collections::BTreeMap;
use std::io::{self, BufWriter};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etwkit::trace::{RunOptions, Summary};
use etwkit_columns::{Batch, BatchSink, EventName, Table};

use crate::column_file::{ColumnFile, FileKind};
use crate::failure::Failure;
use crate::output::{AppendedFile, NewFile, UniqueNames, new_file_below, partition};
use crate::session::Session;
use crate::text::counted;

use super::metadata;

/// Bytes of rows of all tables that wait for their row groups, about. Beyond that, the table with most of them writes.
const WAITING: usize = 96 << 20;

/// Provider and event of the table of events that have no table of their own: a table as the others, since engines refuse
/// a folder in which a file lies beside the folders of a column.
const OTHERS: &str = "_other";

pub(super) fn write(session: &Session, run: &RunOptions, folder: &Path, kind: FileKind) -> Result<Summary, Failure> {
    let (names, tables): (Vec<_>, Vec<Table>) = Table::by_event(session.trace()).into_iter().unzip();
    let tables: Arc<[Table]> = tables.into();
    let (open, taken) = <_>::default();
    let (own, metadata) = (Arc::clone(&tables), metadata::of(session));
    let mut files = Files { session, folder, names, tables: own, kind, metadata, open, taken, waiting: 0 };
    let mut failure = None;
    let mut sink = BatchSink::new(tables, |number, batch| {
        files.write(number, batch).map_err(|found| {
            failure = Some(found);
            etwkit::Error::from(io::Error::other("a table could not be written"))
        })?;
        Ok(ControlFlow::Continue(()))
    });
    let done = session.run(run, &mut sink);
    drop(sink);
    if let Some(failure) = failure {
        return Err(failure);
    }
    let summary = done?;
    let written = files.finish()?;
    session.printer().note(format_args!("{} written", counted(written, "file")));
    Ok(summary)
}

/// The files of tables that have rows.
struct Files<'f> {
    session: &'f Session,
    folder: &'f Path,
    names: Vec<Option<EventName>>,
    tables: Arc<[Table]>,
    kind: FileKind,
    metadata: Vec<(String, String)>,
    open: BTreeMap<usize, (NewFile, ColumnFile<BufWriter<AppendedFile>>)>,
    taken: UniqueNames,
    /// Bytes that wait in all of them.
    waiting: usize,
}

impl Files<'_> {
    fn write(&mut self, number: usize, batch: Batch) -> Result<(), Failure> {
        if !self.open.contains_key(&number) {
            let file = self.begin(number)?;
            self.open.insert(number, file);
        }
        if let Some((_, writer)) = self.open.get_mut(&number) {
            let before = writer.waiting();
            writer.write(batch)?;
            self.waiting = (self.waiting + writer.waiting()).saturating_sub(before);
        }
        while self.waiting > WAITING {
            let Some((_, writer)) = self.open.values_mut().max_by_key(|(_, writer)| writer.waiting()) else { break };
            self.waiting = self.waiting.saturating_sub(writer.waiting());
            writer.flush()?;
        }
        Ok(())
    }

    fn begin(&mut self, number: usize) -> Result<(NewFile, ColumnFile<BufWriter<AppendedFile>>), Failure> {
        let path = self.path(number);
        let folder = self.folder;
        std::fs::create_dir_all(folder).map_err(|error| Failure::from(error).of(folder.display()))?;
        let (new, file) = new_file_below(folder, &path, self.session.trace())?;
        let table = self.tables.get(number).ok_or_else(|| Failure::new("a table that is not there"))?;
        let file = AppendedFile::new(&new, file, self.open.len());
        let writer = ColumnFile::new(self.kind, BufWriter::new(file), table.columns(), self.metadata.clone())?;
        Ok((new, writer))
    }

    /// The names of folders are those that engines read as columns (Hive's layout).
    fn path(&mut self, number: usize) -> PathBuf {
        let name = self.names.get(number).and_then(Option::as_ref);
        let (provider, event) = name.map_or((OTHERS, OTHERS), |name| (name.provider.as_str(), name.event.as_str()));
        let (provider, event) = (partition("provider", provider), partition("event", event));
        // Long names are cut, and file systems may see no difference between cases.
        let file = self.taken.take(&format!("{provider}/{event}/events"), self.kind.extension());
        self.folder.join(file)
    }

    /// Ends all files; returns how many were written. They take their names together, when all are complete.
    fn finish(self) -> Result<u64, Failure> {
        let mut complete = Vec::new();
        for (new, writer) in self.open.into_values() {
            writer.finish()?;
            complete.push(new);
        }
        let written = complete.len() as u64;
        complete.into_iter().try_for_each(NewFile::keep)?;
        Ok(written)
    }
}
