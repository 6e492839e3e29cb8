//! How the columns of a table are made.

use etwkit::Event;
use etwkit::bytes::Guid;
use etwkit::decode::{Attribution, PendingEvent};
use etwkit::output::FieldsJson;
use etwkit::select::HeaderField;

use crate::array::Array;
use crate::coders::Coders;
use crate::files::Files;
use crate::head::{Head, parts};
use crate::header_column::HeaderColumn;
use crate::heads::{HeadColumn, Heads};
use crate::shapes::{Constant, Prepared};
use crate::table::{Column, Source, Table};

/// How the columns of a table are made, by their places.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is of its own")]
pub(crate) struct Plan {
    /// Those that are filled from shapes when the rows are handed over.
    pub(crate) constants: Vec<(usize, Constant)>,
    /// Those that heads have.
    pub(crate) heads: Vec<(usize, HeadColumn)>,
    /// Whether some columns show the name of the process.
    shows_process: bool,
    activities: Vec<(usize, ActivityOp)>,
    fields: Option<usize>,
    message: Option<usize>,
    /// Whether there are columns of the payload.
    pub(crate) has_payload: bool,
    /// Whether it matters what does not fit.
    shows_misfits: bool,
    /// Whether some columns depend on whom an event is about.
    shows_subject: bool,
    /// Whether each event must be located.
    is_located: bool,
    /// Bytes of a row without its texts, about.
    pub(crate) row_bytes: usize,
}

/// An activity in a column.
#[derive(Clone, Copy, Debug)]
enum ActivityOp {
    Own,
    Related,
}

impl Plan {
    pub(crate) fn new(table: &Table) -> Self {
        let mut plan = Self { row_bytes: 4, ..Self::default() };
        for (place, column) in table.columns().iter().enumerate() {
            plan.add(place, column);
        }
        // What makes one of them may find that an event must be located after the other one has been made.
        plan.is_located |= plan.has_payload && plan.fields.is_some();
        plan
    }

    fn add(&mut self, place: usize, column: &Column) {
        self.row_bytes += 4;
        let field = match column.source {
            Source::Payload(_) => return self.has_payload = true,
            Source::Header(HeaderColumn::Time100ns) => return self.add_head(place, HeadColumn::Time100ns),
            Source::Header(HeaderColumn::Offset) => return self.add_head(place, HeadColumn::Offset),
            Source::Header(HeaderColumn::Member(field)) => field,
        };
        if let Some(constant) = Constant::of(field) {
            return self.constants.push((place, constant));
        }
        match field {
            HeaderField::Time => self.add_head(place, HeadColumn::Time),
            HeaderField::RawTime => self.add_head(place, HeadColumn::RawTime),
            HeaderField::Pid => self.add_head(place, HeadColumn::Pid),
            HeaderField::Tid => self.add_head(place, HeadColumn::Tid),
            HeaderField::Process => self.add_head(place, HeadColumn::Process),
            HeaderField::Cpu => self.add_head(place, HeadColumn::Cpu),
            HeaderField::File => self.add_head(place, HeadColumn::File),
            HeaderField::Activity => self.activities.push((place, ActivityOp::Own)),
            HeaderField::RelatedActivity => self.activities.push((place, ActivityOp::Related)),
            HeaderField::Fields => self.fields = Some(place),
            HeaderField::Message => self.message = Some(place),
            // Events that fit have neither.
            HeaderField::Problem | HeaderField::Extra => self.shows_misfits = true,
            _ => self.is_located = true,
        }
    }

    fn add_head(&mut self, place: usize, column: HeadColumn) {
        self.shows_subject |= column.part() & SUBJECT != 0;
        self.shows_process |= column == HeadColumn::Process;
        self.heads.push((place, column));
    }

    /// Looks whether payloads fit, although no column shows it.
    pub(crate) const fn show_misfits(&mut self) {
        self.shows_misfits = true;
    }

    /// Returns whether the rows of a type can be made without locating fields, given that the payload fits exactly.
    pub(crate) const fn is_quick(&self, of: &Prepared) -> bool {
        of.is_compiled && !self.is_located
    }

