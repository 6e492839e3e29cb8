//! Compares a decoded event with the values that were put into it.

use etwkit::decode::{Event, FieldView, Fit, Value};
use etwkit::schema::{Count, DisplayFormat, Wire};

use crate::layout::{Made, State, made_text};
use crate::rules::{Finding, Names};
use crate::trace_event_facts::{Class, Role};

/// What is compared: an event of a version, written with pointers of a size.
#[derive(Debug)]
pub(crate) struct Case<'f> {
    /// The file of facts.
    pub(crate) file: &'f str,
    pub(crate) event: &'f str,
    pub(crate) class: &'f Class,
    pub(crate) version: u8,
    pub(crate) pointer: usize,
    pub(crate) made: Made,
}

impl Case<'_> {
    /// Returns the event's place in `unread.txt`.
    pub(crate) fn subject(&self) -> String {
        format!("{} {}", self.file, self.event)
    }
}

/// How much was compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Fields whose place, type and value are those of the facts.
    pub(crate) equal: usize,
    /// Fields that this version has not, in the facts as in ours.
    pub(crate) gated: usize,
    /// Payloads that our tables describe and the facts do not.
    pub(crate) unread: usize,
    /// Fields outside the payload: TraceEvent computes them or takes them from the header.
    pub(crate) computed: usize,
}

/// Compares.
pub(crate) fn compare(case: &Case<'_>, event: &Event<'_>, names: &Names, tally: &mut Tally) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut find = |kind, subject: String, detail: String| {
        found.push(Finding { kind, subject, version: case.version, pointer: case.pointer, detail });
    };
    let Some(schema) = event.schema() else {
        find("schema", case.event.into(), "no parser knows it".into());
        return found;
    };
    if schema.fields().is_empty() && !case.made.bytes.is_empty() {
        find("version", case.event.into(), "its name is known, but no layout for this version".into());
        return found;
    }
    let name = schema.names().full().unwrap_or_default();
    if name.replace(' ', "_") != case.event {
        find("title", case.event.into(), format!("it is called {name}"));
    }
    if case.made.bytes.is_empty() && !schema.fields().is_empty() {
        tally.unread += 1;
        find("unread", case.subject(), "the facts state nothing about the payload".into());
    }
    if event.fit() != Fit::Exact && !case.made.bytes.is_empty() {
        let misfit = event.misfit().map(|field| field.name.to_string());
        let detail = format!(
            "{:?} {misfit:?}, {} of {} bytes left",
            event.fit(),
            event.remainder().len(),
            case.made.bytes.len()
        );
        find("fit", case.event.into(), detail);
    }
    for (field, state) in case.class.fields.iter().zip(&case.made.fields) {
        let subject = format!("{}.{}", case.class.name, field.name);
        let theirs = if field.role == Role::Array { format!("{}[]", field.name) } else { field.name.clone() };
        let ours = names.of(&case.class.name, &theirs).trim_end_matches("[]");
        match state {
            State::At { start, end, read } => {
                // A 4-byte id may be read from a pointer's place.
                let is_there = |(first, last)| {
                    first == *start && (last == *end || (field.role == Role::Header && last == *end + 4))
                };
                let there = event.fields().filter(|view| is_there(range(event, view)));
                let payload = event.payload().get(*start..*end).unwrap_or_default();
                match judge(there, field.role, ours, read, *start, payload) {
                    Ok(()) => tally.equal += 1,
                    Err((kind, detail)) => find(kind, subject, format!("{start}..{end}: {detail}; {}", whole(event))),
                }
            }
            State::Absent if field.role != Role::Field => {}
            State::Absent => match event.field(ours) {
                Some(_) => find("gate", subject, format!("there is {ours}")),
                None => tally.gated += 1,
            },
            State::Elsewhere => tally.computed += 1,
            State::Unclear(_) if field.role == Role::Inner => {}
            State::Unclear(why) => find("unclear", subject, why.clone()),
        }
    }
    found
}

