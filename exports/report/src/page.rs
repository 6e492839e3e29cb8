//! Makes the model of a page.

use etwkit::Result;
use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Value, Values};
use etwkit_browse::{Extent, folds};
use etwkit_check::Report;
use etwkit_http_requests::Requests;
use etwkit_profile::Profile;
use etwkit_spans::Spans;

use crate::collect::{Pulses, Samples};
use crate::lanes::{self, Providers};
use crate::model::{Absent, LaneGroup, Page, Table, TimeAxis};
use crate::tables::{self, PARTS, Part};
use crate::tiles::tiles;
use crate::{ReportOptions, Section};

/// What a pass collected.
pub(crate) struct Collected<'t> {
    pub(crate) trace: &'t Trace,
    pub(crate) extent: Extent,
    pub(crate) values: Vec<(&'static Part, Values)>,
    pub(crate) check: Option<Report>,
    pub(crate) providers: Providers,
    pub(crate) pulses: Pulses<'t>,
    pub(crate) samples: Option<Samples>,
    pub(crate) levels: Option<Table>,
    pub(crate) profile: Option<Profile>,
    pub(crate) spans: Option<Spans>,
    pub(crate) requests: Option<Requests>,
}

impl Collected<'_> {
    /// Makes the page.
    pub(crate) fn into_page(mut self, options: &ReportOptions) -> Result<Page> {
        let (trace, extent) = (self.trace, self.extent);
        let check = self.check.take();
        let files: Vec<String> = trace.files().iter().map(|file| file.source.name().to_owned()).collect();
        let title = if let [file] = &*files { file.clone() } else { format!("{} files as one trace", files.len()) };
        let folds = folds(&self.pulses.density.busy(Pulses::ALL), extent.span());
        let time = TimeAxis {
            base: extent.base.0.to_string(),
            end: extent.span(),
            is_local: trace.has_local_times(),
            is_from_session: extent.is_from_session,
            folds,
        };
        self.pulses.density.fit(MOST_CELLS);
        self.samples.iter_mut().for_each(|samples| samples.fit(MOST_CELLS));
        let lanes = if options.has(Section::Lanes) { self.lanes() } else { Vec::new() };
        let mut tables = Vec::new();
        let ends = RunOptions::default().threads(options.threads);
        let is_text_like = tables::is_text_like(trace) && options.has(Section::Messages);
        if is_text_like {
            tables.extend(tables::ends(trace, extent, options.messages(), &ends)?);
        }
        tables.extend(self.levels.take().filter(|table| !table.rows.is_empty()));
        if let Some(check) = &check {
            tables.push(tables::findings(check, trace, options.max_rows));
            tables.push(tables::undecoded(trace, options.max_rows));
        }
        tables.extend(self.tables(options));
        if options.has(Section::Ends) && !is_text_like {
            tables.extend(tables::ends(trace, extent, ENDS.min(options.max_rows), &ends)?);
        }
        tables.retain(|table| !table.rows.is_empty() || table.id == "problems");
        Ok(Page {
            version: 1,
            title,
            files,
            time,
            tiles: tiles(trace, self.stacks(), check.as_ref()),
            lanes,
            tables,
            flame: self.profile.as_ref().map(tables::flame).filter(|flame| !flame.nodes.is_empty()),
            absent: absent(trace, options, self.stacks()),
        })
    }

    /// The lanes that the trace has.
    fn lanes(&self) -> Vec<LaneGroup> {
        let mut groups = vec![lanes::providers(&self.pulses, &self.providers), lanes::levels(&self.pulses)];
        let of_parts = self.values.iter().filter_map(|(part, values)| {
            let group = lanes::of_rows(part.lanes.as_ref()?, part.columns, &values.rows, self.extent);
            Some(LaneGroup { excess: values.excess, ..group })
        });
        groups.extend(of_parts);
        groups.extend(self.samples.iter().flat_map(lanes::samples));
        groups.push(lanes::processes(self.trace, self.extent));
        groups.push(lanes::buffers(self.trace, &self.pulses.buffers));
        groups.retain(|group| !group.lanes.is_empty());
        groups
    }

    fn tables(&self, options: &ReportOptions) -> Vec<Table> {
        let (extent, most) = (self.extent, options.max_rows);
        let of_section = |section: Section| {
            let parts = self.values.iter().filter(move |(part, _)| part.section == section && part.has_table);
            parts.filter(move |_| options.has(section)).map(move |(part, values)| {
                let table = tables::of_values(part.columns, &values.rows, extent, most);
                let (title, command) = (part.title.to_owned(), part.command.to_owned());
                Table { id: part.id, title, command, excess: values.excess, ..table }
            })
        };
        let mut all: Vec<Table> = of_section(Section::Events).collect();
        all.extend(self.profile.as_ref().map(|profile| tables::functions(profile, most)));
        all.extend([Section::Kernel, Section::Dotnet, Section::Io, Section::Windows].into_iter().flat_map(of_section));
        all.extend(self.requests.as_ref().map(|found| tables::requests(found, extent, most)));
        if let Some(spans) = &self.spans {
            all.extend([tables::spans(spans, extent, most), tables::slowest(spans, extent, most)]);
        }
        all
    }

    /// How many events have a stack.
    fn stacks(&self) -> u64 {
        let Some((part, values)) = self.values.iter().find(|(part, _)| part.id == "events") else { return 0 };
        let place = part.columns.iter().position(|column| column.name == "stacks");
        let stacks = values.rows.iter().filter_map(|row| match row.get(place?) {
            Some(Value::Integer(stacks)) => u64::try_from(*stacks).ok(),
            _ => None,
        });
        stacks.sum()
    }
}

/// What the trace does not have, of the parts of the page; `stacks` says how many events have a stack.
fn absent(trace: &Trace, options: &ReportOptions, stacks: u64) -> Vec<Absent> {
    let is_absent = |part: &&Part| options.has(part.section) && !(part.is_answerable)(trace);
    // The lines of a table and of what it adds up are the same.
    let parts = PARTS.iter().filter(is_absent).filter(|part| !part.id.ends_with("-each"));
    let parts = parts.map(|part| Absent { title: part.title.to_owned(), advice: (part.advice)() });
    let no_stacks = Absent { title: "Call stacks".to_owned(), advice: STACKS.to_owned() };
    parts.chain(Some(no_stacks).filter(|_| stacks == 0 && options.has(Section::Profile))).collect()
}

/// What records call stacks.
const STACKS: &str = "record stacks with the events: xperf -stackwalk, Stacks in a profile of wpr, or \
                      EVENT_ENABLE_PROPERTY_STACK_TRACE for a provider";
/// Intervals of all lanes of providers together, of processors, and of processes.
const MOST_CELLS: usize = 60_000;
/// First and last events, of each so many.
const ENDS: usize = 20;
