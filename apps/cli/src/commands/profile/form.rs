//! The forms of a profile.

use std::borrow::Cow;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use clap::ValueEnum;
use etwkit::input::file_name;
use etwkit_profile::{Profile, call_tree, chrome, firefox, flame_graph, fold_to, folded, perfetto, pprof, speedscope};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::args::named_by;
use crate::failure::Failure;
use crate::output::Output;
use crate::printer::Printer;
use crate::rows::RowFormat;
use crate::session::Session;
use crate::text::{counted, grouped, write_safe_json};

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

/// Nodes that the forms of viewers have, whatever the profile is, and more of them for each sample.
const NODES: usize = 1 << 18;
const NODES_OF_SAMPLE: usize = 16;

/// Writes a form that is not a table.
pub(super) fn write(form: Form, profile: &Profile, session: &mut Session, out: &Output) -> Result<(), Failure> {
    let name = name(session).to_owned();
    let mut out = BufWriter::new(out.open(session.trace())?);
    let drawn = || drawn(profile, session.printer());
    let mut left_out = 0;
    match form {
        Form::Tree => left_out = call_tree(profile, &mut out)?,
        Form::Folded | Form::Text | Form::Csv | Form::Json => left_out = folded(profile, &mut out)?,
        Form::Svg => {
            let title = format!("{name}: {} ({})", profile.title, profile.unit.name());
            say_not_drawn(flame_graph(profile, &title, &mut out)?, session.printer());
        }
        Form::Speedscope => write_safe_json(&mut out, &speedscope(&drawn(), &name))?,
        Form::Firefox => write_safe_json(&mut out, &firefox(&drawn(), &name).map_err(std::io::Error::from)?)?,
        Form::Chrome => write_safe_json(&mut out, &chrome(&drawn()))?,
        Form::Perfetto => out.write_all(&perfetto(profile))?,
        Form::Pprof => {
            let mut packed = GzEncoder::new(&mut out, Compression::default());
            packed.write_all(&pprof(profile))?;
            packed.finish()?;
        }
    }
    out.flush()?;
    let what = if form == Form::Tree { "frame" } else { "stack" };
    session.left_out(left_out, what, "had no room in the text: choose processes or threads, or use --format pprof");
    Ok(())
}

/// Says how many frames a flame graph leaves out.
fn say_not_drawn(frames: u64, printer: Printer) {
    if frames > 0 {
        let frames = counted(frames, "frame");
        printer.warning(format_args!("{frames} not drawn: the lightest, which no browser could show"));
    }
}

/// Returns the profile as viewers get it: those nodes that weigh least are folded into their callers if there are too many
/// for the number of samples.
fn drawn(profile: &Profile, printer: Printer) -> Cow<'_, Profile> {
    let samples = usize::try_from(profile.total().samples).unwrap_or(usize::MAX);
    let most = NODES.saturating_add(samples.saturating_mul(NODES_OF_SAMPLE));
    let all = profile.nodes().len();
    if all <= most {
        return Cow::Borrowed(profile);
    }
    printer.warning(format_args!(
        "{} of {} are folded into their callers: the lightest",
        grouped((all - most) as u64),
        counted(all as u64, "node")
    ));
    Cow::Owned(fold_to(profile, most))
}

/// Returns the name of the first file, without its folder.
fn name(session: &Session) -> &str {
    file_name(session.trace().files().first().map_or("trace", |file| file.source.name()))
}
