//! The arguments that name inputs.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::text::parse_size;

use super::locations;
use super::open::{Opener, Take};

/// Where traces come from.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Traces: files, globs, folders (searched for *.etl, *.etl.NNN, *.blg, *.btl, *.etl.gz, *.etl.zip, *.diagsession),
    /// ARCHIVE!MEMBER, or - for stdin
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<OsString>,
    /// Also read the other files of the new-file set that FILE belongs to: `x.etl.001` beside `x.etl`, `x_2.etl` beside
    /// `x_1.etl`
    #[arg(long, help_heading = "Input")]
    merge: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// How inputs are read.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct ReadingArgs {
    /// Map files into memory instead of reading windows of them. If a mapped file is truncated while it is read, the
    /// operating system ends the program; use it only for files that no program writes to
    #[arg(long, help_heading = "Input")]
    mmap: bool,
    /// Limit on unpacked archive members and stdin in memory [default: 4GiB; a packed file may also unpack to at most
    /// 128 MiB plus 32 times its size]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "Input")]
    unpack_limit: Option<u64>,
}

impl InputArgs {
    /// These names, all else as by default.
    pub(crate) fn of(files: Vec<OsString>) -> Self {
        Self { files, merge: false, reading: ReadingArgs::default() }
    }

    /// The same, read in another way.
    pub(crate) const fn read_by(mut self, reading: ReadingArgs) -> Self {
        self.reading = reading;
        self
    }

    /// The first name, if it is UTF-8: it may be something else than a file.
    pub(crate) fn first_word(&self) -> Option<&str> {
        self.files.first()?.to_str()
    }

    /// All but the first name; `None` if there is no other.
    pub(crate) fn without_first(mut self) -> Option<Self> {
        self.files.remove(0);
        Some(self).filter(|input| !input.files.is_empty())
    }

    /// The files themselves, for those who open them on their own; none of an archive, nor stdin.
    pub(crate) fn paths(&self) -> Vec<Result<PathBuf, Failure>> {
        locations::expand(&self.files, self.merge).into_iter().map(|location| location?.into_path()).collect()
    }

    /// Hands over the traces one after the other, and what could not be opened. An error of `take` ends all.
    pub(crate) fn open_each(&self, take: Take<'_>) -> Result<(), Failure> {
        self.open(false, take)
    }

    /// As [`InputArgs::open_each`] for traces that are kept: the limit counts what is unpacked of all together.
    pub(crate) fn open_all(&self, take: Take<'_>) -> Result<(), Failure> {
        self.open(true, take)
    }

    fn open(&self, keep: bool, take: Take<'_>) -> Result<(), Failure> {
        let ReadingArgs { mmap, unpack_limit } = self.reading;
        let mut opener = Opener::new(mmap, unpack_limit, keep);
        for location in locations::expand(&self.files, self.merge) {
            match location {
                Ok(location) => opener.open(&location, take)?,
                Err(failure) => take(Err(failure))?,
            }
        }
        Ok(())
    }
}
