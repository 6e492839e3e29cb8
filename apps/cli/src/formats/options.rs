//! What formats take, and what was typed of it.

use etwkit::output::Column;
use etwkit::render::Zone;
use etwkit::trace::Trace;

use crate::args::ZoneArgs;
use crate::failure::Failure;
use crate::selectors;

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
    /// `--time-zone` and `--relative`.
    TimeZone,
    /// `--time-zone` alone: its times have a form that others define.
    OwnTimes,
    /// `--prefix`.
    Prefix,
    /// `--stacks` of `dump`.
    Stacks,
    /// A folder as output.
    Folder,
}

/// The options of a format that were typed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormatOptions<'a> {
    /// `--fields`; empty if it was not typed.
    pub(super) fields: &'a [String],
    /// `--time-zone` and `--relative`.
    pub(super) zone: &'a ZoneArgs,
    /// `--prefix`.
    pub(super) prefix: Option<&'a str>,
}

impl FormatOptions<'_> {
    /// The columns that were asked for.
    pub(super) fn columns(&self) -> Result<Option<Vec<Column>>, Failure> {
        let names = selectors::distinct("--fields", self.fields)?;
        Ok((!names.is_empty()).then(|| names.into_iter().map(Column::Named).collect()))
    }

    /// The zone that was asked for.
    pub(super) fn zone(&self, trace: &Trace) -> Zone {
        self.zone.zone(trace)
    }
}
