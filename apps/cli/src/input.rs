//! From the names that were typed to the bytes of traces.
//!
//! | file | does |
//! |---|---|
//! | `expand` | paths, globs and folders become a list of files |
//! | `set` | the files of a new-file set, and the order of numbered names |
//! | `open` | a file becomes one trace, or the members of an archive |
//! | `unpack` | gzip data, zip members and pipes come into memory, up to a limit |

mod expand;
mod open;
mod set;
mod unpack;

use std::ffi::OsString;

use etwkit::Problem;
use etwkit::input::Input;

use crate::failure::Failure;
use crate::printer::Printer;
use crate::text::parse_size;
use crate::verdict::Verdict;

pub(crate) use expand::is_wanted_name;
use open::Opener;

/// Where traces come from.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Traces: files, globs, folders (searched for *.etl, *.etl.NNN, *.blg, *.btl, *.etl.gz, *.etl.zip, *.diagsession), ARCHIVE!MEMBER, or - for stdin
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<OsString>,
    /// Read also the other files of the new-file set that FILE belongs to: `x.etl.001` beside `x.etl`, `x_2.etl` beside `x_1.etl`
    #[arg(long, help_heading = "Input")]
    merge: bool,
    /// Map files into memory instead of reading windows of them. If a mapped file is truncated meanwhile, the system
    /// ends the program; use it only for files that nobody writes
    #[arg(long, help_heading = "Input")]
    mmap: bool,
    /// Most bytes of unpacked archive members and stdin held in memory
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4GiB", help_heading = "Input")]
    unpack_limit: u64,
}

/// Other traces beside a file that seem to be of the same collection: named alike up to the first dot, as a profiler
/// names what it records at once. Of archive members and pipes nothing is known.
pub(crate) fn collection(name: &str) -> Vec<String> {
    set::collection(std::path::Path::new(name)).into_iter().map(|path| path.display().to_string()).collect()
}

/// A trace that was opened.
#[derive(Debug)]
pub(crate) struct Opened {
    /// Its bytes.
    pub(crate) source: Input,
    /// What is wrong with the archive it came from.
    pub(crate) damage: Option<Problem>,
}

impl InputArgs {
    /// These names, all else as by default.
    pub(crate) fn of(files: Vec<OsString>) -> Self {
        Self { files, merge: false, mmap: false, unpack_limit: 4 << 30 }
    }

    /// Hands over the traces one after the other. One that cannot be opened is reported, and the rest goes on.
    pub(crate) fn for_each(
        &self,
        verdict: &mut Verdict,
        mut each: impl FnMut(Opened, &mut Verdict) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.walk(false, verdict, &mut each)
    }

    /// All traces together, with what is wrong with their archives; at least one.
    pub(crate) fn all(&self, verdict: &mut Verdict) -> Result<Vec<Opened>, Failure> {
        let mut all = Vec::new();
        self.walk(true, verdict, &mut |opened, _| {
            all.push(opened);
            Ok(())
        })?;
        Ok(all)
    }

    fn walk(
        &self,
        keep: bool,
        verdict: &mut Verdict,
        each: &mut dyn FnMut(Opened, &mut Verdict) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut opener = Opener::new(self.mmap, self.unpack_limit, keep);
        for item in expand::expand(&self.files, self.merge) {
            let mut take = |opened: Result<Opened, Failure>| match opened {
                Ok(opened) => each(opened, verdict),
                Err(Failure::BrokenPipe) => Err(Failure::BrokenPipe),
                Err(failure) => {
                    Printer::failure(&failure);
                    verdict.input_failed();
                    Ok(())
                }
            };
            match item {
                Ok(item) => opener.open(&item, &mut take)?,
                Err(failure) => take(Err(failure))?,
            }
        }
        Ok(())
    }
}
