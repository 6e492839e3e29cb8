//! Views: which fields TraceEvent shows of an event, in which order and as what.
//!
//! ```text
//! view NAME
//!   FIELD TYPE [= SOURCE...] [else VALUE] [since YYYY-MM]
//! enum NAME [flags]
//!   VALUE LABEL
//! provider NAME
//! event (opcode N {class} | id N {provider}) VIEW TITLE
//! defect-thread opcode N {class} FIELD
//! defect-process opcode N {class}
//! unnamed opcode N {class}
//! yields {provider}
//! ```
//!
//! A source is a field of the schema (by default the one of the same name), a number, or `@function argument...`;
//! A field of the same name stands in for a source that has no value;
//! `else` is shown where the event has no such field; releases of TraceEvent before `since` do not have it. `defect-thread` is a field that TraceEvent mistakes for the thread's
//! id where the header has none; `defect-process` an event whose process it does not know before the thread's rundown; `unnamed` one
//! that Windows' repository does not name. The
//! views of a provider that `yields` are for traces without a schema of the provider.

use std::collections::{HashMap, HashSet};

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::event::{EventKey, Kind};

use crate::release::Release;

const TEXTS: [&str; 19] = [
    include_str!("../views/kernel.view"),
    include_str!("../views/extra.view"),
    include_str!("../views/threadpool_heap_critsec.view"),
    include_str!("../views/symbol.view"),
    include_str!("../views/gcdynamic.view"),
    include_str!("../views/clr.view"),
    include_str!("../views/clr_rundown.view"),
    include_str!("../views/clr_stress.view"),
    include_str!("../views/clr_private.view"),
    include_str!("../views/tpl.view"),
    include_str!("../views/jscript.view"),
    include_str!("../views/jsdumpheap.view"),
    include_str!("../views/aspnet.view"),
    include_str!("../views/iis.view"),
    include_str!("../views/kernel_file_manifest.view"),
    include_str!("../views/sampleprofiler.view"),
    include_str!("../views/interop.view"),
    include_str!("../views/applicationserver.view"),
    include_str!("../views/wpf.view"),
];

/// What a field is shown as: TraceEvent's type of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Int,
    Long,
    Address,
    Bool,
    DateTime,
    /// A type that has a value where there is none (`Guid`, `double`, `short` ...), with what that looks like. Otherwise as
    /// [`Type::Plain`].
    Value(&'static str),
    /// As the value is: text, arrays and whatever else has one way to be shown.
    Plain,
    /// An enumeration, by its place.
    Enum(usize),
}

/// Where a field's value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ColumnSource {
    /// A field of the schema.
    Field(Box<str>),
    /// A constant.
    Number(i64),
    /// A function and its arguments.
    Call(Box<str>, Box<[Box<str>]>),
}

/// A field of a view.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: Box<str>,
    pub(crate) shown_as: Type,
    pub(crate) source: ColumnSource,
    /// What is shown without a value: a number, or nothing for `null`.
    pub(crate) otherwise: Option<Box<str>>,
    /// The first release that shows it, if not all do.
    pub(crate) since: Option<Release>,
}

/// An enumeration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Enumeration {
    pub(crate) flags: bool,
    pub(crate) values: Vec<(i64, Box<str>)>,
}

/// How an event is shown.
#[derive(Clone, Debug)]
pub(crate) struct EventView {
    pub(crate) provider: Box<str>,
    pub(crate) title: Box<str>,
    view: usize,
}

/// All views.
#[derive(Debug, Default)]
pub(crate) struct Views {
    pub(crate) events: HashMap<(bool, Guid, u16), EventView>,
    columns: Vec<Vec<Column>>,
    enums: Vec<Enumeration>,
    /// Provider and task of each class of classic events.
    pub(crate) tasks: HashMap<Guid, (Box<str>, Box<str>)>,
    /// Fields taken for a thread id, by class and opcode.
    threads: HashMap<(Guid, u8), Box<str>>,
    /// Events whose process is that of a thread which must be known already, by class and opcode.
    processes: HashSet<(Guid, u8)>,
    /// Events of known classes that Windows has no names for, by class and opcode.
    unnamed: HashSet<(Guid, u8)>,
    /// Providers whose views are for traces without schemas of theirs.
    pub(crate) yielding: HashSet<Guid>,
    /// Names of providers of manifest events.
    providers: HashMap<Guid, Box<str>>,
}

impl Views {
    /// Those of this crate.
    pub(crate) fn built_in() -> Self {
        let mut all = Self::default();
        for text in TEXTS {
            Reader::default().read(text, &mut all);
        }
        all
    }

