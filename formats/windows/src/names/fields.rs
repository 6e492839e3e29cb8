//! The names and appearances of fields in reports.

use std::ops::Deref;
use std::sync::Arc;

use etwkit::decode::{Event, FieldView, Value};
use etwkit::event::RawEvent;
use etwkit::format::hook_guid;
use etwkit::schema::{DisplayFormat, Field, Scalar, Schema, Wire};

use super::{Alias, FieldAppearance};

/// What is made of the names and looks of a schema's fields, kept from one event to the next where it cannot differ: a
/// schema may be large, and the descriptors of its events may change from one to the next.
#[derive(Debug)]
pub(crate) struct OfSchema<T> {
    /// Whether it depends on the schema and the key alone: an alias is of one version, a file's header of one
    /// level.
    of_schema: bool,
    made: Arc<T>,
}

impl<T> OfSchema<T> {
    /// Returns the result of `make` for an event, or the one for an earlier event of the same key and schema.
    pub(crate) fn new(
        event: &Event<'_>,
        alias: Option<(&Alias, bool)>,
        known: Option<&Self>,
        make: impl FnOnce() -> T,
    ) -> Self {
        let of_schema = event.type_id().is_some() && alias.is_none() && !is_file_header(event.raw());
        let kept = known.filter(|known| of_schema && known.of_schema);
        let made = kept.map_or_else(|| Arc::new(make()), |known| Arc::clone(&known.made));
        Self { of_schema, made }
    }
}

impl<T> Deref for OfSchema<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.made
    }
}

/// Returns name and appearance of each field of a schema, by place; members of structs stay unchanged. An alias of the
/// same version gives names by order; an alias of another version only gives their spelling.
pub(crate) fn fields<'a>(
    event: &RawEvent<'_>,
    schema: &'a Schema,
    alias: Option<(&'a Alias, bool)>,
) -> Vec<(&'a str, FieldAppearance)> {
    let is_hidden = |field: &Field| field.display == DisplayFormat::Hidden || is_part(field);
    let own = |field| if is_hidden(field) { FieldAppearance::Hidden } else { FieldAppearance::Schema };
    let mut all: Vec<(&str, FieldAppearance)> =
        schema.fields().iter().map(|field| (&*field.name, own(field))).collect();
    for ((at, field), (_, reported)) in schema.reported_fields() {
        if let Some(slot) = all.get_mut(at) {
            *slot = (&*reported.name, reported_look(field, reported));
        }
    }
    if is_file_header(event) {
        for field in &mut all {
            *field = header_field(field);
        }
        return all;
    }
    let Some((alias, exact)) = alias else { return all };
    let every: Vec<usize> = schema.top_level().filter(|(_, field)| !is_part(field)).map(|(at, _)| at).collect();
    let visible: Vec<usize> = schema.top_level().filter(|(_, field)| !is_hidden(field)).map(|(at, _)| at).collect();
    let named = |places: &[usize]| -> Vec<&str> {
        places.iter().filter_map(|at| schema.fields().get(*at)).map(|field| &*field.name).collect()
    };
    let spread = spread(alias);
    // Padding that a schema hides is a field of the report.
    let places = [&every, &visible].into_iter().find(|places| is_prefix(&spread, &named(places), exact));
    for (number, at) in places.unwrap_or(&every).iter().enumerate() {
        let Some(slot) = all.get_mut(*at) else { continue };
        let same = |field: &&(&str, FieldAppearance)| {
            field.0.eq_ignore_ascii_case(slot.0) && !matches!(field.1, FieldAppearance::Whole(_))
        };
        let found = if places.is_some() { spread.get(number) } else { spread.iter().find(same) };
        if let Some(found) = found {
            *slot = *found;
        }
    }
    all
}

/// Returns the field of a table that an insert of Windows' message for its events names by number.
pub(crate) fn reported_field<'a>(event: &Event<'a>, schema: &Schema, number: u16) -> Option<FieldView<'a>> {
    let ((place, _), _) = schema.reported_fields().nth(usize::from(number).checked_sub(1)?)?;
    event.field_at(place)
}

/// Returns the places of the fields that messages and elements of reports name by number, in order.
pub(crate) fn numbered(schema: &Schema) -> Vec<usize> {
    if schema.has_report() {
        return schema.reported_fields().map(|((place, _), _)| place).collect();
    }
    schema.top_level().map(|(place, _)| place).collect()
}

/// Returns whether a field shows a part of another one, which a report has as a whole.
const fn is_part(field: &Field) -> bool {
    matches!(field.wire, Wire::Bits { .. })
}

/// Returns the look of a field as Windows has it, where that is another than the schema's.
fn reported_look(field: &Field, reported: &Field) -> FieldAppearance {
    // Addresses are hexadecimal anyway.
    let is_address = field.wire == Wire::Scalar(Scalar::Pointer);
    let is_number = matches!(field.wire, Wire::Scalar(_)) && reported.wire == field.wire && !is_address;
    match (field.display, reported.display) {
        (_, DisplayFormat::Hidden) => FieldAppearance::Hidden,
        (own, DisplayFormat::Hex) if is_number && own != DisplayFormat::Hex => FieldAppearance::Hex,
        (DisplayFormat::Hex, DisplayFormat::Plain | DisplayFormat::Unsigned | DisplayFormat::Signed) if is_number => {
            FieldAppearance::Decimal
        }
        _ => FieldAppearance::Schema,
    }
}

