//! Names addresses.

use std::collections::HashMap;

use crate::cache::Cache;
use crate::frame::{Frames, Missing, Source};
use crate::identity::Module;
use crate::limits::MAX_MODULES;
use crate::locate::{Located, locate};
use crate::opened::{Names, Opened};
use crate::options::Options;
use crate::search::{Finder, SearchPath};

/// Names addresses of native code from the symbol files on a search path.
///
/// Frames are kept by module and address, so that looking up the same address again costs little: callers need no cache
/// of their own. Symbol files are opened when the first address of their module is looked up.
#[derive(Debug)]
pub struct Symbolizer {
    finder: Finder,
    options: Options,
    modules: Vec<Known>,
    numbers: HashMap<Module, ModuleNumber>,
    opened: Opened,
    cache: Cache,
}

/// The number of a module in a [`Symbolizer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleNumber(u32);

/// A module, and its symbol file once that was looked for.
#[derive(Debug)]
struct Known {
    module: Module,
    located: Option<Located>,
}

impl Symbolizer {
    /// Returns a symbolizer that looks for symbol files on a search path.
    pub fn new(path: SearchPath) -> Self {
        Self::with_options(path, Options::default())
    }

    /// Returns a symbolizer that writes names in some way.
    pub fn with_options(path: SearchPath, options: Options) -> Self {
        Self {
            finder: Finder::new(path),
            options,
            modules: Vec::new(),
            numbers: HashMap::new(),
            opened: Opened::default(),
            cache: Cache::default(),
        }
    }

    /// Returns the search path.
    pub fn path(&self) -> &SearchPath {
        self.finder.path()
    }

    /// Returns the number of a module. Modules of the same file have the same number, wherever they were loaded from: only
    /// file names, PDB, time stamp and size count.
    pub fn module(&mut self, module: &Module) -> ModuleNumber {
        let normal = module.normal();
        if let Some(number) = self.numbers.get(&normal) {
            return *number;
        }
        let number = ModuleNumber(self.modules.len().min(MAX_MODULES) as u32);
        if self.modules.len() < MAX_MODULES {
            self.modules.push(Known { module: module.clone(), located: None });
            self.numbers.insert(normal, number);
        }
        number
    }

    /// Returns the symbol file of a module, or why there is none. Looks for it if that was not done before.
    pub fn source(&mut self, module: ModuleNumber) -> Source {
        self.locate(module);
        let known = self.modules.get(module.0 as usize).and_then(|known| known.located.as_ref());
        let too_many = || Source { missing: vec![Missing::TooMany], ..Source::default() };
        known.map_or_else(too_many, |located| located.source.clone())
    }

    /// Returns the frames at an address.
    ///
    /// `rva` is the address in bytes from the start of the module. The first frame of a stack is the instruction that was
    /// about to run: pass its address. All others are return addresses, which may belong to the next line, or to the
    /// function after one that does not return: pass the address minus 1.
    pub fn frames(&mut self, module: ModuleNumber, rva: u32) -> Frames<'_> {
        if self.cache.get(module.0, rva).is_none() {
            self.locate(module);
            let provenance = self.modules.get(module.0 as usize).and_then(|known| known.located.as_ref());
            let provenance = provenance.map_or_else(Default::default, |located| located.source.provenance);
            let found = self.names(module).map_or_else(Vec::new, |names| names.frames(rva));
            self.cache.insert(module.0, rva, found, provenance);
        }
        let (frames, provenance) = self.cache.get(module.0, rva).unwrap_or_default();
        Frames { frames, provenance }
    }

    /// Looks for the symbol file of a module, once.
    fn locate(&mut self, number: ModuleNumber) {
        let Some(known) = self.modules.get_mut(number.0 as usize).filter(|known| known.located.is_none()) else {
            return;
        };
        let (located, open) = locate(&mut self.finder, &known.module, self.options);
        known.located = Some(located);
        if let Some(open) = open {
            self.opened.insert(number.0, open.names, open.bytes);
        }
    }

    /// Returns the names of a module, whose file may have been closed meanwhile.
    fn names(&mut self, number: ModuleNumber) -> Option<&Names> {
        if self.opened.get(number.0).is_none() {
            let located = self.modules.get(number.0 as usize)?.located.as_ref()?;
            let contents = located.candidate.as_ref()?.contents(self.finder.path()).ok()?;
            let bytes = contents.len();
            let names = Names::open(located.source.provenance, contents, self.options).ok()?;
            self.opened.insert(number.0, names, bytes);
        }
        self.opened.get(number.0)
    }
}
