//! One field as text, for those who take fields one by one.

use std::fmt;

use crate::clock::Clock;
use crate::decode::FieldView;

use super::json::{FieldKeys, push_field};
use super::value::{ValueContext, to_string};

/// A single value as the text outputs show it, an array or a struct as JSON. Times in ticks of the session's clock stay
/// numbers: only the trace knows the clock.
impl fmt::Display for FieldView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(value) = self.value() {
            return f.write_str(&to_string(value, ValueContext { field: self.field, map: self.map(), clock: None }));
        }
        let mut json = Vec::new();
        self.push_json(&mut json, None);
        f.write_str(&String::from_utf8_lossy(&json))
    }
}

impl FieldView<'_> {
    /// Appends the value as JSON lines have it. Times in ticks of the session's clock need this clock: without it, they
    /// stay numbers.
    pub fn push_json(&self, out: &mut Vec<u8>, clock: Option<&Clock>) {
        push_field(out, self, self.schema(), &FieldKeys::new(self.schema()), clock);
    }

    /// Returns the name that its map gives the value, of flags all names with `|` between. `None` if there is no map,
    /// or nothing of the value has a name.
    pub fn label(&self) -> Option<String> {
        let (map, value) = (self.map()?, self.value()?);
        let bits = value.bits()?;
        let is_named = map.value(bits).is_some() || map.bits(bits).0.next().is_some();
        is_named.then(|| to_string(value, ValueContext { field: self.field, map: Some(map), clock: None }))
    }
}

#[cfg(test)]
mod tests {
    use crate::decode::{Event, Scratch};
    use crate::event::{BufferContext, RawEvent};
    use crate::format::{HeaderType, Marker};
    use crate::schema::{Count, Field, Map, MapKind, Scalar, Schema, SchemaSource, Wire};

    fn schema() -> Schema {
        let mut builder = Schema::builder(SchemaSource::USER.into());
        let byte = |name| Field::new(name, Wire::Scalar(Scalar::U8));
        let colours = builder.map(Map::new("Colour", MapKind::Values, [(2, "red")]).unwrap());
        let flags = builder.map(Map::new("Flag", MapKind::Bits, [(1, "a"), (2, "b")]).unwrap());
        builder.field(Field { map: Some(colours), ..byte("Colour") });
        builder.field(Field { map: Some(colours), ..byte("Unknown") });
        builder.field(Field { map: Some(flags), ..byte("Flags") });
        builder.field(byte("List").counted(Count::Fixed(2)));
        builder.build().unwrap()
    }

    #[test]
    fn bits_room_and_other_names() {
        let text = "provider P {00000000-0000-0000-0000-000000000001}\nmap F bits { 1 \"a\" 0xff000000 \"\" }\n\
                    map K values { 2 \"two\" }\nevent id 1 {\nFlags u32 map F alias Options\n\
                    Kind bits[Flags 24..31] map K\nLen u16\nMac bytes[Len of 8] as mac\nEnd u8\n}\n";
        let schema = crate::schema::text::parse(text).unwrap().remove(0).schema;
        let shown = |payload: &[u8]| {
            let mut bytes = vec![0; HeaderType::System64.fixed_len()];
            bytes.extend(payload);
            let marker = Marker { header: HeaderType::System64, len: bytes.len() };
            let raw = RawEvent::new(&bytes, marker, BufferContext::default()).unwrap();
            let mut scratch = Scratch::default();
            let event = Event::locate(raw, Some(&schema), None, &mut scratch);
            let fields: Vec<_> = event.fields().map(|field| field.to_string()).collect();
            (event.fit(), fields, event.get::<u32>("OPTIONS").ok(), event.get::<u8>("Kind").ok())
        };
        let (fit, fields, flags, kind) = shown(&[1, 0, 0, 2, 6, 0, 0, 1, 2, 3, 4, 5, 0, 0, 9]);
        assert_eq!((fit, flags, kind), (crate::decode::Fit::Exact, Some(0x0200_0001), Some(2)));
        assert_eq!(fields, ["a", "two", "6", "00:01:02:03:04:05", "9"]);
        // More than there is room for means all of it; only what is shown elsewhere is set.
        let (_, fields, ..) = shown(&[0, 0, 0, 3, 99, 0, 0, 1, 2, 3, 4, 5, 6, 7, 9]);
        assert_eq!(fields, ["0", "3", "99", "00:01:02:03:04:05:06:07", "9"]);
        assert_eq!(shown(&[0, 0, 0, 3, 2, 0, 0, 1]).0, crate::decode::Fit::Misfit);
    }

    #[test]
    fn fields_are_shown_and_named() {
        let mut bytes = vec![0; HeaderType::System64.fixed_len()];
        bytes.extend([2, 9, 3, 7, 8]);
        let marker = Marker { header: HeaderType::System64, len: bytes.len() };
        let raw = RawEvent::new(&bytes, marker, BufferContext::default()).unwrap();
        let (schema, mut scratch) = (schema(), Scratch::default());
        let event = Event::locate(raw, Some(&schema), None, &mut scratch);
        let shown: Vec<_> = event.fields().map(|field| (field.to_string(), field.label())).collect();
        let red = ("red".to_owned(), Some("red".to_owned()));
        let flags = ("a|b".to_owned(), Some("a|b".to_owned()));
        assert_eq!(shown, [red, ("9".into(), None), flags, ("[7,8]".into(), None)]);
    }
}
