//! The forms of a profile.

use std::io::Write as _;

use clap::ValueEnum;
use etwkit::input::file_name;
use etwkit_profile::{Profile, call_tree, chrome, firefox, flame_graph, folded, perfetto, pprof, speedscope};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::failure::Failure;
use crate::output::Output;
use crate::rows::RowFormat;
use crate::session::Session;
use crate::text::safe_json;

/// The form of the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A table in aligned columns, for people
    Text,
    /// A table as RFC 4180 with a header line
    Csv,
    /// One JSON object per row
    #[value(aliases = ["ndjson", "jsonl"])]
    Json,
    /// The call tree as text, the largest weights first
    Tree,
    /// A line for each path
    Folded,
    /// A flame graph, interactive in a browser
    Svg,
    /// A file for speedscope
    Speedscope,
    /// A file for the Firefox Profiler
    Firefox,
    /// A file for Perfetto
    Perfetto,
    /// A file for the developer tools of Chrome
    Chrome,
    /// A file for pprof
    Pprof,
}

impl Form {
    /// Returns the format of its rows, if it is a table.
    pub(super) const fn row_format(self) -> Option<RowFormat> {
        match self {
            Self::Text => Some(RowFormat::Text),
            Self::Csv => Some(RowFormat::Csv),
            Self::Json => Some(RowFormat::Jsonl),
            _ => None,
        }
    }

    /// Returns whether its samples are in order of time.
    pub(super) const fn has_timeline(self) -> bool {
        matches!(self, Self::Speedscope | Self::Firefox | Self::Perfetto | Self::Chrome)
    }

    /// Returns whether it shows samples as spans of time.
    pub(super) const fn shows_time(self) -> bool {
        matches!(self, Self::Chrome)
    }
}

/// Writes a form that is not a table.
pub(super) fn write(form: Form, profile: &Profile, session: &Session, out: &Output) -> Result<(), Failure> {
    let name = name(session);
    let bytes = match form {
        Form::Tree => call_tree(profile).into_bytes(),
        Form::Svg => flame_graph(profile, &format!("{name}: {} ({})", profile.title, profile.unit.name())).into_bytes(),
        Form::Speedscope => safe_json(&speedscope(profile, name)).into_bytes(),
        Form::Firefox => safe_json(&firefox(profile, name).map_err(std::io::Error::from)?).into_bytes(),
        Form::Perfetto => perfetto(profile),
        Form::Chrome => safe_json(&chrome(profile)).into_bytes(),
        Form::Pprof => {
            let mut packed = GzEncoder::new(Vec::new(), Compression::default());
            packed.write_all(&pprof(profile))?;
            packed.finish()?
        }
        Form::Folded | Form::Text | Form::Csv | Form::Json => folded(profile).into_bytes(),
    };
    let mut out = out.open(session.trace())?;
    out.write_all(&bytes)?;
    Ok(out.flush()?)
}

/// Returns the name of the first file, without its folder.
fn name(session: &Session) -> &str {
    file_name(session.trace().files().first().map_or("trace", |file| file.source.name()))
}
