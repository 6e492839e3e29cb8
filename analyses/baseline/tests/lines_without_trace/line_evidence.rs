//! What the columns of a line state about the header of its event and about other events.

use etwkit::schema::Schema;

use crate::candidate::{EarlierEvent, NOBODY};
use crate::field_values::{self, FieldValue, Fields};
use crate::line::Line;
use crate::view::{Column, ColumnSource};

/// The device that lines show as drive C.
pub(super) const DEVICE: &str = "\\Device\\HarddiskVolume2\\";

/// The same with paths as the kernel writes them.
pub(super) fn on_device(columns: &[Column], mut fields: Fields) -> Fields {
    for column in columns {
        if let ColumnSource::Call(name, arguments) = &column.source
            && &**name == "path"
            && let Some(FieldValue::Text(path, _)) = arguments.first().and_then(|field| fields.get_mut(&**field))
            && let Some(rest) = path.strip_prefix("C:\\")
        {
            *path = format!("{DEVICE}{rest}");
        }
    }
    fields
}

/// The payload also names the process of the event, where no column shows it.
pub(super) fn with_subject(line: &Line, schema: &Schema, fields: &Fields) -> Fields {
    let mut fields = field_values::spelled(schema, fields);
    let subject = schema.subject();
    for (place, id) in [(subject.process, line.pid), (subject.thread, line.tid)] {
        if let Some(field) = place.and_then(|place| schema.fields().get(usize::from(place))) {
            fields.entry(field.name.to_string()).or_insert(FieldValue::Bits(id.cast_unsigned().into()));
        }
    }
    fields
}

/// Ids that the header may have had: none, where the payload names the process; a thread's creator; the line's.
pub(super) fn header_ids(line: &Line, columns: &[Column], values: &[String]) -> Vec<(u32, u32)> {
    let value = |call: &str| {
        let at = columns
            .iter()
            .position(|column| matches!(&column.source, ColumnSource::Call(name, _) if &**name == call))?;
        values.get(at).and_then(|text| field_values::number(text)).map(|bits| bits as u32)
    };
    let mut ids = vec![NOBODY, (line.pid.cast_unsigned(), line.tid.cast_unsigned())];
    if let Some(thread) = value("parent_thread") {
        ids.push((value("parent_process").unwrap_or(u32::MAX), thread));
    }
    if let Some(process) = value("parent_process") {
        ids.push((process, line.tid.cast_unsigned()));
    }
    ids
}

/// What the columns of a line show of other events.
pub(super) fn earlier(columns: &[Column], values: &[String], fields: &Fields) -> Vec<EarlierEvent> {
    let mut earlier = Vec::new();
    let bits = |name: &str| match fields.get(name) {
        Some(FieldValue::Bits(bits)) => Some(*bits),
        _ => None,
    };
    let mut process = None;
    for (column, value) in columns.iter().zip(values) {
        let ColumnSource::Call(name, arguments) = &column.source else { continue };
        let argument = arguments.first().and_then(|name| bits(name));
        match (&**name, argument) {
            ("process_of", Some(thread)) => {
                process = field_values::number(value).map(|pid| pid as u32).filter(|pid| pid.cast_signed() >= 0);
                earlier.extend(process.filter(|_| thread != 0).map(|pid| EarlierEvent::Thread(thread as u32, pid)));
            }
            ("process_name_of", Some(_)) => {
                earlier.extend(process.map(|pid| EarlierEvent::Process(pid, value.clone())));
            }
            ("file", _) if !value.is_empty() => {
                let keys = arguments.iter().filter_map(|name| bits(name));
                let name = value.strip_suffix("...").map_or_else(|| value.clone(), |start| format!("{start}x"));
                earlier.extend(keys.take(1).map(|key| EarlierEvent::File(key, name.clone())));
            }
            _ => {}
        }
    }
    earlier
}
