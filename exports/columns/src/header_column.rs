//! Columns of what is not in the payload.

use std::borrow::Cow;

use etwkit::Event;
use etwkit::decode::Attribution;
use etwkit::output::FieldsJson;
use etwkit::select::{HeaderField, HeaderValue};

use crate::array::{Array, Scalar, Values};
use crate::coders::{CoderPlace, Coders};
use crate::data_type::DataType;
use crate::files::Files;
use crate::memo::Memos;
use crate::shapes::Shapes;
use crate::time::microseconds;

/// A column that each event may have a value for, whatever its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeaderColumn {
    /// A member of the event's JSON line of the same name.
    Member(HeaderField),
    /// The time in units of 100 ns since 1601, exact; in the zone of the machine that wrote the event where the trace
    /// has such times.
    Time100ns,
    /// Where the event's header begins: bytes from the start of its file, or from that of its buffer if that is
    /// compressed.
    Offset,
}

impl HeaderColumn {
    /// Returns the columns of a table of events, in order: all but the payload.
    pub fn all() -> impl Iterator<Item = Self> {
        const MEMBERS: [HeaderField; 18] = [
            HeaderField::RawTime,
            HeaderField::Provider,
            HeaderField::ProviderGuid,
            HeaderField::Event,
            HeaderField::Id,
            HeaderField::Version,
            HeaderField::Level,
            HeaderField::Opcode,
            HeaderField::Task,
            HeaderField::Keywords,
            HeaderField::Channel,
            HeaderField::Pid,
            HeaderField::Tid,
            HeaderField::Cpu,
            HeaderField::Process,
            HeaderField::Activity,
            HeaderField::RelatedActivity,
            HeaderField::Kind,
        ];
        let first = [Self::Member(HeaderField::Time), Self::Time100ns];
        let place = [Self::Member(HeaderField::File), Self::Offset];
        let ends = [HeaderField::Message, HeaderField::Problem, HeaderField::Extra].map(Self::Member);
        first.into_iter().chain(MEMBERS.map(Self::Member)).chain(place).chain(ends)
    }

    /// Returns the column of a name, which is that of a member of JSON lines but for two; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "time_100ns" => Some(Self::Time100ns),
            "offset" => Some(Self::Offset),
            _ => HeaderField::from_name(name).map(Self::Member),
        }
    }

    /// Returns whether all events of a name have the same value: the name itself.
    pub(crate) const fn is_in_name(self) -> bool {
        matches!(self, Self::Member(HeaderField::Provider | HeaderField::Event))
    }

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Member(field) => field.name(),
            Self::Time100ns => "time_100ns",
            Self::Offset => "offset",
        }
    }

    /// Returns the type of its values.
    pub const fn data_type(self) -> DataType {
        match self {
            Self::Member(field) => type_of(field),
            Self::Time100ns => DataType::Signed(64),
            Self::Offset => DataType::Unsigned(64),
        }
    }

    /// Returns which texts its codes refer to; `None` if its values are not codes.
    pub(crate) const fn coder(self) -> Option<CoderPlace> {
        match self {
            Self::Member(field) => CoderPlace::of(field),
            Self::Time100ns | Self::Offset => None,
        }
    }

    /// Appends the value of an event, but for columns that are filled from shapes.
    #[inline]
    pub(crate) fn push(self, event: &Event<'_>, state: &mut HeaderState, array: &mut Array) {
        let field = match self {
            Self::Offset => {
                let offset = state.files.offsets.offset(event.raw().place());
                return array.push(Scalar::Integer(offset.into()));
            }
            Self::Time100ns => return push_integer(event.time().map(|time| time.0), array),
            Self::Member(HeaderField::Fields) => return state.push_fields(event, array),
            Self::Member(HeaderField::Pid) => return push_integer(state.attribution(event).pid, array),
            Self::Member(HeaderField::Tid) => return push_integer(state.attribution(event).tid, array),
            Self::Member(HeaderField::Process) => return state.push_process(event, array),
            Self::Member(HeaderField::File) => {
                return state.push_code(HeaderField::File, HeaderField::File.value(event).as_ref(), event, array);
            }
            Self::Member(field) => field,
        };
        match field.value(event) {
            // A column of times is UTC, and the zone of the machine is not known here.
            None | Some(HeaderValue::Time { is_local: true, .. }) => array.push_null(),
            Some(HeaderValue::Time { time, .. }) => push_integer(microseconds(time), array),
            Some(HeaderValue::Ticks(ticks)) => array.push(Scalar::Integer(ticks.0.into())),
            Some(HeaderValue::Number { value, .. } | HeaderValue::Bits(value)) if !is_text(array) => {
                array.push(Scalar::Integer(value.into()));
            }
            Some(HeaderValue::Real(value)) if !is_text(array) => array.push(Scalar::Float(value)),
            Some(HeaderValue::Text(text)) => array.push(Scalar::Text(text.as_bytes())),
            Some(other) => {
                array.push_text(|out| other.push(out, event));
            }
        }
    }
}

