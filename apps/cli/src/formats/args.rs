//! The arguments of formats: their help, and the refusal of those that a format does not take.

use clap::ValueEnum;
use etwkit::select::Selector;

use crate::args::ZoneArg;
use crate::failure::Failure;
use crate::group_table::GroupFormat;
use crate::selectors;

use super::options::FormatOption::{self, Fields, OwnFields, Prefix, TimeZone};
use super::options::FormatOptions;
use super::{FORMATS, Format, names_of_formats};

/// What the output looks like.
#[derive(Debug, clap::Args)]
pub(crate) struct FormatArgs {
    /// Form of the output [default: jsonl; of counts: text]
    #[arg(short, long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    #[arg(long, value_name = "NAMES", value_delimiter = ',', allow_hyphen_values = true, help = help_of_fields())]
    pub(crate) fields: Vec<String>,
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true, help = help_of_time_zone())]
    pub(crate) time_zone: Option<ZoneArg>,
    #[arg(long, value_name = "TEXT", help = help_of_prefix())]
    pub(crate) prefix: Option<String>,
}

fn help_of_fields() -> String {
    let tables = names_of_formats(|option| matches!(option, Fields)).join(", ");
    let mut help = format!(
        "Only these columns, in this order, for {tables}: parts of the header and fields of the payload by name, as in \
         --where (docs/where.md)"
    );
    for format in &FORMATS {
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

fn help_of_time_zone() -> String {
    let formats = names_of_formats(|option| matches!(option, TimeZone)).join(", ");
    format!("Zone for times of events: `local`, `Europe/Paris`, `+02:00` [default: UTC]; for {formats}")
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
        self.format.unwrap_or_else(Format::usual)
    }

    /// The format of counts: that of the same name.
    pub(crate) fn format_of_counts(&self) -> Result<GroupFormat, Failure> {
        if let Some(option) = self.given() {
            return Err(Failure::new(format!("{option} does nothing with counts")).hint("--group-by picks the columns"));
        }
        let Some(format) = self.format else { return Ok(GroupFormat::Text) };
        let no_such = |_| Failure::new("counts have no such format").hint("use --format text, csv or jsonl");
        GroupFormat::from_str(format.name, false).map_err(no_such)
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
        self.refuse(!self.fields.is_empty(), "--fields", |option| matches!(option, Fields | OwnFields { .. }))?;
        if let Some(check) = self.check_of_own_fields() {
            check(&self.fields)?;
        }
        self.names()?;
        self.refuse(self.time_zone.is_some(), "--time-zone", |option| matches!(option, TimeZone))?;
        self.refuse(self.prefix.is_some(), "--prefix", |option| matches!(option, Prefix))
    }

    fn refuse(&self, given: bool, option: &str, is_meant: impl Fn(&FormatOption) -> bool) -> Result<(), Failure> {
        if given && !self.format().takes(is_meant) {
            return Err(Failure::new(format!("{option} does nothing with this format")));
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
        let Self { fields, time_zone, prefix, .. } = self;
        FormatOptions { fields, time_zone: time_zone.as_ref(), prefix: prefix.as_deref() }
    }
}
