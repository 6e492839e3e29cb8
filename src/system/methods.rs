//! Methods that a runtime compiled, over time.

#[cfg(feature = "output")]
use std::ops::RangeInclusive;
use std::sync::Arc;

use hashbrown::HashMap;

use super::StateBudget;
use super::budget::entry_size;
use super::lifetime::Lifetime;
use super::names::Names;
use super::owner::{Owner, Owners};
use super::processes::Processes;
use super::ranges::{LINKS, Ranged, Ranges};
use super::timeline::{Rundown, Ticks};

/// Machine code of a method at a range of addresses. A method has several if it was compiled again, or if its cold part
/// lies elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodCode {
    /// Id of its process.
    pub pid: u32,
    /// Address of its first byte.
    pub start: u64,
    /// Bytes.
    pub size: u64,
    /// The runtime's id of the method; the same for all code of it while it exists.
    pub id: u64,
    /// The runtime's id of the module that it belongs to.
    pub module_id: u64,
    /// Name with namespace, type and parameters; empty if the event has none, and another event of the same method may
    /// have it.
    pub name: Box<str>,
    /// How well it is optimized, as the runtime numbers it; 0 if that is not known.
    pub tier: u8,
}

impl MethodCode {
    /// Returns code without a name.
    pub fn new(pid: u32, start: u64, size: u64) -> Self {
        Self { pid, start, size, ..Self::default() }
    }
}

/// The method whose code is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Method<'s> {
    /// Address of the first byte of this code.
    pub start: u64,
    /// Bytes of this code.
    pub size: u64,
    /// The runtime's id of the method.
    pub id: u64,
    /// How well this code is optimized, as the runtime numbers it; 0 if that is not known.
    pub tier: u8,
    /// Name with namespace, type and parameters, such as `System.String.Concat(class System.String[])`; `None` if no event
    /// names it.
    pub name: Option<&'s str>,
    /// Path or address of its module; `None` if no event names it.
    pub module: Option<&'s str>,
}

impl<'s> Method<'s> {
    /// Returns the module's file name without directory and extension.
    pub fn module_name(&self) -> Option<&'s str> {
        let name = super::process::shared_file_name(self.module?);
        let name = name.split(['?', '#']).next().unwrap_or(name);
        let stem = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem);
        Some(stem).filter(|stem| !stem.is_empty())
    }
}

/// All methods.
#[derive(Clone, Debug, Default)]
pub struct Methods {
    ranges: Ranges<Code>,
    texts: Names,
    /// Names of methods by process and id.
    names: HashMap<(Owner, u64), Arc<str>>,
    /// Paths of modules by process and id.
    modules: HashMap<(Owner, u64), Arc<str>>,
}

/// What is kept of a [`MethodCode`].
#[derive(Clone, Debug)]
struct Code {
    owner: Owner,
    size: u32,
    start: u64,
    id: u64,
    module_id: u64,
    name: Option<Arc<str>>,
    tier: u8,
}

impl Ranged for Code {
    fn owner(&self) -> Owner {
        self.owner
    }

    fn start(&self) -> u64 {
        self.start
    }

    fn size(&self) -> u64 {
        self.size.into()
    }
}

impl Methods {
    /// Returns whether no method is known.
    pub fn is_empty(&self) -> bool {
        self.ranges.list().is_empty()
    }

    /// Returns how many ranges of code are known.
    pub fn len(&self) -> usize {
        self.ranges.list().len()
    }