    /// Returns how an event is shown; `None` if by its schema.
    pub(crate) fn view(&self, event: &Event<'_>) -> Option<&EventView> {
        let key = event.raw().key();
        let source = event.schema().map(|schema| schema.origin().source);
        let is_told = matches!(source, Some(etwkit::schema::SchemaSource::TRACE_EVENT_INFO));
        self.event(&key).filter(|_| !is_told || !self.yielding.contains(&key.provider))
    }

    /// Returns the name of a provider of manifest events.
    pub(crate) fn provider(&self, guid: Guid) -> Option<&str> {
        self.providers.get(&guid).map(|name| &**name)
    }

    /// Returns whether the event's process is known only after an event that names the process of its thread.
    pub(crate) fn needs_told_thread(&self, key: &EventKey) -> bool {
        key.kind == Kind::Classic && self.processes.contains(&(key.provider, key.opcode))
    }

    /// Returns whether Windows has no name for an event of a class that it knows.
    pub(crate) fn is_unnamed(&self, key: &EventKey) -> bool {
        self.unnamed.contains(&(key.provider, key.opcode))
    }

    /// Returns how events with this key are shown.
    fn event(&self, key: &EventKey) -> Option<&EventView> {
        let place = match key.kind {
            Kind::Classic => (true, key.provider, u16::from(key.opcode)),
            Kind::Manifest => (false, key.provider, key.id),
            _ => return None,
        };
        self.events.get(&place)
    }

    /// Provider and task of a class of classic events.
    pub(crate) fn task(&self, class: Guid) -> Option<(&str, &str)> {
        self.tasks.get(&class).map(|(provider, task)| (&**provider, &**task))
    }

    /// Leaves out the fields that a release does not have yet, and what other fields of their view take from them.
    pub(crate) fn at_release(mut self, release: Release) -> Self {
        for columns in &mut self.columns {
            let (old, new): (Vec<_>, Vec<_>) = std::mem::take(columns)
                .into_iter()
                .partition(|column| column.since.is_none_or(|since| since <= release));
            *columns = old;
            let is_new = |name: &str| new.iter().any(|column| *column.name == *name);
            for column in columns {
                if let ColumnSource::Call(_, arguments) = &mut column.source {
                    *arguments = arguments.iter().filter(|name| !is_new(name)).cloned().collect();
                }
            }
        }
        self
    }

    /// Returns the field that TraceEvent takes for the thread's id by mistake.
    pub(crate) fn mistaken_thread(&self, key: &EventKey) -> Option<&str> {
        self.threads.get(&(key.provider, key.opcode)).map(|field| &**field).filter(|_| key.kind == Kind::Classic)
    }

    /// Returns the fields of a view.
    pub(crate) fn columns(&self, event: &EventView) -> &[Column] {
        self.columns.get(event.view).map_or(&[], Vec::as_slice)
    }

    /// Returns an enumeration.
    pub(crate) fn enumeration(&self, place: usize) -> Option<&Enumeration> {
        self.enums.get(place)
    }
}

/// Reads one text. Names of views and enumerations are its own.
#[derive(Default)]
struct Reader<'t> {
    views: HashMap<&'t str, usize>,
    enums: HashMap<&'t str, usize>,
    provider: &'t str,
    open: Open,
}

#[derive(Clone, Copy, Default)]
enum Open {
    #[default]
    Nothing,
    View(usize),
    Enum(usize),
}

impl<'t> Reader<'t> {
    fn read(&mut self, text: &'t str, all: &mut Views) {
        let lines = || text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        // Enumerations come after the views that use them.
        for name in lines().filter_map(|line| line.strip_prefix("enum ")) {
            let (name, flags) = name.strip_suffix(" flags").map_or((name, false), |name| (name, true));
            self.enums.insert(name, all.enums.len());
            all.enums.push(Enumeration { flags, values: Vec::new() });
        }
        for line in lines() {
            self.line(line, all);
        }
    }

