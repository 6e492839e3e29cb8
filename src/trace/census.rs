//! The first pass: counts, learning, and a schema for each key. Frozen afterwards.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::bytes::Guid;
use crate::clock::Clock;
use crate::container::{Arena, BufferInfo, Walk};
use crate::decode::{Decoder, UndecodedReason};
use crate::error::{Error, ErrorKind, Problem, ProblemKind, ProblemList, Result, Severity};
use crate::event::{BufferContext, EventTypeId, Kind, Place, RawEvent};
use crate::input::Input;
use crate::limits;
use crate::parser::{Parsers, Providers, TraceFacts};
use crate::schema::{Schema, shortened};
use crate::system::{StateBudget, Systems};

use super::Trace;
use super::changes::Changes;
use super::decode_guid;
use super::machines::Machines;
use super::open::{RawTrace, TraceFile};
use super::slices::SortClock;
use super::undecoded::refine_reasons;
use super::walk_batches;

/// Bytes needed to find the length of an event in a plain buffer.
const MARKER: usize = 8;

impl RawTrace {
    /// Makes the first pass: counts, lets observers and providers see the events that they want, and compiles a schema
    /// for each event type.
    pub fn decode(self, parsers: Parsers) -> Result<Trace> {
        self.decode_with(parsers, &mut |_| ControlFlow::Continue(()))
    }