/// Returns the type of the values of a member.
const fn type_of(field: HeaderField) -> DataType {
    match field {
        HeaderField::Time => DataType::Time,
        HeaderField::RawTime => DataType::Signed(64),
        HeaderField::Version | HeaderField::Level | HeaderField::Opcode | HeaderField::Channel => DataType::Unsigned(8),
        HeaderField::Id | HeaderField::Task | HeaderField::Cpu => DataType::Unsigned(16),
        HeaderField::Pid
        | HeaderField::Tid
        | HeaderField::OldPid
        | HeaderField::NewPid
        | HeaderField::AwakenedPid
        | HeaderField::ParentPid
        | HeaderField::ParentTid => DataType::Unsigned(32),
        HeaderField::Keywords => DataType::Unsigned(64),
        HeaderField::ElapsedMs => DataType::F64,
        _ => DataType::Text,
    }
}

fn push_integer(number: Option<impl Into<i128>>, array: &mut Array) {
    match number {
        Some(number) => array.push(Scalar::Integer(number.into())),
        None => array.push_null(),
    }
}

/// What several columns of an event share, and what a thread keeps from one event to the next.
#[derive(Debug, Default)]
pub(crate) struct HeaderState {
    /// Whom the event is about, once a column has asked.
    attribution: Option<Attribution>,
    pub(crate) fields: FieldsJson,
    pub(crate) coders: Coders,
    pub(crate) files: Files,
    pub(crate) shapes: Shapes,
    pub(crate) memos: Memos,
}

impl HeaderState {
    /// Begins another event.
    pub(crate) const fn begin(&mut self) {
        self.attribution = None;
    }

    /// Returns the number of an event's shape.
    pub(crate) fn shape(&mut self, event: &Event<'_>) -> u32 {
        self.shapes.of_event(event, &mut self.coders)
    }

    /// Ends a batch. Returns whether shapes and codes are forgotten.
    pub(crate) fn end_batch(&mut self) -> bool {
        let is_forgotten = self.coders.end_batch();
        if is_forgotten {
            self.files.clear();
        }
        self.shapes.end_batch(is_forgotten)
    }

    fn push_code(&mut self, field: HeaderField, value: Option<&HeaderValue<'_>>, event: &Event<'_>, array: &mut Array) {
        match value.and_then(|value| self.coders.code(field, value, event)) {
            Some(code) => array.push_bits(code.into()),
            None => array.push_null(),
        }
    }

    fn attribution(&mut self, event: &Event<'_>) -> Attribution {
        *self.attribution.get_or_insert_with(|| event.attribution())
    }

    fn push_process(&mut self, event: &Event<'_>, array: &mut Array) {
        let pid = self.attribution(event).pid;
        let name = pid.and_then(|pid| event.system().process_name_at(pid, event.raw()));
        let name = name.map(|name| HeaderValue::Text(Cow::Borrowed(name)));
        self.push_code(HeaderField::Process, name.as_ref(), event, array);
    }

    fn push_fields(&mut self, event: &Event<'_>, array: &mut Array) {
        if !event.has_layout() {
            return array.push_null();
        }
        array.push_text(|out| {
            self.fields.push(out, event);
        });
    }
}

const fn is_text(array: &Array) -> bool {
    matches!(array.values(), Values::Text { .. })
}
