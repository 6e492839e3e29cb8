//! A payload of a schema with the values of a line; what the line does not contain is filled in.

use etwkit::schema::{Count, DisplayFormat, Encoding, Expected, Field, Len, Scalar, Schema, Wire};

use crate::field_values::{FieldValue, Fields, number};

/// One field's bytes, or one member's.
#[derive(Clone, Debug, Default)]
struct Piece {
    /// Its place in the schema.
    place: usize,
    bytes: Vec<u8>,
    /// Where more may be put in, and how many bytes at a time.
    stretch: Option<(usize, usize)>,
    /// The place of the field that counts its units, and how many there are.
    counter: Option<(usize, u64)>,
    /// The payload may end before it.
    optional: bool,
}

/// What writers need to know.
struct Encoder<'a> {
    schema: &'a Schema,
    fields: &'a Fields,
    pointer: usize,
    /// Sub-authorities of security identifiers, which no line contains.
    authorities: usize,
}

/// Returns payloads of `len` bytes; none if the values of the line need another length.
pub(super) fn payload(schema: &Schema, fields: &Fields, pointer: usize, len: usize) -> Option<Vec<u8>> {
    let has_sid = schema.fields().iter().any(|field| matches!(field.wire, Wire::Sid { .. }));
    (0..if has_sid { 9 } else { 1 }).find_map(|authorities| {
        let encoder = Encoder { schema, fields, pointer, authorities };
        let pieces: Vec<Piece> =
            schema.top_level().map(|(place, field)| encoder.piece(place, field)).collect::<Option<_>>()?;
        let optional = pieces.iter().rev().take_while(|piece| piece.optional).count();
        (0..=optional).find_map(|left_out| {
            let mut pieces = pieces.clone();
            pieces.truncate(pieces.len() - left_out);
            stretched(pieces, len)
        })
    })
}

/// The pieces with as much put in as is missing.
fn stretched(mut pieces: Vec<Piece>, len: usize) -> Option<Vec<u8>> {
    let mut missing = len.checked_sub(pieces.iter().map(|piece| piece.bytes.len()).sum())?;
    for at in 0..pieces.len() {
        let Some(piece) = pieces.get_mut(at) else { break };
        let Some((offset, unit)) = piece.stretch.or(piece.counter.map(|_| (piece.bytes.len(), usize::MAX))) else {
            continue;
        };
        // An odd rest is left to text of single bytes.
        let more = missing / unit;
        let filler = [b'x', 0];
        let bytes: Vec<u8> =
            (0..more * unit).map(|n| if unit > 2 { 0 } else { filler.get(n % unit).copied().unwrap_or(0) }).collect();
        piece.bytes.splice(offset..offset, bytes);
        missing -= more * unit;
        if let Some((counter, units)) = piece.counter {
            let counter = pieces.iter_mut().find(|piece| piece.place == counter)?;
            set(&mut counter.bytes, units + more as u64);
        }
    }
    (missing == 0).then(|| pieces.into_iter().flat_map(|piece| piece.bytes).collect())
}

fn set(bytes: &mut [u8], number: u64) {
    bytes.iter_mut().zip(number.to_le_bytes()).for_each(|(to, from)| *to = from);
}

