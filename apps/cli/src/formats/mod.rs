//! The registry of the formats of `dump`. A new format is a file here, its `mod` line, and its row in [`FORMATS`].

mod args;
mod csv;
mod job;
mod jsonl;
mod options;
mod text;
mod tracefmt;
mod tracerpt;
mod twapi;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use etwkit::trace::Summary;

use crate::failure::Failure;
use crate::output::Output;

pub(crate) use args::FormatArgs;
pub(crate) use job::Job;
pub(crate) use options::FormatOption;

use options::FormatOption::{Fields, Folder, OwnFields, OwnTimes, Prefix, Stacks, TimeZone};

/// Every format, the usual one first.
static FORMATS: &[Format] = &[
    USUAL,
    Format {
        name: "text",
        aliases: &[],
        about: "One line per event, for people",
        options: &[Fields, TimeZone],
        run: text::run,
    },
    Format {
        name: "csv",
        aliases: &[],
        about: "A table of all events, or with `-o FOLDER/` one for each type of event",
        options: &[Fields, TimeZone, Folder],
        run: csv::run,
    },
    Format {
        name: "xml",
        aliases: &[],
        about: "The XML of Windows' tracerpt",
        options: &[OwnTimes],
        run: tracerpt::run_xml,
    },
    Format {
        name: "tracerpt-csv",
        aliases: &[],
        about: "The CSV of Windows' tracerpt",
        options: &[],
        run: tracerpt::run_csv,
    },
    Format {
        name: "tracefmt",
        aliases: &[],
        about: "Messages of WPP as tracefmt prints them, one line each",
        options: &[Prefix, OwnTimes],
        run: tracefmt::run,
    },
    Format {
        name: "twapi",
        aliases: &[],
        about: "Lines of the Tcl extension TWAPI (`etw_dump_to_file`); `--fields` takes its names: `-timecreated,-taskname`",
        options: &[OwnFields { check: twapi::check_fields, example: "`-timecreated,-taskname`" }],
        run: twapi::run,
    },
];

/// The format where none is named.
const USUAL: Format = Format {
    name: "jsonl",
    aliases: &["ndjson", "json"],
    about: "One JSON object per event",
    options: &[Fields, TimeZone, Stacks],
    run: jsonl::run,
};

/// A form of the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// What `--format` takes.
    name: &'static str,
    /// What it takes for the same.
    aliases: &'static [&'static str],
    /// A phrase for the help, without full stop.
    about: &'static str,
    /// What it takes besides; other options are refused.
    options: &'static [FormatOption],
    /// Writes all events.
    run: fn(&Job<'_>) -> Result<Summary, Failure>,
}

impl Format {
    /// What `--format` takes for it.
    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether one of its options is meant.
    pub(crate) fn takes(&self, is_meant: impl Fn(&FormatOption) -> bool) -> bool {
        self.options.iter().any(is_meant)
    }
}

/// The names of the formats that take an option.
pub(crate) fn names_of_formats(is_meant: impl Fn(&FormatOption) -> bool) -> Vec<&'static str> {
    FORMATS.iter().filter(|format| format.takes(&is_meant)).map(|format| format.name).collect()
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        FORMATS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name).aliases(self.aliases).help(self.about))
    }
}

/// Writes all events; refuses a folder where the format is one file.
pub(crate) fn run(format: Format, job: &Job<'_>) -> Result<Summary, Failure> {
    if let (Output::Folder(path), false) = (job.output, format.takes(|option| matches!(option, Folder))) {
        let what = format!("this is a folder, and --format {} is one file", format.name);
        let failure = Failure::new(what).of(path.display());
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
        assert_eq!(FORMATS.first().map(|format| format.name), Some(USUAL.name));
        assert!(FORMATS.iter().all(|format| !format.about.ends_with('.') && !format.about.is_empty()));
    }
}