    /// Returns whether the payload must be looked at for the columns of the header.
    pub(crate) const fn needs_fit(&self, of: &Prepared) -> bool {
        self.shows_misfits || of.depends_on_layout || (self.shows_subject && of.has_subject)
    }

    /// Appends the payload as JSON, if there is a column for it. `None` if the fields must be located; else the bytes of
    /// the text, and whether there was one.
    pub(crate) fn push_fields(
        &self,
        json: &mut FieldsJson,
        pending: &mut PendingEvent<'_>,
        (arrays, row): (&mut [Array], usize),
    ) -> Option<(usize, bool)> {
        let Some(place) = self.fields else { return Some((0, false)) };
        let array = arrays.get_mut(place)?;
        array.pad(row);
        let bytes = array.push_text_if(|out| json.push_pending(out, pending))?;
        Some((bytes, true))
    }

    /// Returns whom an event is about, as far as columns show it; `None` if its fields must be located for that.
    #[inline]
    pub(crate) fn attribution(&self, pending: &PendingEvent<'_>, writer: Attribution) -> Option<Attribution> {
        if self.shows_subject { pending.attribution_of(writer) } else { Some(Attribution::default()) }
    }

    /// Returns whether columns show what heads have.
    pub(crate) const fn has_heads(&self) -> bool {
        !self.heads.is_empty()
    }

    /// Returns whether there is a column of payloads as JSON.
    pub(crate) const fn has_fields(&self) -> bool {
        self.fields.is_some()
    }

    /// Returns whether there are columns of activities.
    #[inline]
    pub(crate) const fn has_activities(&self) -> bool {
        !self.activities.is_empty()
    }

    /// Appends what columns show of a header, given the process and thread that the event is about, and the parts that it
    /// has beside them.
    #[inline]
    pub(crate) fn push_head(
        &self,
        heads: &mut Heads,
        pending: &PendingEvent<'_>,
        (found, other_parts): (Attribution, u16),
        (coders, files): (&mut Coders, &mut Files),
    ) {
        files.note(pending, coders);
        let raw = pending.raw();
        let place = raw.place();
        let part = |is_there: bool, part: u16| if is_there { part } else { 0 };
        let process = found.pid.filter(|_| self.shows_process).and_then(|pid| coders.process(pid, pending));
        // Written to its place at once: what was written in parts is slow to copy as a whole.
        heads.push(Head {
            raw_time: raw.time().0,
            offset: files.offsets.offset(place),
            pid: found.pid.unwrap_or(0),
            tid: found.tid.unwrap_or(0),
            process: process.unwrap_or(0),
            file: place.file,
            cpu: raw.processor(),
            parts: other_parts
                | part(found.pid.is_some(), parts::PID)
                | part(found.tid.is_some(), parts::TID)
                | part(process.is_some(), parts::PROCESS),
        });
    }

    /// Appends the activities of an event that may have some. Returns the bytes of texts.
    #[inline(never)]
    pub(crate) fn push_activities(
        &self,
        pending: &PendingEvent<'_>,
        (activity, has_extended): (Option<Guid>, bool),
        (arrays, row): (&mut [Array], usize),
    ) -> usize {
        let mut bytes = 0;
        for (place, op) in &self.activities {
            let activity = match op {
                ActivityOp::Own => activity,
                ActivityOp::Related if has_extended => pending.raw().related_activity_id(),
                ActivityOp::Related => None,
            };
            if let Some(activity) = activity
                && let Some(array) = arrays.get_mut(*place)
            {
                array.pad(row);
                bytes += array.push_bytes(&activity.to_text());
            }
        }
        bytes
    }

    /// Appends the message of an event that has one. Returns its bytes.
    pub(crate) fn push_message(&self, event: &Event<'_>, (arrays, row): (&mut [Array], usize)) -> usize {
        let Some(array) = self.message.and_then(|place| arrays.get_mut(place)) else { return 0 };
        let Some(value) = HeaderField::Message.value(event) else { return 0 };
        array.pad(row);
        array.push_text(|out| value.push(out, event))
    }

    /// Returns whether there is a column of messages.
    pub(crate) const fn has_message(&self) -> bool {
        self.message.is_some()
    }
}

/// What is attributed.
const SUBJECT: u16 = parts::PID | parts::TID | parts::PROCESS;
