//! The fields of the kernel's events are called as in Windows' MOF classes, have their types and are in their order.
//!
//! `facts.txt` has what Windows states, `reasons.txt` where a table has another field and why. A reason that no event
//! needs is an error.

#![expect(clippy::expect_used, reason = "a test")]

use std::fmt;

use etwkit::bytes::Guid;
use etwkit::event::{EventKey, Kind};
use etwkit::schema::{Count, DisplayFormat, Encoding, Field, Len, Scalar, Schema, Wire};

const FACTS: &str = include_str!("facts.txt");
const REASONS: &str = include_str!("reasons.txt");

/// An event version of the facts.
struct Row {
    class_name: &'static str,
    key: EventKey,
    /// Name and type of each field.
    fields: Vec<(&'static str, &'static str)>,
}

/// A field that differs: `-` stands for none.
struct Difference {
    event: String,
    theirs: String,
    ours: String,
}

/// A line of `reasons.txt`: `CLASS OPCODES VERSIONS | THEIRS -> OURS | why`.
struct Reason {
    line: &'static str,
    event: [&'static str; 3],
    theirs: &'static str,
    ours: &'static str,
}

#[test]
fn fields_are_those_of_windows() {
    let rows = rows();
    assert_eq!(rows.len(), 446);
    let reasons = reasons();
    let mut used = vec![false; reasons.len()];
    let mut unexplained = Vec::new();
    for difference in rows.iter().flat_map(differences) {
        let found = reasons.iter().position(|reason| reason.explains(&difference));
        match found.and_then(|at| used.get_mut(at)) {
            Some(used) => *used = true,
            None => unexplained.push(difference.to_string()),
        }
    }
    let unused: Vec<_> = reasons.iter().zip(used).filter(|(_, used)| !used).map(|(reason, _)| reason.line).collect();
    assert!(unexplained.is_empty(), "{} fields differ:\n{}", unexplained.len(), unexplained.join("\n"));
    assert!(unused.is_empty(), "no event needs:\n{}", unused.join("\n"));
}

/// The test itself would notice another name, type or order.
#[test]
fn a_difference_is_noticed() {
    let mut rows = rows();
    let row = rows.iter_mut().find(|row| row.key.opcode == 36 && row.key.version == 4).expect("CSwitch");
    assert_eq!(differences(row).len(), 0);
    row.fields[4] = ("NewThreadQuantum", "u8");
    row.fields[6].1 = "u32";
    row.fields.swap(0, 1);
    let found: Vec<_> = differences(row).iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found.contains(&"Kernel-Thread 36 v4 | NewThreadQuantum u8 -> PreviousCState u8".to_owned()), "{found:?}");
}

fn content(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

fn rows() -> Vec<Row> {
    let (mut rows, mut class) = (Vec::new(), ("", Guid::NULL));
    for line in content(FACTS) {
        match line.strip_prefix("  ") {
            None => {
                let (name, guid) = line.split_once(' ').expect(line);
                class = (name, guid.parse().expect(line));
            }
            Some(event) => rows.push(row(class, event)),
        }
    }
    rows
}

fn row((class_name, provider): (&'static str, Guid), line: &'static str) -> Row {
    let (head, fields) = line.split_once(':').expect(line);
    let mut head = head.split(' ');
    let opcode = head.next().and_then(|word| word.parse().ok()).expect(line);
    let version = head.next().and_then(|word| word.strip_prefix('v')?.parse().ok()).expect(line);
    let fields = fields.trim().split(", ").filter(|field| !field.is_empty());
    let fields = fields.map(|field| field.split_once(' ').expect(field)).collect();
    Row { class_name, key: EventKey { kind: Kind::Classic, provider, id: 0, version, opcode, task: 0 }, fields }
}

fn reasons() -> Vec<Reason> {
    let read = |line: &'static str| {
        let mut parts = line.split('|').map(str::trim);
        let mut event = parts.next()?.split(' ');
        let event = [event.next()?, event.next()?, event.next()?];
        let (theirs, ours) = parts.next()?.split_once(" -> ")?;
        parts.next().filter(|why| !why.is_empty())?;
        Some(Reason { line, event, theirs, ours })
    };
    content(REASONS).map(|line| read(line).expect(line)).collect()
}

impl Reason {
    fn explains(&self, difference: &Difference) -> bool {
        let listed = |list: &str, word: &str| list == "*" || list.split(',').any(|known| known == word);
        let event: Vec<_> = difference.event.split(' ').collect();
        self.event.iter().zip(event).all(|(list, word)| listed(list, word))
            && self.theirs == difference.theirs
            && self.ours == difference.ours
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} -> {}", self.event, self.theirs, self.ours)
    }
}

