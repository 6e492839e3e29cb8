//! Writes fields, one per line.

use std::fmt::{self, Write as _};

use hashbrown::HashMap;

use crate::schema::{Count, Expected, Field, Len, Schema, Wire};

use super::quoted::{Name, Quoted};
use super::words::{self, DISPLAY_FORMATS, ENCODINGS, FIELD_WORDS, SCALARS};

/// The fields of a schema.
pub(super) struct Fields<'a> {
    pub(super) schema: &'a Schema,
    /// How the text refers to each map.
    pub(super) maps: &'a [String],
}

/// The column of the types begins after the longest name, but not further right than this.
const WIDEST_NAME: usize = 40;

impl fmt::Display for Fields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Lines::new(self);
        let names = lines.names();
        let width = names.iter().map(|name| name.chars().count()).filter(|len| *len <= WIDEST_NAME).max().unwrap_or(0);
        for (at, (field, name)) in lines.fields.iter().zip(&names).enumerate() {
            lines.close(f, at)?;
            write!(f, "{name:width$}  ")?;
            lines.layout(f, field)?;
            lines.latest.insert(&field.name, at);
            if let Wire::Struct { .. } = field.wire {
                f.write_str(" {")?;
                lines.ends.push(at + field.span());
            }
            f.write_char('\n')?;
        }
        lines.close(f, lines.fields.len())
    }
}

impl<'a> Fields<'a> {
    /// Returns what follows the name of each field.
    pub(super) fn layouts(&self) -> Vec<String> {
        let mut lines = Lines::new(self);
        let layout = |(at, field): (usize, &'a Field)| {
            let mut layout = String::new();
            // Writing to a string cannot fail.
            let _ = lines.layout(&mut layout, field);
            lines.latest.insert(&field.name, at);
            layout
        };
        self.schema.fields().iter().enumerate().map(layout).collect()
    }
}

/// The context for writing a line.
struct Lines<'a> {
    fields: &'a [Field],
    maps: &'a [String],
    /// The last field of each name so far.
    latest: HashMap<&'a str, usize>,
    /// Where the structs that are open end.
    ends: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(of: &Fields<'a>) -> Self {
        Self { fields: of.schema.fields(), maps: of.maps, latest: HashMap::new(), ends: Vec::new() }
    }

    /// Returns the names as they are written, indented.
    fn names(&self) -> Vec<String> {
        let mut ends: Vec<usize> = Vec::new();
        let mut names = Vec::with_capacity(self.fields.len());
        for (at, field) in self.fields.iter().enumerate() {
            while ends.pop_if(|end| *end <= at).is_some() {}
            names.push(format!("{:indent$}{}", "", Name(&field.name, FIELD_WORDS), indent = 2 + 2 * ends.len()));
            if let Wire::Struct { .. } = field.wire {
                ends.push(at + field.span());
            }
        }
        names
    }

    /// Ends the structs that have no field at `at`.
    fn close(&mut self, f: &mut fmt::Formatter<'_>, at: usize) -> fmt::Result {
        while self.ends.pop_if(|end| *end <= at).is_some() {
            writeln!(f, "{:indent$}}}", "", indent = 2 + 2 * self.ends.len())?;
        }
        Ok(())
    }

    /// Writes what follows the name.
    fn layout(&self, f: &mut impl fmt::Write, field: &Field) -> fmt::Result {
        self.wire(f, field.wire)?;
        match field.count {
            Count::One => {}
            Count::Fixed(count) => write!(f, " x {count}")?,
            Count::Field(place) => write!(f, " x {}", self.reference(place))?,
            Count::Prefix16 => f.write_str(" x counted")?,
            Count::Rest => f.write_str(" x rest")?,
        }
        if let Some(show) = words::word(DISPLAY_FORMATS, &field.display) {
            write!(f, " as {show}")?;
        }
        if let Some(map) = field.map.and_then(|map| self.maps.get(usize::from(map))) {
            write!(f, " map {map}")?;
        }
        if field.optional {
            f.write_str(" optional")?;
        }
        match &field.expected {
            Some(Expected::Text(text)) => write!(f, " is {}", Quoted(text))?,
            Some(Expected::NonZero) => f.write_str(" nonzero")?,
            None => {}
        }
        if let Some(alias) = &field.alias {
            write!(f, " alias {}", Name(alias, FIELD_WORDS))?;
        }
        if field.tag != 0 {
            write!(f, " tag {:#x}", field.tag)?;
        }
        Ok(())
    }

    fn wire(&self, f: &mut impl fmt::Write, wire: Wire) -> fmt::Result {
        match wire {
            Wire::Scalar(scalar) => f.write_str(words::word(SCALARS, &scalar).unwrap_or_default()),
            Wire::Text { encoding, len } => {
                f.write_str(words::word(ENCODINGS, &encoding).unwrap_or_default())?;
                self.len(f, len)
            }
            Wire::Bytes { len } => {
                f.write_str("bytes")?;
                self.len(f, len)
            }
            Wire::Sid { wrapped } => f.write_str(if wrapped { "sid wrapped" } else { "sid" }),
            Wire::Bits { of, first, count } => {
                let last = u16::from(first) + u16::from(count.saturating_sub(1));
                write!(f, "bits[{} {first}..{last}]", self.reference(of))
            }
            Wire::Struct { .. } => f.write_str("struct"),
        }
    }

    fn len(&self, f: &mut impl fmt::Write, len: Len) -> fmt::Result {
        match len {
            Len::Fixed(len) => write!(f, "[{len}]"),
            Len::Field(place) => write!(f, "[{}]", self.reference(place)),
            Len::Within { used, room } => write!(f, "[{} of {room}]", self.reference(used)),
            Len::Nul => Ok(()),
            Len::Prefix16 => f.write_str(" counted"),
            Len::Prefix16Swapped => f.write_str(" counted-be"),
            Len::Prefix32 => f.write_str(" counted32"),
            Len::Rest => f.write_str(" rest"),
        }
    }

    /// Returns a field by its name if that means it here, else by its place.
    fn reference(&self, place: u16) -> String {
        let at = usize::from(place);
        let name = self.fields.get(at).map_or("", |field| &*field.name);
        match self.latest.get(name) {
            Some(latest) if *latest == at => Name(name, FIELD_WORDS).to_string(),
            _ => format!("#{place}"),
        }
    }
}
