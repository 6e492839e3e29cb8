//! The application domains, assemblies and modules of one process.

use std::collections::{BTreeMap, HashMap};

use etwkit::FileTime;
use etwkit_analysis::Excess;

use crate::origin::milliseconds;
use crate::processes::{Bounded, MOST};

use super::fact::{LoaderFact, What, When};

/// A module.
#[derive(Clone, Debug)]
pub(super) struct Module {
    /// Whether the filter chooses the first event that mentions it.
    is_chosen: bool,
    pub(super) assembly: u64,
    pub(super) domain: Option<u64>,
    pub(super) flags: u32,
    pub(super) path: Box<str>,
    pub(super) native: Box<str>,
    pub(super) loaded: Option<FileTime>,
    pub(super) unloaded: Option<FileTime>,
}

/// An assembly.
#[derive(Clone, Debug)]
pub(super) struct Assembly {
    pub(super) name: Box<str>,
    pub(super) domain: u64,
    is_chosen: bool,
}

/// What a process has loaded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loaded {
    /// Names of the application domains, and whether they count.
    domains: BTreeMap<u64, (Box<str>, bool)>,
    pub(super) assemblies: BTreeMap<u64, Assembly>,
    modules: Vec<Module>,
    /// Where in the list the module of an id is.
    places: HashMap<u64, usize>,
    /// When each load of a thread began, and whether it counts; a load may need others.
    open: HashMap<u32, Vec<(FileTime, bool)>>,
    /// Milliseconds of loads that count, by the assembly's name.
    pub(super) loading: HashMap<Box<str>, f64>,
    excess: Excess,
}

/// Loads within each other on a thread.
const MOST_OPEN: usize = 256;

impl Module {
    /// It was made by the program while it ran.
    const DYNAMIC: u32 = 4;
    /// It has machine code of NGEN.
    const NATIVE: u32 = 2;
    /// It has machine code that is ready to run.
    const READY_TO_RUN: u32 = 0x20;

    pub(super) const fn is_dynamic(&self) -> bool {
        self.flags & Self::DYNAMIC != 0
    }

    /// Returns what its machine code is made by before it runs.
    pub(super) const fn precompiled(&self) -> Option<&'static str> {
        if self.flags & Self::READY_TO_RUN != 0 {
            Some("ReadyToRun")
        } else if self.flags & Self::NATIVE != 0 {
            Some("NGEN")
        } else {
            None
        }
    }
}

impl Bounded for Loaded {
    fn excess(&self) -> u64 {
        self.excess.count()
    }
}

impl Loaded {
    pub(super) fn take(&mut self, fact: LoaderFact, is_chosen: bool) {
        let (tid, time) = (fact.origin.tid, fact.origin.time);
        match fact.what {
            What::Domain { id, name } => {
                if self.domains.contains_key(&id) || self.excess.admits(self.domains.len(), MOST) {
                    let known = self.domains.get(&id).map(|(_, is_chosen)| *is_chosen);
                    self.domains.insert(id, (name, known.unwrap_or(is_chosen)));
                }
            }
            What::Assembly { id, domain, name } => {
                if self.assemblies.contains_key(&id) || self.excess.admits(self.assemblies.len(), MOST) {
                    let is_chosen = self.assemblies.get(&id).map_or(is_chosen, |known| known.is_chosen);
                    self.assemblies.insert(id, Assembly { name, domain, is_chosen });
                }
            }
            What::Module { id, assembly, domain, flags, path, native } => {
                let module = Module { is_chosen, assembly, domain, flags, path, native, loaded: None, unloaded: None };
                self.module(id, &module, (fact.when, time));
            }
            What::LoadBegin => {
                if !self.open.contains_key(&tid) && !self.excess.admits(self.open.len(), MOST) {
                    return;
                }
                let open = self.open.entry(tid).or_default();
                if self.excess.admits(open.len(), MOST_OPEN) {
                    open.push((time, is_chosen));
                }
            }
            What::LoadEnd { name } => {
                let start = self.open.get_mut(&tid).and_then(Vec::pop);
                let Some((start, true)) = start.filter(|_| !name.is_empty()) else { return };
                if self.loading.contains_key(&name) || self.excess.admits(self.loading.len(), MOST) {
                    *self.loading.entry(name).or_default() += milliseconds(start, time);
                }
            }
        }
    }

    /// A module is loaded or unloaded, or is there. Two events state that one is loaded: for the process and for an
    /// application domain.
    fn module(&mut self, id: u64, module: &Module, (when, time): (When, FileTime)) {
        // The id is that of another module after an unload.
        let is_same = |known: &Module| when != When::Load || known.unloaded.is_none();
        let known = self.places.get(&id).filter(|place| self.modules.get(**place).is_some_and(is_same));
        let place = match known {
            Some(place) => *place,
            None if self.excess.admits(self.modules.len(), MOST) => {
                self.places.insert(id, self.modules.len());
                self.modules.push(module.clone());
                self.modules.len() - 1
            }
            None => return,
        };
        let domain = module.domain;
        let Some(module) = self.modules.get_mut(place) else { return };
        module.domain = module.domain.or(domain);
        match when {
            When::Load => module.loaded = module.loaded.or(Some(time)),
            When::Unload => module.unloaded = Some(time),
            When::Rundown => {}
        }
    }

    /// Returns the name of the application domain of a module: the one that it was loaded into, else its assembly's.
    pub(super) fn domain_of(&self, module: &Module) -> Option<&str> {
        let of_assembly = || self.assemblies.get(&module.assembly).map(|assembly| assembly.domain);
        self.domains.get(&module.domain.or_else(of_assembly)?).map(|(name, _)| &**name)
    }

    /// Returns the modules that count.
    pub(super) fn modules(&self) -> impl Iterator<Item = &Module> {
        self.modules.iter().filter(|module| module.is_chosen)
    }

    /// Returns how many application domains and assemblies count.
    pub(super) fn counts(&self) -> (u64, u64) {
        let domains = self.domains.values().filter(|(_, is_chosen)| *is_chosen).count();
        (domains as u64, self.assemblies.values().filter(|assembly| assembly.is_chosen).count() as u64)
    }
}
