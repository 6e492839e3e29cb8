//! The condensed facts, `facts/*.txt`: what TraceEvent reads, and where.

/// A parser of TraceEvent's, or several that share classes.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) file: &'static str,
    pub(crate) events: Vec<Event>,
    pub(crate) classes: Vec<Class>,
}

/// How an event is known, and the class that reads its payload.
#[derive(Debug)]
pub(crate) struct Event {
    /// By event class and opcode; else by provider and id.
    pub(crate) classic: bool,
    pub(crate) guid: String,
    pub(crate) number: u16,
    pub(crate) name: String,
    pub(crate) class: String,
}

/// The payload of some events.
#[derive(Debug, Default)]
pub(crate) struct Class {
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
    /// Rules about the payload's size.
    pub(crate) sizes: Vec<String>,
    /// Rules from other sources, which go before.
    pub(crate) better_sizes: Vec<String>,
    /// Names that only TraceEvent's code knows, and their values.
    pub(crate) values: Vec<(String, String)>,
}

/// What a field is to TraceEvent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Shown.
    Field,
    /// A property that is not shown with the event's fields.
    Inner,
    /// An element for each index.
    Array,
    /// Overwrites the header's process or thread.
    Header,
}

/// A property and the layouts it may have; the first with a true condition is used.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The name by which places and rules call it.
    pub(crate) property: String,
    pub(crate) role: Role,
    pub(crate) layouts: Vec<Layout>,
}

/// Where a value comes from.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) from: From,
    pub(crate) when: Option<String>,
}

/// The kinds of [`Layout`].
#[derive(Debug)]
pub(crate) enum From {
    /// The payload.
    Read { read: String, at: String, len: Option<String> },
    /// A constant: the payload has no such field.
    Constant(String),
    /// Code of TraceEvent's, or the header.
    Elsewhere,
}

impl Layout {
    /// Returns whether it is in the payload.
    pub(crate) fn is_read(&self) -> bool {
        matches!(self.from, From::Read { .. })
    }
}

impl Facts {
    /// Reads a file.
    pub(crate) fn parse(file: &'static str, text: &str) -> Self {
        let mut facts = Self { file, ..Self::default() };
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["parser", _] => {}
                ["event", kind, guid, number, name, class] => facts.events.push(Event {
                    classic: *kind == "classic",
                    guid: (*guid).into(),
                    number: number.parse().unwrap(),
                    name: (*name).into(),
                    class: (*class).into(),
                }),
                ["class", name] => facts.classes.push(Class { name: (*name).into(), ..Class::default() }),
                _ => facts.classes.last_mut().unwrap().line(line),
            }
        }
        facts
    }

    /// Adds lines of `Class RULE -- source`; those of other files' classes are not needed here.
    pub(crate) fn take_sizes(&mut self, text: &str) -> usize {
        let mut taken = 0;
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (line, _) = line.split_once(" -- ").unwrap_or_else(|| panic!("no source: {line}"));
            let (name, rule) = line.split_once(' ').unwrap();
            for class in self.classes.iter_mut().filter(|class| class.name == name) {
                match rule.strip_prefix("let ").and_then(|rule| rule.split_once(" = ")) {
                    Some((name, value)) => class.values.push((name.into(), value.into())),
                    None => class.better_sizes.push(rule.into()),
                }
                taken += 1;
            }
        }
        taken
    }

    /// Returns the class of an event.
    pub(crate) fn class(&self, name: &str) -> &Class {
        self.classes.iter().find(|class| class.name == name).unwrap_or_else(|| panic!("{}: no {name}", self.file))
    }
}

impl Class {
    /// A line that belongs to a class.
    fn line(&mut self, line: &str) {
        let role = |word: &str| match word {
            "field" => Some(Role::Field),
            "inner" => Some(Role::Inner),
            "array" => Some(Role::Array),
            "header" => Some(Role::Header),
            _ => None,
        };
        let text = line.trim_start();
        if line.len() - text.len() == 4 {
            return self.fields.last_mut().unwrap().layouts.push(layout(text));
        }
        let (word, rest) = text.split_once(' ').unwrap();
        match (word, role(word)) {
            ("size", _) => self.sizes.push(rest.into()),
            (_, Some(role)) => {
                let name = rest.split(' ').next().unwrap_or_default();
                let property = rest.split_once(" = ").map_or(name, |(_, property)| property);
                self.fields.push(Field { name: name.into(), property: property.into(), role, layouts: Vec::new() });
            }
            _ => panic!("what is {line:?}?"),
        }
    }

    /// Returns the highest version that a condition or a rule names.
    pub(crate) fn highest_version(&self) -> Option<u8> {
        let conditions =
            self.fields.iter().flat_map(|field| &field.layouts).filter_map(|layout| layout.when.as_deref());
        let places = self.fields.iter().flat_map(|field| &field.layouts).filter_map(|layout| match &layout.from {
            From::Read { at, .. } => Some(at.as_str()),
            _ => None,
        });
        let sizes = self.sizes.iter().chain(&self.better_sizes).map(String::as_str);
        conditions.chain(places).chain(sizes).filter_map(versions_in).max()
    }
}

fn layout(text: &str) -> Layout {
    let (what, when) = match text.split_once(" ? ") {
        Some((what, when)) => (what, Some(when.to_owned())),
        None => (text, None),
    };
    let from = if let Some((read, place)) = what.split_once(" @ ") {
        let (at, len) = place.split_once(" # ").map_or((place, None), |(at, len)| (at, Some(len.to_owned())));
        From::Read { read: read.into(), at: at.into(), len }
    } else if let Some(value) = what.strip_prefix("const ") {
        From::Constant(value.into())
    } else {
        From::Elsewhere
    };
    Layout { from, when }
}

/// Returns the highest number that `ver` (or the version of a layout) is compared with.
fn versions_in(text: &str) -> Option<u8> {
    let words: Vec<&str> = text.split([' ', '(', ')', ',']).collect();
    let compared = words.windows(3).filter_map(|words| match words {
        ["ver" | "LayoutVersion", _, number] | [number, _, "ver"] => number.parse().ok(),
        _ => None,
    });
    compared.max()
}
