//! Values of an event's fields, read back from the text of a line.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use etwkit::FileTime;
use etwkit::schema::{Schema, Wire};
use etwkit::time::Calendar;

use crate::view::{Column, ColumnSource, Enumeration, Type, Views};

/// What is known of a field.
#[derive(Clone, Debug)]
pub(super) enum FieldValue {
    /// The bits of a number.
    Bits(u64),
    /// Some text; if the line has only its beginning, also its end, as far as another field contains that.
    Text(String, Option<String>),
}

impl FieldValue {
    /// A text as it is in a line.
    pub(super) fn text(text: &str) -> Self {
        match text.strip_suffix("...") {
            Some(start) => Self::Text(start.to_owned(), Some(String::new())),
            None => Self::Text(text.to_owned(), None),
        }
    }
}

/// Fields by name.
pub(super) type Fields = HashMap<String, FieldValue>;

/// Ticks of a microsecond in the traces made here.
pub(super) const TICKS: i64 = 10;

/// Returns the values of the schema's fields that follow from a view's columns. `now` is the event's raw time.
pub(super) fn fields(views: &Views, columns: &[Column], values: &[String], now: i64) -> Fields {
    let mut fields = Fields::new();
    for (column, text) in columns.iter().zip(values) {
        let value = field_value(views, &column.shown_as, text);
        match &column.source {
            ColumnSource::Number(_) => {}
            ColumnSource::Field(name) => {
                fields.insert(name.to_string(), value);
            }
            ColumnSource::Call(name, arguments) => {
                // A member of an array's first struct goes by its own name.
                let at = if &**name == "element" { 2 } else { 0 };
                let Some(field) = arguments.get(at) else { continue };
                let is_known = name.as_ref() == "unix_time" && fields.contains_key(&**field);
                if let Some(value) = uncalled(name, arguments, &value, now).filter(|_| !is_known) {
                    join(fields.entry(field.to_string()), value);
                }
            }
        }
    }
    // A column stands in for a source that has no value, unless it shows the header.
    for (column, text) in columns.iter().zip(values) {
        if matches!(&column.source, ColumnSource::Call(_, arguments) if arguments.is_empty()) {
            continue;
        }
        fields.entry(column.name.to_string()).or_insert_with(|| field_value(views, &column.shown_as, text));
    }
    fields
}

/// Returns the values of a line under the names of a schema, which has TraceEvent's names as other names or in other
/// letter case. What is known of bits belongs to the field that contains them.
pub(super) fn spelled(schema: &Schema, fields: &Fields) -> Fields {
    let mut all = fields.clone();
    for field in schema.fields() {
        let is_known = all.contains_key(&*field.name);
        let other = || fields.iter().find(|(name, _)| field.is_alias(name) || field.name.eq_ignore_ascii_case(name));
        if let Some((_, value)) = Some(()).filter(|()| !is_known).and_then(|()| other()) {
            all.insert(field.name.to_string(), value.clone());
        }
        let Wire::Bits { of, first, .. } = field.wire else { continue };
        let whole = schema.fields().get(usize::from(of)).map_or("", |whole| &*whole.name);
        if let Some(FieldValue::Bits(part)) = all.get(&*field.name).cloned()
            && let FieldValue::Bits(bits) = all.entry(whole.to_owned()).or_insert(FieldValue::Bits(0))
        {
            *bits |= part.checked_shl(first.into()).unwrap_or(0);
        }
    }
    all
}

/// Several columns may show one field: bits of it, or the end of a text.
fn join(entry: Entry<'_, String, FieldValue>, value: FieldValue) {
    match entry {
        Entry::Vacant(place) => {
            place.insert(value);
        }
        Entry::Occupied(mut old) => match (old.get_mut(), value) {
            (FieldValue::Bits(all), FieldValue::Bits(bits)) => *all |= bits,
            (FieldValue::Text(_, Some(end)), FieldValue::Text(text, cut)) => {
                *end = text + if cut.is_some() { "x" } else { "" }
            }
            _ => {}
        },
    }
}