    fn line(&mut self, line: &'t str, all: &mut Views) {
        match line.split_once(' ') {
            Some(("view", name)) => {
                self.views.insert(name, all.columns.len());
                self.open = Open::View(all.columns.len());
                all.columns.push(Vec::new());
            }
            Some(("enum", name)) => {
                let name = name.strip_suffix(" flags").unwrap_or(name);
                self.open = self.enums.get(name).map_or(Open::Nothing, |place| Open::Enum(*place));
            }
            Some(("provider", name)) => self.provider = name,
            Some(("event", rest)) => {
                let _ = self.event(rest, all);
            }
            Some(("defect-thread", rest)) => {
                let mut words = rest.split(' ').skip(1);
                let opcode = words.next().and_then(|word| word.parse().ok());
                let class = words.next().and_then(|word| word.parse().ok());
                if let (Some(opcode), Some(class), Some(field)) = (opcode, class, words.next()) {
                    all.threads.insert((class, opcode), field.into());
                }
            }
            Some(("defect-process", rest)) => all.processes.extend(place(rest)),
            Some(("unnamed", rest)) => all.unnamed.extend(place(rest)),
            Some(("yields", provider)) => all.yielding.extend(provider.parse::<Guid>().ok()),
            _ => self.member(line.trim(), all),
        }
    }

    fn member(&self, line: &str, all: &mut Views) {
        match self.open {
            Open::View(view) => {
                if let (Some(view), Some(column)) = (all.columns.get_mut(view), self.column(line)) {
                    view.push(column);
                }
            }
            Open::Enum(place) => {
                let value = line.split_once(' ').and_then(|(value, label)| Some((value.parse().ok()?, label.into())));
                if let (Some(list), Some(value)) = (all.enums.get_mut(place), value) {
                    list.values.push(value);
                }
            }
            Open::Nothing => {}
        }
    }

    fn column(&self, line: &str) -> Option<Column> {
        let (line, since) = match line.split_once(" since ") {
            Some((line, since)) => (line, Some(since.parse().ok()?)),
            None => (line, None),
        };
        let (line, otherwise) = match line.split_once(" else ") {
            Some((line, otherwise)) => (line, Some(otherwise.into())),
            None => (line, None),
        };
        let (head, source) = line.split_once(" = ").unwrap_or((line, ""));
        let (name, shown_as) = head.split_once(' ')?;
        let source = if source.is_empty() { ColumnSource::Field(name.into()) } else { source_of(source) };
        Some(Column { name: name.into(), shown_as: self.type_of(shown_as), source, otherwise, since })
    }

    fn type_of(&self, name: &str) -> Type {
        match name {
            "int" => Type::Int,
            "long" => Type::Long,
            "Address" => Type::Address,
            "bool" => Type::Bool,
            "DateTime" => Type::DateTime,
            "Guid" => Type::Value("00000000-0000-0000-0000-000000000000"),
            "double" => Type::Value("0.000"),
            "float" | "short" | "byte" => Type::Value("0"),
            _ => self.enums.get(name).map_or(Type::Plain, |place| Type::Enum(*place)),
        }
    }

    fn event(&self, rest: &str, all: &mut Views) -> Option<()> {
        let mut words = rest.splitn(5, ' ');
        let classic = words.next()? == "opcode";
        let number: u16 = words.next()?.parse().ok()?;
        let guid: Guid = words.next()?.parse().ok()?;
        let view = *self.views.get(words.next()?)?;
        let title = words.next()?;
        if classic && let Some((task, _)) = title.split_once('/') {
            all.tasks.entry(guid).or_insert_with(|| (self.provider.into(), task.into()));
        }
        if !classic {
            all.providers.entry(guid).or_insert_with(|| self.provider.into());
        }
        let event = EventView { provider: self.provider.into(), title: title.into(), view };
        all.events.entry((classic, guid, number)).or_insert(event);
        Some(())
    }
}

/// Class and opcode of `opcode N {class}`.
fn place(text: &str) -> Option<(Guid, u8)> {
    let (opcode, class) = text.strip_prefix("opcode ")?.split_once(' ')?;
    Some((class.parse().ok()?, opcode.parse().ok()?))
}

fn source_of(text: &str) -> ColumnSource {
    let mut words = text.split(' ');
    let first = words.next().unwrap_or_default();
    match first.strip_prefix('@') {
        Some(name) => ColumnSource::Call(name.into(), words.map(Into::into).collect()),
        None => first.parse().map_or_else(|_| ColumnSource::Field(first.into()), ColumnSource::Number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_every_view_is_understood() {
        let all = Views::built_in();
        let lines =
            |word: &str| TEXTS.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with(word)).count();
        assert_eq!(all.columns.len(), lines("view "));
        assert_eq!(all.enums.len(), lines("enum "));
        let members: usize =
            all.columns.iter().map(Vec::len).sum::<usize>() + all.enums.iter().map(|e| e.values.len()).sum::<usize>();
        assert_eq!(members, lines("  "));
        assert!(all.events.len() > 1500, "{}", all.events.len());
    }
}