    /// Decodes as [`RawTrace::decode`] does; `progress` receives the number of bytes of the files read so far, and may
    /// end the pass with [`ControlFlow::Break`].
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`] if `progress` ended it.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "as `Trace::open`, to which people hand a set that they just made"
    )]
    pub fn decode_with(self, parsers: Parsers, progress: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<Trace> {
        let Self { files, problems, limits, threads } = self;
        let mut pass = parsers.begin();
        let mut indexed = walk_batches::walk(&files, &pass, threads, progress)?;
        let mut problems = ProblemList { listed: problems, ..ProblemList::default() };
        problems.append(std::mem::take(&mut indexed.problems));
        let machines = Machines::new(&files, std::mem::take(&mut indexed.computers));
        let sort_clock = SortClock::new(&files, &machines);
        let clocks: Arc<[Clock]> = files.iter().map(|file| file.head.clock).collect();
        let names = files.iter().map(|file| file.source.name().into()).collect();
        let bytes = files.iter().map(|file| file.source.len()).sum();
        let budget = StateBudget::new(limits).with_more(bytes);
        let mut systems = machines.systems(&files, &clocks, &budget);
        let types = std::mem::take(&mut indexed.types);
        let decoder = Arc::new(Decoder { types, clocks, systems: Systems::default(), files: names });
        let kept = Arc::new(std::mem::take(&mut indexed.kept));
        let (findings, changes) = (Vec::new(), Changes::default());
        let mut trace = Trace { files, indexed, sort_clock, decoder, findings, problems, changes, kept };
        trace.observe(&mut pass, &mut systems, threads)?;
        if let Some(kept) = Arc::get_mut(&mut trace.kept) {
            kept.end_first_pass();
        }
        systems.freeze();
        if let Some(namer) = pass.frame_namer() {
            systems.set_frame_namer(namer);
        }
        trace.note_refused(systems.budget());
        let own_stacks = pass.own_stacks();
        let (providers, findings) = pass.end();
        let settled = trace.compile(&providers, limits.schemas)?;
        trace.freeze(systems, settled, own_stacks);
        trace.findings = findings.into_iter().chain(providers.finish()).collect();
        trace.note_losses();
        Ok(trace)
    }
}

impl Trace {
    /// Asks the providers for the schema of each key, with its first event as the sample.
    fn compile(&mut self, providers: &Providers, most: usize) -> Result<Vec<Settled>> {
        let mut settled: Vec<Settled> = (0..self.types().len()).map(|_| Settled::default()).collect();
        let mut order: Vec<(EventTypeId, Place)> = self.types().iter().map(|row| (row.id, row.first)).collect();
        // In file order, so that a compressed buffer with several samples is unpacked once.
        order.sort_by_key(|(_, place)| *place);
        let (mut arena, mut plain) = (Arena::default(), Vec::new());
        let mut problems = ProblemList::default();
        let mut left = most;
        let mut cut = 0_u64;
        for (id, place) in order {
            let Some(slot) = settled.get_mut(id.0 as usize) else { continue };
            slot.undecoded = Some(UndecodedReason::Broken);
            let Some((file, info)) = self.file_and_buffer(place) else { continue };
            let facts = TraceFacts { os_build: file.head.log.os_build };
            let bytes = if let Some(sample) = self.decoder.types.sample(id) {
                sample
            } else if info.is_compressed() {
                let unpacked = arena.unpacked(&file.source, &info, place.buffer)?;
                unpacked.get(place.offset as usize..).unwrap_or_default()
            } else {
                // Only the event: a large buffer may have many keys.
                event_bytes(&file.source, &info, place, &mut plain)?
            };
            let Some(event) = event_at(bytes, place, &info, file) else { continue };
            slot.provider = provider_in_traits(&event);
            let made = decode_guid::schema(providers, &event, &facts);
            let Some(rest) = left.checked_sub(cost(&made)) else {
                // To go on would take as much time as this limit saves memory.
                let error = Error::limit("schemas of a trace", most);
                problems.push(Severity::Note, || schema_problem(&event, &error));
                slot.undecoded = Some(UndecodedReason::Limit);
                break;
            };
            left = rest;
            match made {
                Ok(schema) => {
                    slot.undecoded = what_lacks(schema.as_ref(), &event, providers);
                    cut += u64::from(schema.as_ref().is_some_and(Schema::has_cut_names));
                    slot.schema = schema;
                }
                Err(error) => problems.push(Severity::Note, || schema_problem(&event, &error)),
            }
        }
        if cut > 0 {
            let detail = format!("{cut} schemas have names that are too long, or too many keywords: these were cut");
            problems.push(Severity::Note, || Problem::new(ProblemKind::BadSchema, detail));
        }
        self.problems.append(problems);
        Ok(settled)
    }

    /// Puts together what the passes over parsers found. Nothing else refers to the decoder yet.
    fn freeze(&mut self, systems: Systems, settled: Vec<Settled>, own_stacks: u64) {
        let Some(decoder) = Arc::get_mut(&mut self.decoder) else { return };
        decoder.types.end_samples();
        let types = decoder.types.list_mut();
        let mut named: HashMap<Guid, (Box<str>, Place)> = HashMap::new();
        for (row, of) in types.iter().zip(&settled) {
            if let Some(name) = &of.provider {
                named.entry(row.key.provider).or_insert_with(|| (name.clone(), row.first));
            }
        }
        for (row, Settled { schema, undecoded, .. }) in types.iter_mut().zip(settled) {
            // A type without a query was reached after the limit of schemas.
            let is_unasked = schema.is_none() && undecoded.is_none();
            row.observed &= !own_stacks;
            row.is_stackless = systems.iter().any(|system| system.stacks.is_stackless(&row.key));
            let undecoded = if is_unasked { Some(UndecodedReason::Limit) } else { undecoded };
            let is_named = matches!(row.key.kind, Kind::Manifest | Kind::TraceLogging | Kind::StringOnly);
            let name = named.get(&row.key.provider).filter(|_| is_named);
            row.settle(schema, undecoded, name.map(|(name, place)| (&**name, *place)));
        }
        refine_reasons(types);
        decoder.systems = systems;
    }

    fn file_and_buffer(&self, place: Place) -> Option<(&TraceFile, BufferInfo)> {
        Some((self.files.get(place.file.index())?, self.buffer(place.buffer)?))
    }

    /// Notes how many facts about the traced system, and names, exceed the limits.
    fn note_refused(&mut self, budget: &StateBudget) {
        let refused = budget.refused();
        if refused > 0 {
            let detail = format!("{refused} facts of the traced system were not kept: too many");
            self.problems.listed.push(Problem::new(ProblemKind::StateFull, detail));
        }
        let cut = budget.cut();
        if cut > 0 {
            let most = limits::MAX_SHARED_NAME;
            let detail =
                format!("{cut} names of files, methods, threads or objects have more than {most} bytes: they are cut");
            self.problems.listed.push(Problem::new(ProblemKind::StateFull, detail));
        }
    }
}

/// What the parsers stated about a type.
#[derive(Debug, Default)]
struct Settled {
    schema: Option<Schema>,
    undecoded: Option<UndecodedReason>,
    /// The provider's name in the traits of the first event. It holds for all types of the provider.
    provider: Option<Box<str>>,
}

/// Returns how much the attempt to make a schema takes of [`limits::Limits::schemas`]. A failed attempt took time as
/// well.
fn cost(made: &Result<Option<Schema>>) -> usize {
    match made {
        Ok(schema) => schema.as_ref().map_or(0, Schema::weight),
        Err(error) if matches!(error.kind(), ErrorKind::Limit { .. }) => limits::MAX_SCHEMA / 4,
        Err(_) => 0,
    }
}

/// Returns the name of its provider that an event carries, at most [`limits::MAX_NAME`] bytes of it.
fn provider_in_traits(event: &RawEvent<'_>) -> Option<Box<str>> {
    let name = String::from_utf8_lossy(event.traits()?.name);
    (!name.is_empty()).then(|| shortened(&name).into())
}

/// Returns what an event lacks after the query of the providers.
fn what_lacks(schema: Option<&Schema>, event: &RawEvent<'_>, providers: &Providers) -> Option<UndecodedReason> {
    let Some(schema) = schema else {
        return Some(if providers.know(&event.key()) { UndecodedReason::Event } else { UndecodedReason::Provider });
    };
    // A schema without fields for an event with a payload only names the event.
    let has_none = schema.fields().is_empty() && schema.alternative().is_none() && !event.payload().is_empty();
    (has_none || !schema.has_layout()).then_some(UndecodedReason::Fields)
}

/// Returns the bytes of the event at a known place of a plain buffer.
fn event_bytes<'a>(source: &'a Input, info: &BufferInfo, place: Place, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
    let at = info.offset + u64::from(place.offset);
    let marker = info.framing.marker(source.window(at, MARKER, scratch)?);
    source.window(at, marker.map_or(0, |marker| marker.len), scratch)
}

/// Returns the event that `bytes` begin with, at a known place.
fn event_at<'d>(bytes: &'d [u8], place: Place, info: &BufferInfo, file: &TraceFile) -> Option<RawEvent<'d>> {
    let context = BufferContext { fallback_time: file.head.clock.zero(), place, ..info.context(place.buffer) };
    Walk::part(bytes, context).next_event()
}

pub(super) fn schema_problem(event: &RawEvent<'_>, error: &Error) -> Problem {
    let key = event.key();
    let detail = format!("{} {} id {} version {}: {error:#}", key.kind.name(), key.provider, key.id, key.version);
    Problem::new(ProblemKind::BadSchema, detail).of_file(event.place().file)
}