/// The argument for which a function gives this value; nothing where many do or the value is not the event's.
fn uncalled(name: &str, arguments: &[Box<str>], value: &FieldValue, now: i64) -> Option<FieldValue> {
    let text = |value: &FieldValue| match value {
        FieldValue::Text(text, _) => Some(text.clone()),
        FieldValue::Bits(_) => None,
    };
    let bits = |value: &FieldValue| match value {
        FieldValue::Bits(bits) => Some(*bits),
        FieldValue::Text(..) => None,
    };
    let ticks = || {
        let millis: f64 = text(value)?.replace(',', "").parse().ok()?;
        Some((millis * 1000.0 * TICKS as f64).round() as i64)
    };
    Some(match name {
        "path" | "object" | "file_name" | "element" => value.clone(),
        "unix_time" => {
            let filetime = bits(value)?.cast_signed();
            FieldValue::Bits(((filetime - FileTime::UNIX_EPOCH.0) / 10_000_000).cast_unsigned() & 0xffff_ffff)
        }
        "since" => FieldValue::Bits((now - ticks()?).cast_unsigned()),
        "milliseconds" => FieldValue::Bits(ticks()?.cast_unsigned()),
        "bits" => FieldValue::Bits(bits(value)?.checked_shl(arguments.get(1)?.parse().ok()?)?),
        "tier" => FieldValue::Bits(bits(value)? << 7),
        "top_bit" => FieldValue::Bits(match bits(value)? {
            0x400 => 0,
            bit => 0x8000_0000 | 1 << bit,
        }),
        _ => return None,
    })
}

/// A column's text as its type states.
pub(super) fn field_value(views: &Views, shown_as: &Type, text: &str) -> FieldValue {
    let bits = match shown_as {
        Type::Int | Type::Long | Type::Address | Type::Bool => number(text),
        Type::DateTime => filetime(text),
        Type::Enum(place) => views.enumeration(*place).and_then(|all| bits_of(all, text)).or_else(|| number(text)),
        Type::Value(_) | Type::Plain => None,
    };
    bits.map_or_else(|| FieldValue::text(text), FieldValue::Bits)
}

/// The bits of a number as .NET writes it.
pub(super) fn number(text: &str) -> Option<u64> {
    match text {
        "True" => return Some(1),
        "False" => return Some(0),
        _ => {}
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok();
    }
    if let Ok(address) = text.parse::<std::net::Ipv4Addr>() {
        return Some(u32::from_le_bytes(address.octets()).into());
    }
    // A number that is cut: the rest of its last group, so that there is more than the line has.
    let missing = text.strip_suffix("...").map_or(0, |text| 3 - (text.rsplit(',').next().map_or(0, str::len)).min(3));
    let digits = text.trim_end_matches("...").replace(',', "") + &"0".repeat(missing);
    digits.parse::<u64>().ok().or_else(|| digits.parse::<i64>().ok().map(i64::cast_unsigned))
}

/// `yy/MM/dd HH:mm:ss.ff...`: the line never has more than hundredths of a second.
pub(super) fn filetime(text: &str) -> Option<u64> {
    let text = text.strip_suffix("...")?;
    let (date, time) = text.split_once(' ')?;
    let mut parts = date.split('/').map(|part| part.parse::<u16>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let (clock, hundredths) = time.split_once('.')?;
    let mut parts = clock.split(':').map(|part| part.parse::<u16>().ok());
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    let years = if year < 30 { 2000 } else { 1900 } + year;
    let millisecond = hundredths.parse::<u16>().ok()?.checked_mul(10)?;
    let date = Calendar { year: years, month, day, hour, minute, second, millisecond };
    FileTime::from_calendar(date).map(|time| time.0.cast_unsigned())
}

/// The bits of an enumeration's text, which may be cut within its last name.
fn bits_of(all: &Enumeration, text: &str) -> Option<u64> {
    let (text, cut) = text.strip_suffix("...").map_or((text, false), |text| (text, true));
    let mut bits = 0;
    let mut names = text.split(", ").peekable();
    while let Some(name) = names.next() {
        let is_last = names.peek().is_none();
        let fits = |known: &str| known == name || (cut && is_last && known.starts_with(name));
        let mut found = all.values.iter().filter(|(_, known)| fits(known));
        bits |= found.next()?.0;
    }
    Some(bits.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use etwkit::FileTime;
    use etwkit::time::Calendar;

    use super::*;

    #[test]
    fn numbers_and_times_come_back() {
        assert_eq!(number("-1"), Some(u64::MAX));
        assert_eq!(number("1,234"), Some(1234));
        assert_eq!(number("0x00ff"), Some(255));
        let date = Calendar { year: 2020, month: 7, day: 29, hour: 10, minute: 7, second: 10, millisecond: 690 };
        let time = FileTime::from_calendar(date).unwrap();
        assert_eq!(filetime("20/07/29 10:07:10.69..."), Some(time.as_units().cast_unsigned()));
    }
}
