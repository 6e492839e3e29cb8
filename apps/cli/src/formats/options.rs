//! The options of formats: which there are, who takes them, what was typed.

use clap::ValueEnum;
use etwkit::output::Column;
use etwkit::render::Zone;
use etwkit::select::Selector;

use super::{FORMATS, Format};
use crate::failure::Failure;
use crate::names;
use crate::table;
use crate::zone::ZoneArg;

/// What a format may take.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FormatOption {
    /// `--fields` with names as in `--where`.
    Fields,
    /// `--fields` with names of its own.
    OwnFields {
        /// Refuses names that it does not have.
        check: fn(&[String]) -> Result<(), Failure>,
        /// For the help.
        example: &'static str,
    },
    /// `--time-zone`.
    TimeZone,
    /// `--prefix`.
    Prefix,
    /// `--stacks` of `dump`.
    Stacks,
    /// A folder as output.
    Folder,
}

use FormatOption::{Fields, OwnFields, Prefix, TimeZone};

/// The names of the formats that take an option.
pub(crate) fn names_of_formats(is_meant: impl Fn(&FormatOption) -> bool) -> Vec<&'static str> {
    FORMATS.iter().filter(|format| format.takes(&is_meant)).map(|format| format.name).collect()
}

/// What the output looks like.
#[derive(Debug, clap::Args)]
pub(crate) struct FormatArgs {
    /// Form of the output [default: jsonl; of counts: text]
    #[arg(long, value_name = "FORMAT")]
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
    /// The form of events.
    pub(crate) fn form(&self) -> Format {
        self.format.unwrap_or_else(Format::usual)
    }

    /// The form of counts: that of the same name.
    pub(crate) fn form_of_counts(&self) -> Result<table::Format, Failure> {
        if let Some(option) = self.given() {
            return Err(Failure::new(format!("{option} does nothing with counts")).hint("--group-by picks the columns"));
        }
        let Some(format) = self.format else { return Ok(table::Format::Text) };
        let no_such = |_| Failure::new("counts have no such format").hint("use --format text, csv or jsonl");
        table::Format::from_str(format.name, false).map_err(no_such)
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
        if given && !self.form().takes(is_meant) {
            return Err(Failure::new(format!("{option} does nothing with this format")));
        }
        Ok(())
    }

    /// What checks the names of fields, where the format has names of its own.
    fn check_of_own_fields(&self) -> Option<CheckNames> {
        self.form()
            .options
            .iter()
            .find_map(|option| if let OwnFields { check, .. } = option { Some(*check) } else { None })
    }

    /// The names of the columns that were asked for; none where the format has names of its own.
    pub(crate) fn names(&self) -> Result<Vec<Selector>, Failure> {
        if self.check_of_own_fields().is_some() { Ok(Vec::new()) } else { names::distinct("--fields", &self.fields) }
    }

    /// The columns that were asked for.
    pub(super) fn columns(&self) -> Result<Option<Vec<Column>>, Failure> {
        let names = self.names()?;
        Ok((!names.is_empty()).then(|| names.into_iter().map(Column::Named).collect()))
    }

    /// The zone that was asked for.
    pub(super) fn zone(&self) -> Zone {
        self.time_zone.as_ref().map(|zone| zone.0.clone()).unwrap_or_default()
    }
}