impl Encoder<'_> {
    fn piece(&self, place: usize, field: &Field) -> Option<Piece> {
        let given = self.fields.get(&*field.name);
        let mut piece = match field.count {
            Count::One => self.element(place, field, given)?,
            count => self.array(place, field, given, count)?,
        };
        (piece.place, piece.optional) = (place, field.optional);
        Some(piece)
    }

    /// An array: its elements as in `[a,b]`, as many as its count states, the rest as the first.
    fn array(&self, place: usize, field: &Field, given: Option<&FieldValue>, count: Count) -> Option<Piece> {
        let listed: Vec<FieldValue> = match given {
            Some(FieldValue::Text(text, end)) => list(text, end.is_some()),
            _ => Vec::new(),
        };
        let (number, prefix) = match count {
            Count::Fixed(number) => (usize::from(number), None),
            Count::Field(at) => (self.counted(at.into()).unwrap_or(listed.len()), None),
            Count::Prefix16 => (listed.len(), Some(listed.len() as u16)),
            _ => (listed.len(), None),
        };
        let mut bytes: Vec<u8> = prefix.map(|count| count.to_le_bytes().to_vec()).unwrap_or_default();
        let nothing = Fields::new();
        let others = Encoder { fields: &nothing, ..*self };
        let empty = others.element(place, field, None)?.bytes.len().max(1);
        let mut inner = None;
        for at in 0..number.min(4096) {
            // A line shows at most the first struct of an array.
            let element = if at == 0 { self } else { &others }.element(place, field, listed.get(at))?;
            inner = element.stretch.map(|(offset, unit)| (bytes.len() + offset, unit)).or(inner);
            bytes.extend(element.bytes);
        }
        let open = match count {
            Count::Rest => Some(None),
            Count::Field(at) if self.counted(at.into()).is_none() => Some(Some((at.into(), listed.len() as u64))),
            _ => None,
        };
        let stretch = if open.is_some() { Some((bytes.len(), empty)) } else { inner };
        Some(Piece { bytes, stretch, counter: open.flatten(), ..Piece::default() })
    }

    /// The value that the line gives a field which counts another.
    fn counted(&self, place: usize) -> Option<usize> {
        match self.fields.get(&*self.schema.fields().get(place)?.name)? {
            FieldValue::Bits(bits) => usize::try_from(*bits).ok(),
            FieldValue::Text(text, _) => usize::try_from(number(text)?).ok(),
        }
    }

    fn element(&self, place: usize, field: &Field, given: Option<&FieldValue>) -> Option<Piece> {
        let bytes = match field.wire {
            Wire::Scalar(scalar) => self.scalar(field, scalar, given)?,
            Wire::Text { encoding, len } => return self.text(field, encoding, len, given),
            Wire::Bytes { len } => return self.bytes(field, len, given),
            Wire::Sid { wrapped } => self.sid(wrapped),
            Wire::Bits { .. } => Vec::new(),
            Wire::Struct { .. } => return self.members(place),
            _ => return None,
        };
        Some(Piece { bytes, ..Piece::default() })
    }

    fn members(&self, place: usize) -> Option<Piece> {
        let mut all = Piece::default();
        for (place, member) in self.schema.members(place) {
            let piece = self.piece(place, member)?;
            // What another member counts stays as it is.
            let stretch = piece.stretch.filter(|_| piece.counter.is_none());
            all.stretch = stretch.map(|(offset, unit)| (all.bytes.len() + offset, unit)).or(all.stretch);
            all.bytes.extend(piece.bytes);
        }
        Some(all)
    }

    fn scalar(&self, field: &Field, scalar: Scalar, given: Option<&FieldValue>) -> Option<Vec<u8>> {
        let size = match scalar {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::Pointer => self.pointer,
            Scalar::Guid | Scalar::SystemTime => 16,
            _ => 8,
        };
        let filler = u64::from(field.expected == Some(Expected::NonZero));
        let bits = match given {
            Some(FieldValue::Text(text, _)) if scalar == Scalar::Guid => return guid(text),
            Some(FieldValue::Text(text, _)) if scalar == Scalar::F64 => {
                text.replace(',', "").parse::<f64>().ok()?.to_bits()
            }
            Some(FieldValue::Text(text, _)) if scalar == Scalar::F32 => text.parse::<f32>().ok()?.to_bits().into(),
            Some(FieldValue::Text(text, end)) => {
                let whole = text.clone() + if end.is_some() { "..." } else { "" };
                self.named(field, text, end.is_some()).or_else(|| number(&whole)).unwrap_or(filler)
            }
            Some(FieldValue::Bits(bits)) => *bits,
            None => filler,
        };
        let bits = if field.display == DisplayFormat::Port { u64::from((bits as u16).swap_bytes()) } else { bits };
        let mut bytes = bits.to_le_bytes().to_vec();
        bytes.resize(size, 0);
        Some(bytes)
    }

    /// The value of a name in the field's map, or a time.
    fn named(&self, field: &Field, text: &str, cut: bool) -> Option<u64> {
        let map = self.schema.map(field);
        let find = |part: &str, cut: bool| {
            let fits = |name: &str| name == part || (cut && name.starts_with(part));
            map?.entries().find(|(_, name)| fits(name)).map(|(value, _)| value)
        };
        let parts: Vec<&str> = text.split('|').collect();
        let bits = parts.iter().enumerate().map(|(at, part)| find(part, cut && at + 1 == parts.len()));
        let by_name = || bits.sum::<Option<u64>>();
        let time = || crate::field_values::filetime(&format!("{text}..."));
        by_name().or_else(time)
    }

    fn text(&self, field: &Field, encoding: Encoding, len: Len, given: Option<&FieldValue>) -> Option<Piece> {
        let lines = |text: &str| text.replace("\\n", "\n").replace("\\r", "\r");
        let (text, end) = match given {
            // A text that goes on does so for one more unit at least.
            Some(FieldValue::Text(text, end)) => (lines(text) + if end.is_some() { "x" } else { "" }, end.clone()),
            Some(FieldValue::Bits(_)) => return None,
            None => match &field.expected {
                Some(Expected::Text(text)) => (text.to_string(), None),
                _ => (String::new(), Some(String::new())),
            },
        };
        // The end may begin where the cut is: then nothing is between.
        let end = end.map(|end| if text.ends_with('\\') || end.is_empty() { end } else { format!("\\{end}") });
        let coded = |text: &str| match encoding {
            Encoding::Utf16 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => text.as_bytes().to_vec(),
        };
        let unit = if encoding == Encoding::Utf16 { 2 } else { 1 };
        let mut bytes: Vec<u8> = coded(&text);
        let stretch = end.is_some().then_some((bytes.len(), unit));
        bytes.extend(end.iter().flat_map(|end| coded(end)));
        Some(match len {
            Len::Nul => {
                bytes.resize(bytes.len() + unit, 0);
                Piece { bytes, stretch, ..Piece::default() }
            }
            len => self.sized(bytes, unit, len, end.is_some())?,
        })
    }

    /// Text or bytes whose length is in a prefix or another field.
    fn sized(&self, mut bytes: Vec<u8>, unit: usize, len: Len, cut: bool) -> Option<Piece> {
        let end = bytes.len();
        Some(match len {
            Len::Fixed(number) => {
                bytes.resize(usize::from(number) * unit, 0);
                Piece { bytes, ..Piece::default() }
            }
            Len::Field(at) => match self.counted(at.into()) {
                Some(number) => {
                    bytes.resize(number * unit, b'x');
                    Piece { bytes, ..Piece::default() }
                }
                None => Piece {
                    stretch: cut.then_some((end, unit)),
                    counter: Some((at.into(), (end / unit) as u64)),
                    bytes,
                    ..Piece::default()
                },
            },
            Len::Rest => Piece { stretch: cut.then_some((end, unit)), bytes, ..Piece::default() },
            Len::Prefix16 if !cut => {
                let mut all = (bytes.len() as u16).to_le_bytes().to_vec();
                all.extend(bytes);
                Piece { bytes: all, ..Piece::default() }
            }
            _ => return None,
        })
    }

    fn bytes(&self, field: &Field, len: Len, given: Option<&FieldValue>) -> Option<Piece> {
        let (known, cut) = match given {
            Some(FieldValue::Text(text, end)) => {
                (bytes_of(text, end.is_some(), field.display), end.is_some() && !text.starts_with('['))
            }
            _ => (Vec::new(), true),
        };
        self.sized(known, 1, len, cut)
    }

    fn sid(&self, wrapped: bool) -> Vec<u8> {
        if wrapped && self.authorities == 0 {
            return vec![0; 4];
        }
        let mut bytes = if wrapped { vec![1; 2 * self.pointer] } else { Vec::new() };
        bytes.extend([1, self.authorities as u8, 0, 0, 0, 0, 0, 5]);
        bytes.resize(bytes.len() + 4 * self.authorities, 7);
        bytes
    }
}

