//! Makes the model of a page.

use etwkit::Result;
use etwkit::trace::{RunOptions, Trace};
use etwkit_browse::{Extent, folds};
use etwkit_check::Report;
use etwkit_http_requests::Requests;
use etwkit_profile::Profile;
use etwkit_spans::Spans;

use crate::collect::{PartRows, Pulses, Samples};
use crate::lanes::{self, Providers};
use crate::model::{Absent, LaneGroup, Page, Table, TimeAxis};
use crate::tables::{self, PARTS, Part};
use crate::tiles::tiles;
use crate::{ReportOptions, Section};

/// What a pass collected.
pub(crate) struct Collected<'t> {
    pub(crate) trace: &'t Trace,
    pub(crate) extent: Extent,
    pub(crate) parts: Vec<PartRows>,
    pub(crate) check: Option<Report>,
    pub(crate) providers: Providers,
    pub(crate) pulses: Pulses,
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
    fn lanes(&mut self) -> Vec<LaneGroup> {
        let mut groups = vec![lanes::providers(&self.pulses, &self.providers), lanes::levels(&self.pulses)];
        groups.extend(self.parts.iter_mut().filter_map(|rows| rows.lanes.take()));
        groups.extend(self.samples.iter().flat_map(lanes::samples));
        groups.push(lanes::processes(self.trace, self.extent));
        groups.push(lanes::buffers(self.trace, &self.pulses.buffers));
        groups.retain(|group| !group.lanes.is_empty());
        groups
    }

    fn tables(&mut self, options: &ReportOptions) -> Vec<Table> {
        let (extent, most) = (self.extent, options.max_rows);
        let mut all = self.take_tables(Section::Events);
        all.extend(self.profile.as_ref().map(|profile| tables::functions(profile, most)));
        for section in [Section::Kernel, Section::Dotnet, Section::Io, Section::Windows] {
            all.extend(self.take_tables(section));
        }
        all.extend(self.requests.as_ref().map(|found| tables::requests(found, extent, most)));
        if let Some(spans) = &self.spans {
            all.extend([tables::spans(spans, extent, most), tables::slowest(spans, extent, most)]);
        }
        all
    }

    /// Takes the tables of the analyses of a section.
    fn take_tables(&mut self, section: Section) -> Vec<Table> {
        let parts = self.parts.iter_mut().filter(|rows| rows.part.section == section);
        parts.filter_map(|rows| rows.table.take()).collect()
    }

    /// How many events have a stack.
    fn stacks(&self) -> u64 {
        self.parts.iter().find(|rows| rows.part.id == "events").map_or(0, |rows| rows.stacks)
    }
}

/// What the trace does not have, of the parts of the page; `stacks` states how many events have a stack.
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