/// Returns whether one of the fields at the right place is the expected one.
#[expect(single_use_lifetimes, reason = "an `impl Trait` argument needs a named lifetime")]
fn judge<'v>(
    there: impl Iterator<Item = FieldView<'v>>,
    role: Role,
    ours: &str,
    read: &str,
    start: usize,
    bytes: &[u8],
) -> Result<(), (&'static str, String)> {
    let mut other = ("place", "no field lies there".to_owned());
    for view in there {
        if role == Role::Header {
            // The place identifies the field, so its name is not compared.
            let is_id = matches!(view.field.display, DisplayFormat::Pid | DisplayFormat::Tid);
            return if is_id { Ok(()) } else { Err(("type", format!("{} is not an id", view.field.name))) };
        }
        // Other letters are one name, and Windows' names come first: TraceEvent's are others of the field.
        if !view.field.name.eq_ignore_ascii_case(ours) && !view.field.is_alias(ours) {
            other = ("name", format!("it is called {}", view.field.name));
            continue;
        }
        return value(&view, role, read, start, bytes);
    }
    Err(other)
}

/// Returns whether a field's type and value are those of the facts.
fn value(
    view: &FieldView<'_>,
    role: Role,
    read: &str,
    start: usize,
    bytes: &[u8],
) -> Result<(), (&'static str, String)> {
    if role == Role::Array {
        return if view.field.count == Count::One { Err(("type", "no array".into())) } else { Ok(()) };
    }
    let Some(value) = view.value() else {
        return Err(("type", format!("{:?} is not a single value", view.field.wire)));
    };
    let number = || bytes.iter().rev().fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
    let mask = u64::MAX >> (64 - 8 * bytes.len().clamp(1, 8));
    let text = |text: String| {
        let text = text.trim_end_matches('\0');
        let wanted = made_text(read, start, bytes.len());
        if text == wanted { Ok(()) } else { Err(("value", format!("{text:?}, not {wanted:?}"))) }
    };
    let is = |equal| if equal { Ok(()) } else { Err(("value", format!("{value:?}"))) };
    match (read, value) {
        // That a field is as wide as a pointer is proved by both sizes of pointers.
        ("u8" | "i16" | "i32" | "i64" | "ptr", Value::Signed(..) | Value::Unsigned(..) | Value::Pointer(..)) => {
            is(value.as_u64().map(|value| value & mask) == Some(number()))
        }
        ("f64", Value::F64(value)) => is(value.to_bits() == number()),
        ("guid", Value::Guid(guid)) => is(guid.to_bytes() == *bytes),
        ("ipv6" | "bytes", Value::Bytes(value)) => is(value == bytes),
        ("utf16z" | "utf16_fixed", Value::Utf16(value)) => text(value.to_string()),
        ("utf8z", Value::Ansi(value)) => text(value.to_string()),
        ("utf8z", Value::Utf8(value)) => text(String::from_utf8_lossy(value).into_owned()),
        (_, value) => Err(("type", format!("{read}, but it is {value:?}"))),
    }
}

/// Returns the place of a field in the payload, or of the bytes of another field that it shows.
fn range(event: &Event<'_>, view: &FieldView<'_>) -> (usize, usize) {
    if let Wire::Bits { of, first, count } = view.field.wire
        && let Some(whole) = event.field_at(of.into())
    {
        let start = range(event, &whole).0 + usize::from(first / 8);
        return (start, start + usize::from(count / 8));
    }
    let start = view.bytes().as_ptr() as usize - event.payload().as_ptr() as usize;
    (start, start + view.bytes().len())
}

/// Our fields with their places, for whoever reads the finding.
fn whole(event: &Event<'_>) -> String {
    let fields = event.fields().map(|view| {
        let (start, end) = range(event, &view);
        format!("{} {start}..{end}", view.field.name)
    });
    format!("ours: {}", fields.collect::<Vec<_>>().join(", "))
}
