//! How the columns of a table are made.

use etwkit::Event;
use etwkit::decode::{Attribution, PendingEvent};
use etwkit::output::FieldsJson;
use etwkit::select::HeaderField;

use crate::array::Array;
use crate::coders::Coders;
use crate::header_column::HeaderColumn;
use crate::shapes::{Constant, Prepared};
use crate::table::{Column, Source, Table};
use crate::time::microseconds;

/// How the columns of a table are made, by their places.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Those that are filled from shapes when the rows are handed over.
    pub(crate) constants: Vec<(usize, Constant)>,
    header: Vec<(usize, RowOp)>,
    fields: Option<usize>,
    message: Option<usize>,
    /// Whether there are columns of the payload.
    pub(crate) has_payload: bool,
    /// Whether some columns show what does not fit.
    shows_misfits: bool,
    /// Whether some columns depend on whom an event is about.
    shows_subject: bool,
    /// Whether each event must be located.
    is_located: bool,
    /// Bytes of a row without its texts, about.
    pub(crate) row_bytes: usize,
}

/// A column whose values the header has.
#[derive(Clone, Copy, Debug)]
enum RowOp {
    Time,
    Time100ns,
    RawTime,
    Offset,
    Pid,
    Tid,
    Process,
    Cpu,
    Activity,
    RelatedActivity,
    File,
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
            Source::Header(HeaderColumn::Time100ns) => return self.header.push((place, RowOp::Time100ns)),
            Source::Header(HeaderColumn::Offset) => return self.header.push((place, RowOp::Offset)),
            Source::Header(HeaderColumn::Member(field)) => field,
        };
        if let Some(constant) = Constant::of(field) {
            return self.constants.push((place, constant));
        }
        let op = match field {
            HeaderField::Time => RowOp::Time,
            HeaderField::RawTime => RowOp::RawTime,
            HeaderField::Pid => RowOp::Pid,
            HeaderField::Tid => RowOp::Tid,
            HeaderField::Process => RowOp::Process,
            HeaderField::Cpu => RowOp::Cpu,
            HeaderField::Activity => RowOp::Activity,
            HeaderField::RelatedActivity => RowOp::RelatedActivity,
            HeaderField::File => RowOp::File,
            HeaderField::Fields => return self.fields = Some(place),
            HeaderField::Message => return self.message = Some(place),
            // Events that fit have neither.
            HeaderField::Problem | HeaderField::Extra => return self.shows_misfits = true,
            _ => return self.is_located = true,
        };
        self.shows_subject |= matches!(op, RowOp::Pid | RowOp::Tid | RowOp::Process);
        self.header.push((place, op));
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

    /// Appends the values of the header. Returns the bytes of texts.
    #[inline]
    pub(crate) fn push_header(
        &self,
        pending: &PendingEvent<'_>,
        found: Attribution,
        coders: &mut Coders,
        (arrays, row): (&mut [Array], usize),
    ) -> usize {
        let (raw, time) = (pending.raw(), pending.time());
        let mut bytes = 0;
        for (place, op) in &self.header {
            let Some(array) = arrays.get_mut(*place) else { continue };
            let bits = match op {
                RowOp::Time if is_local_time(pending) => None,
                RowOp::Time => time.and_then(microseconds).map(i64::cast_unsigned),
                RowOp::Time100ns => time.map(|time| time.0.cast_unsigned()),
                RowOp::RawTime => Some(raw.time().0.cast_unsigned()),
                RowOp::Offset => Some(raw.place().offset.into()),
                RowOp::Pid => found.pid.map(u64::from),
                RowOp::Tid => found.tid.map(u64::from),
                RowOp::Process => found.pid.and_then(|pid| coders.process(pid, pending)).map(u64::from),
                RowOp::Cpu => Some(raw.processor().into()),
                RowOp::File => file(pending, coders).map(u64::from),
                RowOp::Activity | RowOp::RelatedActivity => {
                    let is_own = matches!(op, RowOp::Activity);
                    let activity = if is_own { raw.activity() } else { raw.related_activity() };
                    if let Some(activity) = activity {
                        array.pad(row);
                        bytes += array.push_bytes(&activity.to_text());
                    }
                    continue;
                }
            };
            if let Some(bits) = bits {
                array.pad(row);
                array.push_bits(bits);
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

#[inline]
fn is_local_time(pending: &PendingEvent<'_>) -> bool {
    pending.schema().is_some_and(|schema| schema.names().is_local_time())
}

#[inline]
fn file(pending: &PendingEvent<'_>, coders: &mut Coders) -> Option<u32> {
    coders.file(pending.raw().place().file, || pending.file().map(|name| name.as_bytes().into()))
}
