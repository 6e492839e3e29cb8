//! Many schemas, and the choice of those that may fit an event.

mod choice;
mod on_demand;
mod stored;

use std::sync::Arc;

use crate::bytes::Guid;
use crate::event::{EventKey, RawEvent};

use super::{Schema, SchemaEntry};

pub(crate) use on_demand::SchemasOnDemand;

use choice::wanted;
use stored::{Sorting, Stored};

/// Schemas by what chooses them. Looked up once per key, not once per event.
#[derive(Clone, Debug, Default)]
pub struct SchemaSet {
    /// Sorted by [`Stored::place`]; entries for the same events keep their order.
    entries: Box<[Stored]>,
    providers: Box<[Guid]>,
}

impl SchemaSet {
    /// Makes a set of these entries.
    pub fn new(entries: impl IntoIterator<Item = SchemaEntry>) -> Self {
        let mut entries: Box<[Stored]> = entries.into_iter().map(Stored::from).collect();
        entries.sort_by(|a, b| a.place().cmp(&b.place()));
        let mut providers: Vec<Guid> = entries.iter().map(|stored| stored.select.guid()).collect();
        providers.sort_unstable();
        providers.dedup();
        Self { entries, providers: providers.into() }
    }

    /// Returns the GUIDs it has entries for (providers, classes and message GUIDs), sorted.
    pub const fn providers(&self) -> &[Guid] {
        &self.providers
    }

    /// Returns how many entries it has.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entries, sorted by what chooses them.
    pub fn entries(&self) -> impl Iterator<Item = SchemaEntry> + '_ {
        self.entries.iter().map(Stored::entry)
    }

    /// Returns the schemas that may fit an event, best first; none if the event is unknown.
    ///
    /// `name` is a TraceLogging event's name, `build` the OS build of the recording machine, 0 if unknown.
    ///
    /// 1. Entries whose versions include the event's version; failing these, the ones for the highest lower version,
    ///    with [`super::Origin::guessed_version`] set. A layout of a higher version is never used: it may read fields
    ///    that were not there yet.
    /// 2. Of these, the ones whose builds include `build`; failing these, all.
    ///
    /// When several layouts remain, or those that remain are for other builds, they have
    /// [`super::Origin::guessed_build`] set. Several results are layouts of the same event, newest build first: the
    /// caller may prefer the first that fits a payload exactly.
    pub fn find(&self, key: &EventKey, name: Option<&str>, build: u32) -> Vec<Arc<Schema>> {
        let Some(wanted) = wanted(key, name) else { return Vec::new() };
        let entries: Vec<&Stored> = self.range(&wanted).iter().collect();
        choice::best(&entries, key.version, build)
    }

    /// Returns the best of [`SchemaSet::find`] with the others as its alternatives, as a parser hands it out.
    pub fn choose(&self, key: &EventKey, name: Option<&str>, build: u32) -> Option<Schema> {
        choice::chain(self.find(key, name, build))
    }

    /// Returns the choice for an event of a trace. TraceLogging events are found by the name in their metadata.
    pub fn of_event(&self, event: &RawEvent<'_>, build: u32) -> Option<Schema> {
        self.choose(&event.key(), choice::name(event).as_deref(), build)
    }

    /// Returns all entries for the same events.
    fn range(&self, wanted: &Sorting<'_>) -> &[Stored] {
        let start = self.entries.partition_point(|stored| stored.place() < *wanted);
        let end = self.entries.partition_point(|stored| stored.place() <= *wanted);
        self.entries.get(start..end).unwrap_or_default()
    }
}

