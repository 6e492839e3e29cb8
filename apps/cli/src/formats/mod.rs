//! One file a format of `dump`: which sink it is, and how its output ends.

mod csv;
mod jsonl;
mod text;
mod tracefmt;
mod tracerpt_csv;
mod twapi;
mod xml;

use clap::ValueEnum;
use etwkit::sink::Column;
use etwkit::sink::Sink;
use etwkit::trace::{Census, RunOptions, Summary};

use crate::counted::Counted;
use crate::failure::Failure;
use crate::output::{Output, Writer};
use crate::printer::Printer;
use crate::progress::{Progress, Unit};
use crate::zone::ZoneArg;

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One JSON object an event
    Jsonl,
    /// One line an event, for people
    Text,
    /// A table of all events, or with `-o FOLDER/` one for each type of event
    Csv,
    /// The XML of Windows' tracerpt
    Xml,
    /// The CSV of Windows' tracerpt
    TracerptCsv,
    /// Messages of WPP as tracefmt prints them, one line each
    Tracefmt,
    /// Lines of the Tcl extension TWAPI (`etw_dump_to_file`); `--fields` takes its names: `-timecreated,-taskname`
    Twapi,
}

/// What the output looks like.
#[derive(Debug, clap::Args)]
pub(crate) struct FormatArgs {
    /// Form of the output
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    pub(crate) format: Format,
    /// Only these columns, in this order: names of `jsonl`'s keys, then names of fields (`fields.id` where both have it);
    /// for jsonl, text, csv; for twapi: its own names, `-timecreated,-taskname`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) fields: Vec<String>,
    /// Zone for times of events: `local`, `Europe/Paris`, `+02:00` [default: UTC]; for jsonl, text, csv, xml
    #[arg(long, value_name = "ZONE")]
    pub(crate) time_zone: Option<ZoneArg>,
    /// Prefix of each line of `--format tracefmt`, as `TRACE_FORMAT_PREFIX` has it
    #[arg(long, value_name = "TEXT")]
    pub(crate) prefix: Option<String>,
}

impl FormatArgs {
    /// Refuses what a format would silently not do.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let refuse = |given: bool, option: &str, formats: &[Format]| {
            if given && !formats.contains(&self.format) {
                return Err(Failure::new(format!("{option} does nothing with this format")));
            }
            Ok(())
        };
        let tables = [Format::Jsonl, Format::Text, Format::Csv];
        refuse(!self.fields.is_empty(), "--fields", &[tables.as_slice(), &[Format::Twapi]].concat())?;
        if self.format == Format::Twapi {
            twapi::fields(self)?;
        }
        refuse(self.time_zone.is_some(), "--time-zone", &[tables.as_slice(), &[Format::Xml]].concat())?;
        refuse(self.prefix.is_some(), "--prefix", &[Format::Tracefmt])
    }

    /// The columns that were asked for.
    fn columns(&self) -> Option<Vec<Column>> {
        let columns = self.fields.iter().map(|name| Column::from_name(name.trim()));
        (!self.fields.is_empty()).then(|| columns.collect())
    }

    fn zone(&self) -> etwkit::render::Zone {
        self.time_zone.as_ref().map(|zone| zone.0.clone()).unwrap_or_default()
    }
}

/// What a format is given.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) args: &'a FormatArgs,
    pub(crate) census: &'a Census,
    pub(crate) options: &'a RunOptions,
    pub(crate) output: &'a Output,
    /// How many events will come, if that is known.
    pub(crate) total: Option<u64>,
    pub(crate) printer: Printer,
}

impl Job<'_> {
    /// Where the bytes go.
    fn writer(&self) -> Result<Writer, Failure> {
        self.output.open(self.census)
    }

    /// Hands all events to a sink.
    fn drive<S: Sink + Sync>(&self, sink: S) -> Result<(Summary, S), Failure> {
        let mut counted = Counted::new(sink, Progress::new(self.total, Unit::Events, self.printer));
        let summary = self.census.run(self.options, &mut counted)?;
        Ok((summary, counted.into_inner()))
    }
}

/// Writes all events.
pub(crate) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    match job.args.format {
        Format::Jsonl => jsonl::run(job),
        Format::Text => text::run(job),
        Format::Csv => csv::run(job),
        Format::Xml => xml::run(job),
        Format::TracerptCsv => tracerpt_csv::run(job),
        Format::Tracefmt => tracefmt::run(job),
        Format::Twapi => twapi::run(job),
    }
}