/// What differs in the layout that differs least.
fn differences(row: &Row) -> Vec<Difference> {
    let event = format!("{} {} v{}", row.class_name, row.key.opcode, row.key.version);
    let Some(first) = etwkit_kernel::tables().set().choose(&row.key, None, 0) else {
        return vec![Difference { event, theirs: "the event".into(), ours: "-".into() }];
    };
    first.with_alternatives().map(|layout| in_layout(&event, row, layout)).min_by_key(Vec::len).unwrap_or_default()
}

fn in_layout(event: &str, row: &Row, schema: &Schema) -> Vec<Difference> {
    // Fields that take no bytes are parts of others.
    let ours: Vec<(&str, String)> = schema
        .top_level()
        .filter(|(_, field)| !matches!(field.wire, Wire::Bits { .. }))
        .map(|(_, field)| (&*field.name, kind(schema, field)))
        .collect();
    let (mut at, mut own, mut found) = (0, 0, Vec::new());
    let have_later = |own: usize, name: &str| ours.iter().skip(own).any(|field| field.0 == name);
    let theirs_later = |at: usize, name: &str| row.fields.iter().skip(at).any(|field| field.0 == name);
    while at < row.fields.len() || own < ours.len() {
        let (theirs, mine) = (row.fields.get(at), ours.get(own));
        let (take, give) = match (theirs, mine) {
            (Some(theirs), Some(mine)) if theirs.0 == mine.0 => (true, true),
            (Some(theirs), Some(_)) if have_later(own, theirs.0) => (false, true),
            (Some(_), Some(mine)) if theirs_later(at, mine.0) => (true, false),
            (theirs, mine) => (theirs.is_some(), mine.is_some()),
        };
        let text = |field: Option<(&str, &str)>| field.map_or("-".to_owned(), |(name, kind)| format!("{name} {kind}"));
        let theirs = theirs.filter(|_| take);
        let mine = mine.filter(|_| give);
        let same = theirs.zip(mine).is_some_and(|(theirs, mine)| theirs.0 == mine.0 && theirs.1 == mine.1);
        if !same {
            let (theirs, ours) = (text(theirs.copied()), text(mine.map(|(name, kind)| (*name, &**kind))));
            found.push(Difference { event: event.to_owned(), theirs, ours });
        }
        (at, own) = (at + usize::from(take), own + usize::from(give));
    }
    found
}

/// The type as the facts have it.
fn kind(schema: &Schema, field: &Field) -> String {
    let element = match field.wire {
        Wire::Scalar(Scalar::U8) if field.display == DisplayFormat::Bool => "u8",
        Wire::Scalar(scalar) => scalar_name(scalar),
        Wire::Text { encoding: Encoding::Utf16, len: Len::Fixed(_) } => "char",
        Wire::Text { encoding: Encoding::Utf16, len: Len::Nul } => "utf16",
        Wire::Text { encoding: Encoding::Ansi, len: Len::Nul } => "ansi",
        Wire::Bytes { len: Len::Fixed(_) } => "u8",
        Wire::Bytes { .. } => "bytes",
        Wire::Sid { .. } => "sid",
        Wire::Struct { .. } => "struct",
        _ => "?",
    };
    let optional = if field.optional { " optional" } else { "" };
    match field.count {
        Count::One => format!("{element}{optional}"),
        Count::Rest => format!("{element} x rest"),
        Count::Field(place) => {
            let counter = schema.fields().get(usize::from(place)).map_or("", |field| &*field.name);
            format!("{element} x {counter}")
        }
        _ => format!("{element} array"),
    }
}

fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I8 => "i8",
        Scalar::U8 => "u8",
        Scalar::I16 => "i16",
        Scalar::U16 => "u16",
        Scalar::I32 => "i32",
        Scalar::U32 => "u32",
        Scalar::I64 => "i64",
        Scalar::U64 => "u64",
        Scalar::Pointer => "ptr",
        Scalar::Guid => "guid",
        _ => "?",
    }
}
