//! Dictionaries that go from the payload into the output.

use etwkit::decode::PlacedFields;
use etwkit::event::Kind;
use etwkit::render::pen::{Escape, GrowingPen, Memory, Pen};
use etwkit::schema::{Count, DisplayFormat, Field, Map, MapKind, Schema};

use super::labels::Labels;
use super::list::{is_word, list, needs_braces, push_element};
use super::properties::{Buffers, push_entry};
use crate::names::FieldAppearance;
use crate::ops::{FieldOp, FieldOps, Form, Forms, Labels as OpLabels, Looks, OpEscape, Tags};

/// Text that is a word of a list as it is.
#[derive(Debug)]
struct WordEscape;

impl Escape for WordEscape {
    const SPECIAL: &'static [u8] = b"";
    const HAS_BACKSLASHES: bool = false;

    #[inline]
    fn special<M: Memory>(pen: &mut Pen<M>, c: char) {
        pen.char(c);
    }
}

impl OpEscape for WordEscape {
    /// A value that is not a word is the only element of a list, which is an element of the dictionary.
    #[inline]
    fn complete<M: Memory>(pen: &mut Pen<M>, start: usize) -> bool {
        let text = pen.written(start);
        if is_word(text) {
            return true;
        }
        let has_braces = needs_braces(text);
        if has_braces {
            pen.enclose(start, b"{{", b"}}");
        }
        has_braces
    }
}

/// Returns how names and values of a schema's fields are written; `None` if all payloads go through the executor.
pub(super) fn prepared(schema: &Schema, kind: Kind, labels: &Labels) -> Option<FieldOps> {
    if kind == Kind::StringOnly {
        return None;
    }
    let mut is_first = true;
    let shown = schema.top_level().filter_map(|(place, field)| {
        let (name, look) = (labels.name(place).unwrap_or(&field.name), labels.look(place));
        if look == FieldAppearance::Hidden {
            return None;
        }
        let tags = Tags::new(&key(name, std::mem::take(&mut is_first)), b"").list();
        let looks = looks(field, labels.map(schema, (place, field)), look);
        let op = looks.map_or_else(|| Some(FieldOp::walked(place)), |looks| FieldOp::new(place, field, looks));
        Some(op.filter(|_| !field.optional).map(|op| (op, tags)))
    });
    shown.collect::<Option<FieldOps>>().filter(|ops| !ops.is_empty())
}

/// Writes the names and values of an event's fields.
pub(super) fn write(
    pen: &mut GrowingPen,
    fields: &PlacedFields<'_>,
    ops: &FieldOps,
    (labels, buffers): (&Labels, &mut Buffers),
) {
    for (number, (op, tags)) in ops.iter().enumerate() {
        if !op.write::<WordEscape, _>(pen, fields, tags) {
            pen.with_vec(|out| push_entry(out, &fields.event(), (op.place, number == 0), labels, buffers));
        }
    }
}

/// Returns a name as an element, with the blanks around it.
fn key(name: &str, is_first: bool) -> Vec<u8> {
    let mut dict = if is_first { String::new() } else { "x".to_owned() };
    push_element(&mut dict, name);
    dict.push(' ');
    dict.split_off(usize::from(!is_first)).into_bytes()
}

/// Returns how values are shown, as `push_text` of `properties` does; `None` if that takes more than the number.
fn looks(field: &Field, map: Option<&Map>, look: FieldAppearance) -> Option<Looks> {
    let is_list = field.count != Count::One;
    let forms = match look {
        FieldAppearance::Decimal => all(Form::Decimal),
        FieldAppearance::Hex => all(Form::LowerHex),
        FieldAppearance::Schema => forms(field.display),
        FieldAppearance::Whole(_) | FieldAppearance::Hidden => return None,
    };
    let (labels, forms) = match map {
        None => (None, forms),
        Some(map) if map.kind() == MapKind::Values && !is_list => {
            (OpLabels::new(map, map.entries(), push_label), Forms { pointer: Form::Other, ..forms })
        }
        Some(_) => return None,
    };
    Some(Looks { forms, labels, has_braces: false })
}

const fn all(form: Form) -> Forms {
    Forms { unsigned: form, signed: form, pointer: form }
}

/// Returns the forms of integers without names.
fn forms(display: DisplayFormat) -> Forms {
    use DisplayFormat as D;
    let (unsigned, signed, pointer) = match display {
        D::Plain => (Form::Decimal, Form::Decimal, Form::LowerHex),
        D::Pid | D::Tid => (Form::Decimal, Form::Decimal, Form::Other),
        D::Unsigned => (Form::Decimal, Form::Decimal, Form::Decimal),
        // The bits of an unsigned number may be a negative one.
        D::Signed => (Form::Other, Form::Decimal, Form::Other),
        D::Hex | D::CodePointer | D::NtStatus | D::HResult => (Form::LowerHex, Form::LowerHex, Form::LowerHex),
        D::Win32Error | D::ErrorCode => (Form::LowerHex, Form::Other, Form::Other),
        D::Bool => (Form::Bool, Form::Bool, Form::Other),
        _ => (Form::Other, Form::Other, Form::Other),
    };
    Forms { unsigned, signed, pointer }
}

/// Appends a name as the value of an entry.
fn push_label(out: &mut Vec<u8>, name: &str) {
    let element = if is_word(name.as_bytes()) { name.to_owned() } else { list([list([name])]) };
    out.extend_from_slice(element.as_bytes());
}
