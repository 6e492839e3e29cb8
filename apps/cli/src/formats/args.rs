//! The arguments of formats: their help, and the refusal of those that a format does not take.

use std::path::Path;

use clap::ValueEnum;
use etwkit::select::Selector;

use crate::args::{ZoneArgs, named_by, no_table};
use crate::column_file::FileKind;
use crate::failure::Failure;
use crate::rows::RowFormat;
use crate::selectors;

use super::options::FormatOption::{self, Fields, OwnFields, OwnTimes, Prefix, TimeZone};
use super::options::FormatOptions;
use super::{FORMATS, Format, USUAL, names_of_formats};

/// What the output looks like.
#[derive(Debug, clap::Args)]
pub(crate) struct FormatArgs {
    /// Form of the output [default: by the name of OUT, otherwise jsonl; of counts: text]
    #[arg(short, long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    #[arg(long, value_name = "NAMES", value_delimiter = ',', allow_hyphen_values = true, help = help_of_fields())]
    pub(crate) fields: Vec<String>,
    #[command(flatten)]
    pub(crate) zone: ZoneArgs,
    #[arg(long, value_name = "TEXT", help = help_of_prefix())]
    pub(crate) prefix: Option<String>,
}

fn help_of_fields() -> String {
    let tables = names_of_formats(|option| matches!(option, Fields)).join(", ");
    let mut help = format!(
        "Only these columns, in this order, for {tables}: parts of the header and fields of the payload by name, as in \
         --where (`etwkit help where`)"
    );
    for format in FORMATS {
        for option in format.options {
            if let OwnFields { example, .. } = option {
                help.push_str("; for ");
                help.push_str(format.name);
                help.push_str(": its own names, ");
                help.push_str(example);
            }
        }
    }
    help
}

fn help_of_prefix() -> String {
    let formats = names_of_formats(|option| matches!(option, Prefix)).join(", ");
    format!("Prefix of each line of `--format {formats}`, as `TRACE_FORMAT_PREFIX` has it")
}

/// Checks names of fields that were typed.
type CheckNames = fn(&[String]) -> Result<(), Failure>;

impl FormatArgs {
    /// The format of events.
    pub(crate) fn format(&self) -> Format {
        self.format.unwrap_or(USUAL)
    }

    /// Lets the name of the output decide the format of events, where none was named: `out.csv`, `out.xml`.
    pub(crate) fn by_name(&mut self, output: Option<&Path>) -> Result<(), Failure> {
        let Some(path) = output.filter(|_| self.format.is_none()) else { return Ok(()) };
        if let Some(kind) = FileKind::of(path) {
            let failure = Failure::new(format!("dump writes no {} files", kind.title())).of(path.display());
            return Err(failure.hint("`etwkit export` does; --format names what is to be written here"));
        }
        if let Some(what) = no_table(path) {
            let failure = Failure::new(what).of(path.display());
            return Err(failure.hint("--format names what is to be written here"));
        }
        self.format = named_by(path);
        Ok(())
    }

    /// The format of counts: that of the same name.
    pub(crate) fn format_of_counts(&self) -> Result<RowFormat, Failure> {
        if let Some(option) = self.given() {
            return Err(Failure::new(format!("{option} does not apply to counts")).hint("--group-by picks the columns"));
        }
        let Some(format) = self.format else { return Ok(RowFormat::Text) };
        let no_such = |_| Failure::new("counts have no such format").hint("use --format text, csv or jsonl");
        RowFormat::from_str(format.name, false).map_err(no_such)
    }

    /// The first option besides the format.
    fn given(&self) -> Option<&'static str> {
        let options = [
            (!self.fields.is_empty(), "--fields"),
            (self.zone.time_zone.is_some(), "--time-zone"),
            (self.zone.relative, "--relative"),
            (self.prefix.is_some(), "--prefix"),
        ];
        options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }

    /// Refuses what a format would silently not do.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.refuse(!self.fields.is_empty(), "--fields", |option| matches!(option, Fields | OwnFields { .. }))?;
        if let Some(check) = self.check_of_own_fields() {
            check(&self.fields)?;
        }
        self.names()?;
        self.refuse(self.zone.time_zone.is_some(), "--time-zone", |option| matches!(option, TimeZone | OwnTimes))?;
        self.refuse(self.zone.relative, "--relative", |option| matches!(option, TimeZone))?;
        self.refuse(self.prefix.is_some(), "--prefix", |option| matches!(option, Prefix))
    }

    fn refuse(&self, given: bool, option: &str, is_meant: impl Fn(&FormatOption) -> bool) -> Result<(), Failure> {
        if given && !self.format().takes(&is_meant) {
            let formats = names_of_formats(is_meant).join(", ");
            let failure = Failure::new(format!("{option} does not apply to --format {}", self.format().name));
            return Err(failure.hint(format!("formats that take it: {formats}")));
        }
        Ok(())
    }

    /// What checks the names of fields, where the format has names of its own.
    fn check_of_own_fields(&self) -> Option<CheckNames> {
        self.format()
            .options
            .iter()
            .find_map(|option| if let OwnFields { check, .. } = option { Some(*check) } else { None })
    }

    /// The names of the columns that were asked for; none where the format has names of its own.
    pub(crate) fn names(&self) -> Result<Vec<Selector>, Failure> {
        if self.check_of_own_fields().is_some() {
            Ok(Vec::new())
        } else {
            selectors::distinct("--fields", &self.fields)
        }
    }

    /// What was typed, for the format.
    pub(crate) fn options(&self) -> FormatOptions<'_> {
        let Self { fields, zone, prefix, .. } = self;
        FormatOptions { fields, zone, prefix: prefix.as_deref() }
    }
}
