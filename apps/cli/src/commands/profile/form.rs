//! The forms of a profile.

use std::io::Write as _;
use std::path::Path;

use clap::ValueEnum;
use etwkit::input::file_name;
use etwkit_profile::{Profile, call_tree, chrome, firefox, flame_graph, folded, perfetto, pprof, speedscope};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::args::named_by;
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

/// Ends of names that are no extension of a form's name.
const NAMES: [(&str, Form); 5] = [
    (".speedscope.json", Form::Speedscope),
    (".perfetto-trace", Form::Perfetto),
    (".pftrace", Form::Perfetto),
    (".pb.gz", Form::Pprof),
    (".pprof.gz", Form::Pprof),
];

impl Form {
    /// Returns the form that the name of an output states; text if it states none, or if there is no output.
    pub(super) fn named_by(output: Option<&Path>) -> Self {
        let Some(path) = output else { return Self::Text };
        let name = path.to_string_lossy().to_lowercase();
        let known = NAMES.iter().find(|(end, _)| name.ends_with(end)).map(|(_, form)| *form);
        known.or_else(|| named_by(path)).unwrap_or(Self::Text)
    }

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