    /// Returns all code, in the order in which events state it.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Method<'_>)> {
        self.ranges.list().iter().map(|code| (code.owner.pid, self.method(code)))
    }

    /// Adds code that is there from a tick on.
    pub(super) fn load(&mut self, tick: i64, owners: Owners, code: &MethodCode, budget: &mut StateBudget) {
        if let Some((open, lifetime)) = self.ranges.open(owners.now, code.start) {
            if lifetime.start.is_none() && open.id == code.id {
                // A merged trace holds the rundown of one session and the load of another.
                self.name(owners.now, code, budget);
                return;
            }
            lifetime.end = Some(tick.saturating_sub(1));
        }
        self.add(owners.now, code, budget, |ranges, code| ranges.add(code, Some(tick), tick));
    }

    /// Adds the end of code.
    pub(super) fn unload(&mut self, tick: i64, owners: Owners, code: &MethodCode, budget: &mut StateBudget) {
        let is_open = |owner| self.ranges.opened(owner, code.start).map(|_| owner);
        let owner = owners.find(is_open).unwrap_or(owners.last);
        if self.ranges.close(owner, code.start, tick).is_some() {
            self.name(owner, code, budget);
        } else {
            self.add(owner, code, budget, |ranges, code| ranges.add_ended(code, tick));
        }
    }

    /// Adds code of a rundown. It was there from the beginning, or since the code before it at its addresses ended. Another
    /// method's code that was there is gone: its end is in no session, or was lost.
    pub(super) fn exists(&mut self, at: Rundown, owners: Owners, code: &MethodCode, budget: &mut StateBudget) {
        let key = (owners.now, code.start);
        let since = self.ranges.replace(at, key, |open| open.id == code.id).map(|(_, next)| next.tick);
        if since.is_some() || self.ranges.opened(owners.now, code.start).is_none() {
            self.add(owners.now, code, budget, |ranges, code| ranges.add(code, since, at.event.tick));
        } else {
            self.name(owners.now, code, budget);
        }
    }

    /// Returns whether an event since the start of a session stated code of a method at an address, and it has a name.
    pub(super) fn has_name(&self, session: i64, owners: Owners, start: u64, id: u64) -> bool {
        let open = self.ranges.opened(owners.now, start).filter(|open| open.stated >= session);
        let open = open.and_then(|open| self.ranges.get(open.place));
        open.is_some_and(|(code, _)| code.id == id && code.name.is_some())
    }

    /// Adds the path of a module.
    pub(super) fn module(&mut self, owners: Owners, id: u64, path: &str, budget: &mut StateBudget) {
        let (key, path) = ((owners.now, id), budget.shortened(path));
        if !path.is_empty() && !self.modules.contains_key(&key) && budget.take(NAME, path.len()) {
            self.modules.insert(key, self.texts.shared(path));
        }
    }

    /// Returns the method whose code was at an address of a process.
    pub(crate) fn at(&self, pid: u32, address: u64, at: Ticks) -> Option<Method<'_>> {
        self.ranges.at(pid, address, at).map(|code| self.method(code))
    }

    /// Returns the same for a tick, and for which other ticks it is so.
    #[cfg(feature = "output")]
    pub(super) fn span(&self, pid: u32, address: u64, tick: i64) -> (Option<Method<'_>>, RangeInclusive<i64>) {
        let (code, ticks) = self.ranges.span(pid, address, tick);
        (code.map(|code| self.method(code)), ticks)
    }

    /// Lets code be there no longer than its process, where ids were reused. Once, after the first pass.
    pub(super) fn end_with_processes(&mut self, processes: &Processes) {
        for (code, lifetime) in self.ranges.iter_mut() {
            if let Some((during, _)) = processes.bounds(code.owner) {
                lifetime.cut(during);
            }
        }
    }

    /// Orders what lookups search, and names code that was named elsewhere.
    pub(super) fn freeze(&mut self) {
        let names = std::mem::take(&mut self.names);
        for (code, _) in self.ranges.iter_mut().filter(|(code, _)| code.name.is_none()) {
            code.name = names.get(&(code.owner, code.id)).cloned();
        }
        self.ranges.freeze();
        self.texts.end();
    }

    fn add(
        &mut self,
        owner: Owner,
        code: &MethodCode,
        budget: &mut StateBudget,
        put: impl FnOnce(&mut Ranges<Code>, Code),
    ) {
        if budget.take(ENTRY, 0) {
            let name = self.name(owner, code, budget);
            let MethodCode { start, size, id, module_id, tier, .. } = *code;
            let size = u32::try_from(size).unwrap_or(u32::MAX);
            put(&mut self.ranges, Code { owner, size, start, id, module_id, name, tier });
        }
    }

    /// Returns the name of code, and keeps it for code of the same method whose events have none.
    fn name(&mut self, owner: Owner, code: &MethodCode, budget: &mut StateBudget) -> Option<Arc<str>> {
        let name = budget.shortened(Some(&*code.name).filter(|name| !name.is_empty())?);
        if let Some(known) = self.names.get(&(owner, code.id)).filter(|known| ***known == *name) {
            return Some(Arc::clone(known));
        }
        if !budget.take(NAME, name.len()) {
            return None;
        }
        let name = self.texts.shared(name);
        self.names.insert((owner, code.id), Arc::clone(&name));
        Some(name)
    }

    fn method<'s>(&'s self, code: &'s Code) -> Method<'s> {
        let Code { start, id, tier, .. } = *code;
        let module = self.modules.get(&(code.owner, code.module_id)).map(|path| &**path);
        let name = code.name.as_deref();
        Method { start, size: code.size.into(), id, tier, name, module }
    }
}

