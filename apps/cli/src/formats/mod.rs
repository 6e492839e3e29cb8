//! The registry of the formats of `dump`. A new format is a file here, its `mod` line, and its row in [`FORMATS`].

mod csv;
mod jsonl;
mod options;
mod text;
mod tracefmt;
mod tracerpt;
mod twapi;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use etwkit::output::{LineFormat, LineSink};
use etwkit::sink::Sink;
use etwkit::trace::{RunOptions, Summary, Trace};

use crate::counted::drive;
use crate::failure::Failure;
use crate::output::{Output, Writer};
use crate::printer::Printer;

use options::FormatOption::{Fields, Folder, OwnFields, Prefix, Stacks, TimeZone};
pub(crate) use options::{FormatArgs, FormatOption, names_of_formats};

/// Every format, the usual one first.
static FORMATS: [Format; 7] = [
    Format { name: "jsonl", about: "One JSON object an event", options: &[Fields, TimeZone, Stacks], run: jsonl::run },
    Format { name: "text", about: "One line an event, for people", options: &[Fields, TimeZone], run: text::run },
    Format {
        name: "csv",
        about: "A table of all events, or with `-o FOLDER/` one for each type of event",
        options: &[Fields, TimeZone, Folder],
        run: csv::run,
    },
    Format { name: "xml", about: "The XML of Windows' tracerpt", options: &[TimeZone], run: tracerpt::run_xml },
    Format { name: "tracerpt-csv", about: "The CSV of Windows' tracerpt", options: &[], run: tracerpt::run_csv },
    Format {
        name: "tracefmt",
        about: "Messages of WPP as tracefmt prints them, one line each",
        options: &[Prefix],
        run: tracefmt::run,
    },
    Format {
        name: "twapi",
        about: "Lines of the Tcl extension TWAPI (`etw_dump_to_file`); `--fields` takes its names: `-timecreated,-taskname`",
        options: &[OwnFields { check: twapi::check_fields, example: "`-timecreated,-taskname`" }],
        run: twapi::run,
    },
];

/// A form of the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// What `--format` takes.
    name: &'static str,
    /// A phrase for the help, without full stop.
    about: &'static str,
    /// What it takes besides; other options are refused.
    options: &'static [FormatOption],
    /// Writes all events.
    run: fn(&Job<'_>) -> Result<Summary, Failure>,
}

impl Format {
    /// The format where none is named.
    fn usual() -> Self {
        let [usual, ..] = FORMATS;
        usual
    }

    /// Whether one of its options is meant.
    pub(crate) fn takes(&self, is_meant: impl Fn(&FormatOption) -> bool) -> bool {
        self.options.iter().any(is_meant)
    }
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &FORMATS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name).help(self.about))
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
    /// Writes all events in a format of lines.
    fn write<F: LineFormat>(&self, format: F) -> Result<Summary, Failure> {
        self.write_to(self.output.open(self.trace)?, format)
    }

    /// As [`Job::write`], to an output that is open.
    fn write_to<F: LineFormat>(&self, writer: Writer, format: F) -> Result<Summary, Failure> {
        let (summary, sink) = self.drive(LineSink::with_format(self.trace, format, writer))?;
        std::io::Write::flush(&mut sink.finish()?)?;
        Ok(summary)
    }

    /// Hands all events to a sink.
    fn drive<S: Sink>(&self, mut sink: S) -> Result<(Summary, S), Failure> {
        let summary = drive(self.trace, self.options, &mut sink, self.printer)?;
        Ok((summary, sink))
    }
}

/// Writes all events.
pub(crate) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let format = job.args.form();
    if let (Output::Folder(path), false) = (job.output, format.takes(|option| matches!(option, Folder))) {
        let failure = Failure::new("this is a folder, and this format is one file").of(path.display());
        let folders = names_of_formats(|option| matches!(option, Folder)).join(" or ");
        let hint = format!("name a file in that folder; --format {folders} writes a file for each type of event");
        return Err(failure.hint(hint));
    }
    (format.run)(job)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_format_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = FORMATS.iter().map(|format| format.name).collect();
        assert_eq!(names.len(), FORMATS.len());
        assert_eq!(Format::usual().name, "jsonl");
        assert!(FORMATS.iter().all(|format| !format.about.ends_with('.') && !format.about.is_empty()));
    }
}