/// `[a,b,c]`; of a list that is cut the last element may be, too.
fn list(text: &str, cut: bool) -> Vec<FieldValue> {
    let inner = text.strip_prefix('[').unwrap_or(text).trim_end_matches(']');
    let mut parts: Vec<&str> = inner.split(',').filter(|part| !part.is_empty()).collect();
    if cut {
        parts.pop();
    }
    parts
        .into_iter()
        .map(|part| number(part).map_or_else(|| FieldValue::Text(part.to_owned(), None), FieldValue::Bits))
        .collect()
}

/// Returns a GUID from the 20 digits and hyphens that the line has; the rest is zero.
fn guid(text: &str) -> Option<Vec<u8>> {
    const ZERO: &str = "00000000-0000-0000-0000-000000000000";
    let whole = text.to_owned() + ZERO.get(text.len()..)?;
    let guid: etwkit::bytes::Guid = whole.parse().ok()?;
    Some(
        etwkit_synth::Guid::new(u128::from_str_radix(&guid.to_string().replace('-', ""), 16).ok()?).to_bytes().to_vec(),
    )
}

/// Bytes of hexadecimal digits, of an address, or of a socket address.
fn bytes_of(text: &str, cut: bool, display: DisplayFormat) -> Vec<u8> {
    if display == DisplayFormat::Ipv6
        && let Some(address) = address_of(text, cut)
    {
        return address.octets().to_vec();
    }
    if let Some(address) = text.strip_prefix('[').and_then(|text| address_of(text, cut)) {
        let mut bytes = vec![23, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend(address.octets());
        bytes.resize(28, 0);
        return bytes;
    }
    if let Ok(socket) = text.parse::<std::net::SocketAddrV4>() {
        let mut bytes = vec![2, 0];
        bytes.extend(socket.port().to_be_bytes());
        bytes.extend(socket.ip().octets());
        bytes.resize(16, 0);
        return bytes;
    }
    let pair = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    (0..text.len() / 2).map_while(|at| pair(2 * at)).collect()
}

/// An address that may be cut: what is missing are ones.
fn address_of(text: &str, cut: bool) -> Option<std::net::Ipv6Addr> {
    let last = text.rsplit(':').next()?;
    let groups = text.split(':').count();
    // Nothing is left out where zeros already are.
    let more = if text.contains("::") { 1 } else { 8 - groups.min(8) };
    let filled = || text.to_owned() + &"1".repeat(4 - last.len().min(4)) + &":1111".repeat(more);
    if cut { filled().parse().ok() } else { text.parse().ok() }
}
