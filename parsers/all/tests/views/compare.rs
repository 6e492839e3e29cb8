//! Compares an event with its views.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, Ipv6Addr};

use etwkit::bytes::Guid;
use etwkit::decode::{Event, FieldView, Value, Visitor};
use etwkit::event::Kind;
use etwkit::schema::{DisplayFormat, Field, SchemaSource, Wire};
use etwkit::typed::ViewInfo;

/// Accessors whose fields have no single Rust type: text in one version, a number in another.
const MIXED: [&str; 1] = ["physical_addr"];

/// What was compared.
#[derive(Debug)]
pub(crate) struct Comparison {
    views: BTreeMap<(Kind, Guid, u16), Vec<&'static ViewInfo>>,
    /// Views, and accessors of views that had a value.
    seen: BTreeSet<String>,
    /// Events with a view.
    pub(crate) events: usize,
    /// Values that are equal.
    pub(crate) values: usize,
    /// Differences, at most a few dozen.
    pub(crate) wrong: Vec<String>,
}

impl Default for Comparison {
    fn default() -> Self {
        let mut views: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for view in all() {
            for id in view.ids {
                views.entry((id.kind(), id.guid(), id.number())).or_default().push(view);
            }
        }
        Self { views, seen: BTreeSet::new(), events: 0, values: 0, wrong: Vec::new() }
    }
}

fn all() -> impl Iterator<Item = &'static ViewInfo> {
    etwkit_kernel::events::VIEWS.iter().chain(etwkit_clr::events::VIEWS)
}

impl Comparison {
    /// Compares an event with all views that have its id.
    pub(crate) fn event(&mut self, file: &str, event: &Event<'_>) {
        let key = event.raw().key();
        let number = if key.kind == Kind::Classic { key.opcode.into() } else { key.id };
        let Some(views) = self.views.get(&(key.kind, key.provider, number)).cloned() else { return };
        // Other sources have types of their own.
        let Some(schema) = event.schema().filter(|schema| schema.origin().source == SchemaSource::BUILT_IN) else {
            return;
        };
        self.events += 1;
        let name = schema.names().full().unwrap_or_default();
        let matching: Vec<_> = views.into_iter().filter(|view| self.view(file, event, view)).collect();
        if !matching.iter().any(|view| view.name == name) {
            self.wrong(format!("{file}: {name} {key:?} has no view of its name: {matching:?}"));
        }
    }

    /// Compares all accessors; `false` if the view is of another event.
    fn view(&mut self, file: &str, event: &Event<'_>, view: &ViewInfo) -> bool {
        let mut accessors = view.accessors.iter();
        let is_it = view.each(event, &mut |accessor, value| {
            let (name, fields) = accessors.next().unwrap();
            assert_eq!(*name, accessor);
            let found = fields.iter().find_map(|field| event.fields().find(|view| view.name() == *field));
            let (expected, value) = (expected(accessor, found), format!("{value:?}"));
            if !expected.contains(&value) {
                let version = event.raw().version();
                self.wrong(format!("{file}: {} version {version} {accessor}: {value}, not {expected:?}", view.name));
            } else if value != "None" {
                self.values += 1;
                self.seen.insert(format!("{:?} {accessor}", view.ids));
            }
        });
        if is_it {
            assert_eq!(accessors.len(), 0);
            self.seen.insert(view.name.to_owned());
        }
        is_it
    }

    /// Returns whether an event of the name had a view.
    pub(crate) fn has_seen(&self, name: &str) -> bool {
        self.seen.contains(name)
    }

    /// Views without an event, and accessors that never had a value.
    pub(crate) fn unseen(&self) -> Vec<String> {
        let mut unseen = Vec::new();
        for view in all() {
            if !self.seen.contains(view.name) {
                unseen.push(view.name.to_owned());
            }
            for (accessor, _) in view.accessors {
                if !self.seen.contains(&format!("{:?} {accessor}", view.ids)) {
                    unseen.push(format!("{} {accessor}", view.name));
                }
            }
        }
        unseen
    }

    fn wrong(&mut self, difference: String) {
        if self.wrong.len() < 40 {
            self.wrong.push(difference);
        }
    }
}

/// What an accessor of a field may return; a number that is a boolean in some versions may be either.
fn expected(accessor: &str, field: Option<FieldView<'_>>) -> Vec<String> {
    let Some(field) = field else { return vec!["None".to_owned()] };
    let value = match field.value() {
        _ if MIXED.contains(&accessor) => format!("{:?}", Some(field)),
        Some(value) => return of_value(value, field.field.display),
        None if matches!(field.field.wire, Wire::Scalar(_)) => {
            let mut elements = Elements::default();
            field.visit(&mut elements);
            format!("Some([{}])", elements.0.join(", "))
        }
        None => format!("{:?}", Some(field)),
    };
    vec![value]
}

fn of_value(value: Value<'_>, display: DisplayFormat) -> Vec<String> {
    let some = match value {
        Value::Unsigned(number, 4) if display == DisplayFormat::Ipv4 => {
            Ipv4Addr::from((number as u32).swap_bytes()).to_string()
        }
        Value::Unsigned(number, 2) if display == DisplayFormat::Port => (number as u16).swap_bytes().to_string(),
        Value::Unsigned(number, _) if display == DisplayFormat::Bool => {
            return vec![format!("Some({})", number != 0), format!("Some({number})")];
        }
        // What is neither an id nor a FILETIME has no value.
        Value::Unsigned(number, _) | Value::Pointer(number, _)
            if u32::try_from(number).is_err() && matches!(display, DisplayFormat::Pid | DisplayFormat::Tid) =>
        {
            return vec!["None".to_owned()];
        }
        Value::Unsigned(number, _) if i64::try_from(number).is_err() && display == DisplayFormat::FileTime => {
            return vec!["None".to_owned()];
        }
        _ if display == DisplayFormat::Signed => value.number(display).unwrap().to_string(),
        Value::Unsigned(number, 8) if display == DisplayFormat::FileTime => format!("FileTime({number})"),
        Value::Signed(number, 8) if display == DisplayFormat::FileTime => format!("FileTime({number})"),
        Value::Unsigned(number, _) | Value::Pointer(number, _) => number.to_string(),
        Value::Signed(number, _) => number.to_string(),
        Value::F32(number) => format!("{number:?}"),
        Value::F64(number) => format!("{number:?}"),
        Value::Guid(guid) => format!("{guid:?}"),
        Value::SystemTime(time) => format!("{time:?}"),
        Value::Utf16(_) | Value::Ansi(_) | Value::Utf8(_) => {
            format!("{:?}", value.text().unwrap().trim_end_matches('\0'))
        }
        Value::Bytes(bytes) => of_bytes(bytes, display),
        Value::Sid(sid) => return vec![format!("{sid:?}")],
        other => panic!("{other:?}"),
    };
    vec![format!("Some({some})")]
}

fn of_bytes(bytes: &[u8], display: DisplayFormat) -> String {
    match display {
        DisplayFormat::Ipv6 => Ipv6Addr::from(<[u8; 16]>::try_from(bytes).unwrap()).to_string(),
        DisplayFormat::Guid => format!("{:?}", Guid::from_bytes(bytes.try_into().unwrap())),
        _ => format!("{bytes:?}"),
    }
}

/// The elements of an array of numbers or GUIDs.
#[derive(Default)]
struct Elements(Vec<String>);

impl Visitor for Elements {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        let text = of_value(value, field.display).remove(0);
        self.0.push(text.trim_start_matches("Some(").trim_end_matches(')').to_owned());
    }
}
