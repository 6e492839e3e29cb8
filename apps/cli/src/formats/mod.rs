//! One file a format of `dump`: which sink it is, and how its output ends.

mod csv;
mod jsonl;
mod text;
mod tracefmt;
mod tracerpt_csv;
mod twapi;
mod xml;

use clap::ValueEnum;
use etwkit::output::Column;
use etwkit::query::Selector;
use etwkit::sink::Sink;
use etwkit::trace::{RunOptions, Summary, Trace};

use crate::counted::drive;
use crate::failure::Failure;
use crate::names;
use crate::output::{Output, Writer};
use crate::printer::Printer;
use crate::table;
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
    /// Form of the output [default: jsonl; of counts: text]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Only these columns, in this order, for jsonl, text, csv: parts of the header and fields of the payload by name, as
    /// in --where (docs/where.md); for twapi: its own names, `-timecreated,-taskname`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) fields: Vec<String>,
    /// Zone for times of events: `local`, `Europe/Paris`, `+02:00` [default: UTC]; for jsonl, text, csv, xml
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true)]
    pub(crate) time_zone: Option<ZoneArg>,
    /// Prefix of each line of `--format tracefmt`, as `TRACE_FORMAT_PREFIX` has it
    #[arg(long, value_name = "TEXT")]
    pub(crate) prefix: Option<String>,
}

impl FormatArgs {
    /// The form of events.
    pub(crate) fn form(&self) -> Format {
        self.format.unwrap_or(Format::Jsonl)
    }

    /// The form of counts.
    pub(crate) fn form_of_counts(&self) -> Result<table::Format, Failure> {
        if let Some(option) = self.given() {
            return Err(Failure::new(format!("{option} does nothing with counts")).hint("--group-by picks the columns"));
        }
        match self.format {
            None | Some(Format::Text) => Ok(table::Format::Text),
            Some(Format::Csv) => Ok(table::Format::Csv),
            Some(Format::Jsonl) => Ok(table::Format::Jsonl),
            Some(_) => Err(Failure::new("counts have no such format").hint("use --format text, csv or jsonl")),
        }
    }

    /// The first option besides the format.
    fn given(&self) -> Option<&'static str> {
        let options = [
            (!self.fields.is_empty(), "--fields"),
            (self.time_zone.is_some(), "--time-zone"),
            (self.prefix.is_some(), "--prefix"),
        ];
        options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }

    /// Refuses what a format would silently not do.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let refuse = |given: bool, option: &str, formats: &[Format]| {
            if given && !formats.contains(&self.form()) {
                return Err(Failure::new(format!("{option} does nothing with this format")));
            }
            Ok(())
        };
        let tables = [Format::Jsonl, Format::Text, Format::Csv];
        refuse(!self.fields.is_empty(), "--fields", &[tables.as_slice(), &[Format::Twapi]].concat())?;
        if self.form() == Format::Twapi {
            twapi::fields(self)?;
        }
        self.names()?;
        refuse(self.time_zone.is_some(), "--time-zone", &[tables.as_slice(), &[Format::Xml]].concat())?;
        refuse(self.prefix.is_some(), "--prefix", &[Format::Tracefmt])
    }

    /// The names of the columns that were asked for; none for TWAPI's, which has names of its own.
    pub(crate) fn names(&self) -> Result<Vec<Selector>, Failure> {
        if self.form() == Format::Twapi { Ok(Vec::new()) } else { names::distinct("--fields", &self.fields) }
    }

    /// The columns that were asked for.
    fn columns(&self) -> Result<Option<Vec<Column>>, Failure> {
        let names = self.names()?;
        Ok((!names.is_empty()).then(|| names.into_iter().map(Column::Named).collect()))
    }

    fn zone(&self) -> etwkit::render::Zone {
        self.time_zone.as_ref().map(|zone| zone.0.clone()).unwrap_or_default()
    }
}

/// What a format is given.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) args: &'a FormatArgs,
    pub(crate) trace: &'a Trace,
    pub(crate) options: &'a RunOptions,
    pub(crate) output: &'a Output,
    pub(crate) printer: Printer,
}

impl Job<'_> {
    /// Where the bytes go.
    fn writer(&self) -> Result<Writer, Failure> {
        self.output.open(self.trace)
    }

    /// Hands all events to a sink.
    fn drive<S: Sink>(&self, mut sink: S) -> Result<(Summary, S), Failure> {
        let summary = drive(self.trace, self.options, &mut sink, self.printer)?;
        Ok((summary, sink))
    }
}

/// Writes all events.
pub(crate) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    if let (Output::Folder(path), true) = (job.output, job.args.form() != Format::Csv) {
        let failure = Failure::new("this is a folder, and this format is one file").of(path.display());
        return Err(failure.hint("name a file in that folder; --format csv writes a file for each type of event"));
    }
    match job.args.form() {
        Format::Jsonl => jsonl::run(job),
        Format::Text => text::run(job),
        Format::Csv => csv::run(job),
        Format::Xml => xml::run(job),
        Format::TracerptCsv => tracerpt_csv::run(job),
        Format::Tracefmt => tracefmt::run(job),
        Format::Twapi => twapi::run(job),
    }
}