/// Returns the fields of an alias, one for each of the schema's: after a [`FieldAppearance::Whole`] those that are in
/// it.
fn spread(alias: &Alias) -> Vec<(&str, FieldAppearance)> {
    let fields = alias.fields.iter().flat_map(|(name, look)| {
        let parts = if let FieldAppearance::Whole(parts) = look { usize::from(*parts).saturating_sub(1) } else { 0 };
        std::iter::once((&**name, *look)).chain(std::iter::repeat_n(("", FieldAppearance::Hidden), parts))
    });
    fields.collect()
}

/// Returns the value of the field at a place as the report has it: of a [`FieldAppearance::Whole`] with the fields
/// after it.
pub(crate) fn whole<'v>(event: &Event<'_>, place: usize, look: FieldAppearance, value: Value<'v>) -> Value<'v> {
    let (FieldAppearance::Whole(parts), Value::Unsigned(mut whole, mut width)) = (look, value) else { return value };
    for at in (place + 1..).take(usize::from(parts).saturating_sub(1)) {
        let Some(Value::Unsigned(part, bytes)) = event.field_at(at).and_then(|view| view.value()) else { break };
        whole |= part.checked_shl(8 * u32::from(width)).unwrap_or(0);
        width = width.saturating_add(bytes);
    }
    Value::Unsigned(whole, width)
}

/// Returns whether an alias names fields by their order: all of them, or fewer if later versions added fields at the
/// end, with no common name at a different place. For an alias of another version, at least half the names must agree.
fn is_prefix(fields: &[(&str, FieldAppearance)], names: &[&str], exact: bool) -> bool {
    if fields.is_empty() || fields.len() > names.len() {
        return false;
    }
    let place = |name: &str| names.iter().position(|own| own.eq_ignore_ascii_case(name));
    let places: Vec<(usize, Option<usize>)> = fields.iter().map(|field| place(field.0)).enumerate().collect();
    let agree = places.iter().filter(|(at, own)| *own == Some(*at)).count();
    let moved = places.iter().any(|(at, own)| own.is_some_and(|own| own != *at));
    (exact && fields.len() == names.len()) || (!moved && 2 * agree >= fields.len())
}

/// Returns whether the report numbers the elements of a field: `Stack1`, `Stack2` and so on.
pub(crate) fn is_numbered(name: &str, alias: Option<(&Alias, bool)>) -> bool {
    alias.is_some_and(|(alias, _)| {
        let has = |number: u8| alias.fields.iter().any(|field| *field.0 == *format!("{name}{number}"));
        has(1) && has(2)
    })
}

/// Returns whether it is the event with a file's header.
pub(crate) fn is_file_header(event: &RawEvent<'_>) -> bool {
    event.hook() == Some(0) || event.provider_guid() == hook_guid(0) && event.opcode() == 0 && event.level() == 0
}

/// Returns the file header's fields: the two addresses are there, the time zone is not.
fn header_field<'a>(field: &(&'a str, FieldAppearance)) -> (&'a str, FieldAppearance) {
    match field.0 {
        "LoggerName" | "LogFileName" | "LogFileMode" | "ReservedFlags" => (field.0, FieldAppearance::Hex),
        "UtcOffsetMinutes" | "StandardName" | "StandardDate" | "StandardBias" | "DaylightName" | "DaylightDate"
        | "DaylightBias" => (field.0, FieldAppearance::Hidden),
        "Version" => (field.0, FieldAppearance::Decimal),
        _ => *field,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alias(names: &[&str]) -> Alias {
        let fields = names.iter().map(|name| ((*name).into(), FieldAppearance::Schema)).collect();
        Alias { fields, ..Alias::default() }
    }

    #[test]
    fn an_alias_names_by_order_where_nothing_moved() {
        let old = alias(&["DiskNumber", "IrpFlags", "FileObject"]);
        let is_prefix = |alias: &Alias, names: &[&str], exact| is_prefix(&spread(alias), names, exact);
        // As many as there are, of this very version: by order, whatever they are called.
        assert!(is_prefix(&old, &["a", "b", "c"], true));
        assert!(!is_prefix(&old, &["a", "b", "c"], false));
        // A field more at the end.
        assert!(is_prefix(&old, &["DiskNumber", "IrpFlags", "FileKey", "IssuingThreadId"], false));
        // One more before others: common names are at different places.
        assert!(!is_prefix(&old, &["DiskNumber", "Signature", "IrpFlags", "FileKey"], false));
        // One less, and nothing to go by.
        assert!(!is_prefix(&old, &["DiskNumber", "IrpFlags"], true));
        assert!(!is_prefix(&alias(&[]), &["DiskNumber"], true));
    }

    #[test]
    fn one_field_may_be_several_of_the_schema() {
        let fields = [("Thread".into(), FieldAppearance::Decimal), ("Count".into(), FieldAppearance::Whole(3))].into();
        let alias = Alias { fields, ..Alias::default() };
        let spread = spread(&alias);
        assert_eq!(
            spread,
            [
                ("Thread", FieldAppearance::Decimal),
                ("Count", FieldAppearance::Whole(3)),
                ("", FieldAppearance::Hidden),
                ("", FieldAppearance::Hidden)
            ]
        );
        assert!(is_prefix(&spread, &["ThreadId", "Count", "Flags", "Rank"], true));
        assert!(!is_prefix(&spread, &["ThreadId", "Count", "Flags"], true));
    }

    #[test]
    fn frames_of_stacks_have_numbers() {
        let frames = alias(&["StackThread", "Stack1", "Stack2"]);
        assert!(is_numbered("Stack", Some((&frames, true))));
        assert!(!is_numbered("StackThread", Some((&frames, true))));
        assert!(!is_numbered("Stack", None));
    }
}
