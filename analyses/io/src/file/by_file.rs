//! Operations of each process and file.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Measures, greatest_first};
use etwkit_kernel_analyses::{Name, ProcessSum, ProcessTable};

use super::fact::{FileFact, INTEREST, OperationKind};
use super::state::{Done, State};

etwkit_analysis::row! {
    /// Operations of a process on a file.
    pub struct FileRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Path of the file; absent where no event names it.
        file: Option<String> as Text,
        /// All operations.
        operations: u64 as Count,
        /// Opens, of files that were there and of new ones.
        creates: u64 as Count,
        /// Reads, also those that a cache answered.
        reads: u64 as Count,
        /// Bytes that were read.
        read_bytes: u64 as Count,
        /// Writes, also those into a cache.
        writes: u64 as Count,
        /// Bytes that were written.
        write_bytes: u64 as Count,
        /// Deletions.
        deletes: u64 as Count,
        /// Renames.
        renames: u64 as Count,
        /// Listings of a folder.
        dir_enums: u64 as Count,
        /// Operations that ended with an error.
        failures: u64 as Count,
        /// Milliseconds of all operations whose end is in the trace, without those that wait for changes of a folder.
        elapsed_ms_sum: Option<f64> as Milliseconds,
        /// Milliseconds of the longest.
        elapsed_ms_max: Option<f64> as Milliseconds,
    }
}

/// Adds up the operations of each process and file.
#[derive(Debug, Default)]
pub struct FileByFile {
    state: State,
    table: ProcessTable<Name, Sum>,
}

#[derive(Clone, Debug, Default)]
struct Sum {
    operations: u64,
    creates: u64,
    reads: u64,
    read_bytes: u64,
    writes: u64,
    write_bytes: u64,
    deletes: u64,
    renames: u64,
    dir_enums: u64,
    failures: u64,
    elapsed: Measures,
}

impl Analysis for FileByFile {
    type Fact = FileFact;
    type Row = FileRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(trace: &Trace) -> Result<Self> {
        Ok(Self { state: State::new(trace)?, table: ProcessTable::default() })
    }

    fn fact(event: &Event<'_>) -> Option<FileFact> {
        FileFact::of(event)
    }

    fn step(&mut self, fact: FileFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: FileFact, _: &Trace) {
        self.take(fact, false);
    }

    fn end(&mut self, _: &Trace) {
        for done in self.state.take_open() {
            add(&mut self.table, done);
        }
    }

    fn excess(&self) -> u64 {
        self.state.excess() + self.table.excess()
    }

    fn finish(self, _: &Trace) -> Vec<FileRow> {
        let mut rows: Vec<FileRow> = self.table.into_sums().into_iter().map(row).collect();
        rows.sort_by(|a, b| {
            greatest_first(a.elapsed_ms_sum, b.elapsed_ms_sum).then_with(|| b.operations.cmp(&a.operations))
        });
        rows
    }
}

impl FileByFile {
    fn take(&mut self, fact: FileFact, is_chosen: bool) {
        if let Some(done) = self.state.take(fact, is_chosen) {
            add(&mut self.table, done);
        }
    }
}

fn add(table: &mut ProcessTable<Name, Sum>, done: Done) {
    let (bytes, elapsed, kind) = (done.bytes().unwrap_or(0), done.elapsed(), done.operation.kind);
    let is_failure = done.is_failure();
    let sum = table.sum(done.operation.process, done.operation.file);
    sum.operations += 1;
    sum.failures += u64::from(is_failure);
    if kind != OperationKind::DirNotify {
        sum.elapsed.add(elapsed);
    }
    match kind {
        OperationKind::Create => sum.creates += 1,
        OperationKind::Read => {
            sum.reads += 1;
            sum.read_bytes += bytes;
        }
        OperationKind::Write => {
            sum.writes += 1;
            sum.write_bytes += bytes;
        }
        OperationKind::Delete => sum.deletes += 1,
        OperationKind::Rename => sum.renames += 1,
        OperationKind::DirEnum => sum.dir_enums += 1,
        _ => {}
    }
}

fn row(ProcessSum { key, process, subject, sum }: ProcessSum<Name, Sum>) -> FileRow {
    FileRow {
        pid: key.pid,
        process,
        file: subject.map(String::from),
        operations: sum.operations,
        creates: sum.creates,
        reads: sum.reads,
        read_bytes: sum.read_bytes,
        writes: sum.writes,
        write_bytes: sum.write_bytes,
        deletes: sum.deletes,
        renames: sum.renames,
        dir_enums: sum.dir_enums,
        failures: sum.failures,
        elapsed_ms_sum: sum.elapsed.sum(),
        elapsed_ms_max: sum.elapsed.max(),
    }
}