/// Bytes of code: in the list, and where it is found by its process and address.
const ENTRY: usize = entry_size::<(Code, Lifetime)>(LINKS);
/// Bytes of a name, besides its text.
const NAME: usize = entry_size::<((Owner, u64), Arc<str>)>(size_of::<Arc<str>>());

#[cfg(test)]
mod tests {
    use super::super::timeline::Moment;
    use super::*;

    fn rundown(tick: i64, session: i64) -> Rundown {
        let at = |tick| Moment { tick, time: None };
        Rundown { event: at(tick), session: at(session) }
    }

    fn code(start: u64, id: u64, name: &str) -> MethodCode {
        MethodCode { id, name: name.into(), module_id: 9, ..MethodCode::new(7, start, 16) }
    }

    #[test]
    fn addresses_belong_to_methods_for_a_time() {
        let (mut all, mut budget) = (Methods::default(), StateBudget::default());
        all.load(10, 7.into(), &code(0x100, 1, ""), &mut budget);
        all.load(20, 7.into(), &code(0x100, 2, "Second()"), &mut budget);
        all.unload(30, 7.into(), &code(0x100, 2, ""), &mut budget);
        all.exists(rundown(99, 0), 7.into(), &code(0x100, 3, "Third()"), &mut budget);
        // The rundown at the end names what was loaded without a name; it is not there from the beginning.
        all.exists(rundown(99, 0), 7.into(), &code(0x200, 1, "First()"), &mut budget);
        all.module(7.into(), 9, r"C:\app\My.Lib.dll", &mut budget);
        all.freeze();
        let name = |address, tick| all.at(7, address, Ticks::one(tick)).and_then(|method| method.name);
        assert_eq!([name(0x100, 9), name(0x10F, 10), name(0x110, 10)], [None, Some("First()"), None]);
        assert_eq!(
            [name(0x100, 20), name(0x100, 30), name(0x100, 31)],
            [Some("Second()"), Some("Second()"), Some("Third()")]
        );
        let first = all.at(7, 0x200, Ticks::one(0)).unwrap();
        assert_eq!((first.name, first.module_name()), (Some("First()"), Some("My.Lib")));
    }

    #[test]
    fn a_load_names_what_a_rundown_listed_without_a_name() {
        let (mut all, mut budget) = (Methods::default(), StateBudget::default());
        all.exists(rundown(99, 0), 7.into(), &code(0x100, 1, ""), &mut budget);
        all.load(10, 7.into(), &code(0x100, 1, "First()"), &mut budget);
        all.freeze();
        let found = [0, 10].map(|tick| all.at(7, 0x100, Ticks::one(tick)).and_then(|method| method.name));
        assert_eq!((found, all.len()), ([Some("First()"); 2], 1));
    }

    /// The end of the first one is in no session, or was lost.
    #[test]
    fn a_rundown_lists_the_next_method_at_an_address() {
        for (session, begins) in [(0, 20), (15, 15)] {
            let (mut all, mut budget) = (Methods::default(), StateBudget::default());
            all.load(10, 7.into(), &code(0x100, 1, "First()"), &mut budget);
            all.exists(rundown(20, session), 7.into(), &code(0x100, 2, "Second()"), &mut budget);
            all.exists(rundown(21, session), 7.into(), &code(0x100, 2, "Second()"), &mut budget);
            all.exists(rundown(5, 0), 7.into(), &code(0x100, 3, "Earlier()"), &mut budget);
            all.freeze();
            let found = [10, begins - 1, begins, 99].map(|tick| all.at(7, 0x100, Ticks::one(tick)));
            let (first, second) = (Some("First()"), Some("Second()"));
            assert_eq!(found.map(|method| method?.name), [first, first, second, second]);
        }
    }

    #[test]
    fn modules_are_named_by_file_or_page() {
        let name =
            |module| Method { start: 0, size: 0, id: 0, tier: 0, name: None, module: Some(module) }.module_name();
        assert_eq!(name(r"C:\a\System.Core.ni.dll"), Some("System.Core.ni"));
        assert_eq!(name("https://host/lib/app.js?v=1.2"), Some("app"));
        assert_eq!(name(".hidden"), Some(".hidden"));
        assert_eq!(name(""), None);
    }
}