impl FromIterator<SchemaEntry> for SchemaSet {
    fn from_iter<I: IntoIterator<Item = SchemaEntry>>(entries: I) -> Self {
        Self::new(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Kind;
    use crate::schema::text;

    /// Schemas are distinguished by the name of their only field.
    fn set(text: &str) -> SchemaSet {
        let head = "provider {00000000-0000-0000-0000-000000000001} class {00000000-0000-0000-0000-000000000002}\n";
        SchemaSet::new(text::parse(&(head.to_owned() + text)).unwrap())
    }

    fn key(kind: Kind, number: u16, version: u8) -> EventKey {
        let provider = Guid::from_u128(if matches!(kind, Kind::Classic | Kind::Wpp) { 2 } else { 1 });
        let opcode = if kind == Kind::Classic { u8::try_from(number).unwrap() } else { 77 };
        EventKey { kind, provider, id: if kind == Kind::Classic { 0 } else { number }, version, opcode, task: 0 }
    }

    /// Returns the field names of what is found, with `?` and `!` where version and build were guessed.
    fn found(set: &SchemaSet, key: &EventKey, build: u32) -> String {
        let label = |schema: &Arc<Schema>| {
            let origin = schema.origin();
            let (version, build) = (origin.guessed_version, origin.guessed_build);
            format!("{}{}{}", schema.fields()[0].name, if version { "?" } else { "" }, if build { "!" } else { "" })
        };
        set.find(key, Some("Name"), build).iter().map(label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_kind_is_found_by_its_own_fields() {
        let set =
            set("event opcode 5 { C u8 }\nevent id 5 { M u8 }\nevent message 5 { W u8 }\nevent name Name { T u8 }");
        assert_eq!(found(&set, &key(Kind::Classic, 5, 0), 0), "C");
        // The key's opcode is 77: an id states all.
        assert_eq!(found(&set, &key(Kind::Manifest, 5, 0), 0), "M");
        assert_eq!(found(&set, &key(Kind::Wpp, 5, 0), 0), "W");
        assert_eq!(found(&set, &key(Kind::TraceLogging, 5, 0), 0), "T");
        assert!(set.find(&key(Kind::TraceLogging, 5, 0), Some("Nam"), 0).is_empty());
        assert!(set.find(&key(Kind::TraceLogging, 5, 0), None, 0).is_empty());
        assert_eq!(found(&set, &key(Kind::Manifest, 6, 0), 0), "");
        assert_eq!(found(&set, &key(Kind::StringOnly, 5, 0), 0), "");
        assert_eq!((set.len(), set.is_empty()), (4, false));
    }

    #[test]
    fn layouts_that_are_the_same_are_tried_once() {
        let set = set("event id 1 { A u8 }\nevent id 1 { B u16 }\nevent id 1 { A u8 }");
        let chosen = set.choose(&key(Kind::Manifest, 1, 0), None, 0).unwrap();
        let names: Vec<&str> = chosen.with_alternatives().map(|schema| &*schema.fields()[0].name).collect();
        assert_eq!(names, ["A", "B"]);
    }

    #[test]
    fn a_missing_version_falls_back_to_the_highest_lower_one() {
        let set = set("event id 1 version 1..2 { A u8 }\nevent id 1 version 5 { B u8 }\nevent id 1 version 3 { C u8 }");
        let at = |version| found(&set, &key(Kind::Manifest, 1, version), 19041);
        assert_eq!([at(0), at(1), at(2), at(3), at(4), at(5), at(200)], ["", "A", "A", "C", "C?", "B", "B?"]);
    }

    #[test]
    fn the_build_of_the_trace_decides_between_layouts() {
        let set = set("event id 1 build ..9600 { Old u8 }\nevent id 1 build 10240..17763 { Mid u8 }\n\
             event id 1 build 18362.. { New u8 }");
        let at = |build| found(&set, &key(Kind::Manifest, 1, 0), build);
        assert_eq!([at(7601), at(17763), at(22000)], ["Old", "Mid", "New"]);
        // A build of no layout, or an unknown one, leaves all: the fit decides.
        assert_eq!([at(18000), at(0)], ["New! Mid! Old!", "New! Mid! Old!"]);
    }

    #[test]
    fn a_lone_layout_is_a_guess_only_for_other_builds() {
        let set = set("event id 1 version 0 build ..9600 { A u8 }\nevent id 1 version 1 { B u8 }");
        let at = |version, build| found(&set, &key(Kind::Manifest, 1, version), build);
        assert_eq!([at(0, 9600), at(0, 9601), at(0, 0), at(1, 9601), at(2, 1)], ["A", "A!", "A", "B", "B?"]);
    }

    #[test]
    fn several_layouts_of_a_build_come_newest_first() {
        let set =
            set("event id 1 { Any u8 }\nevent id 1 build 10240.. { Ten u8 }\nevent id 1 build 19041..22000 { Vb u8 }");
        assert_eq!(found(&set, &key(Kind::Manifest, 1, 0), 19045), "Vb! Ten! Any!");
        assert_eq!(found(&set, &key(Kind::Manifest, 1, 0), 22631), "Ten! Any!");
        assert_eq!(found(&set, &key(Kind::Manifest, 1, 0), 9600), "Any");
    }

    #[test]
    fn the_other_layouts_are_alternatives_of_the_chosen_one() {
        let set = set("event id 1 build ..9600 { Old u8 }\nevent id 1 build 10240.. { New u8 }");
        let schema = set.choose(&key(Kind::Manifest, 1, 0), None, 0).unwrap();
        let other = schema.alternative().unwrap();
        assert_eq!((&*schema.fields()[0].name, &*other.fields()[0].name), ("New", "Old"));
        assert!(other.alternative().is_none());
        assert!(set.choose(&key(Kind::Manifest, 2, 0), None, 0).is_none());
    }

    #[test]
    fn the_providers_are_the_guids_of_the_events() {
        let set = set("event opcode 1, 2 { A u8 }\nevent id 1 { A u8 }\nevent id 2 { A u8 }");
        assert_eq!(set.providers(), [Guid::from_u128(1), Guid::from_u128(2)]);
        assert!(SchemaSet::default().providers().is_empty());
    }

    #[test]
    fn what_needs_no_guess_is_shared() {
        let set = set("event id 1 { A u8 }");
        let find = || set.find(&key(Kind::Manifest, 1, 0), None, 0).remove(0);
        assert!(Arc::ptr_eq(&find(), &find()));
    }
}
