//! Names native code in the stacks of a trace.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use etwkit::parser::{FirstPass, Parser};
use etwkit::system::{FrameNamer, Function, Image, PdbFile};

use crate::frame::{Frame, Source};
use crate::identity::{Module, PdbId};
use crate::limits::{MAX_CACHED, MAX_MODULES};
use crate::options::Options;
use crate::search::SearchPath;
use crate::symbolizer::{ModuleNumber, Symbolizer};

/// Names native code in the stacks of traces from symbol files. It is a parser to register, so that the frames of all
/// outputs have names:
///
/// ```no_run
/// use etwkit::parser::Parsers;
/// use etwkit_symbols::{ImageNames, SearchPath};
///
/// let names = ImageNames::new(SearchPath::new().folder("symbols"));
/// let parsers = Parsers::none().with(names.clone()); // and those that keep stacks
/// # let _ = parsers;
/// // After the trace was read:
/// for (module, source) in names.sources() {
///     println!("{}: {:?} {:?}", module.file_name(), source.provenance, source.warning);
/// }
/// ```
///
/// Clones share the open files and what was looked up.
#[derive(Clone, Debug)]
pub struct ImageNames {
    known: Arc<Known>,
}

#[derive(Debug)]
struct Known(Mutex<State>);

#[derive(Debug)]
struct State {
    symbolizer: Symbolizer,
    modules: HashMap<ImageFile, ModuleNumber>,
    /// In the order of their first lookup.
    list: Vec<(Module, ModuleNumber)>,
    listed: HashSet<ModuleNumber>,
    functions: HashMap<(ModuleNumber, u32), Option<Arc<[Function]>>>,
}

/// What identifies the file of an image.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ImageFile {
    path: Arc<str>,
    time_stamp: u32,
    size: u64,
    pdb: Option<Arc<PdbFile>>,
}

impl ImageNames {
    /// Returns names from the symbol files on a search path.
    pub fn new(path: SearchPath) -> Self {
        Self::with_options(path, Options::default())
    }

    /// Returns names that are written in some way.
    pub fn with_options(path: SearchPath, options: Options) -> Self {
        let symbolizer = Symbolizer::with_options(path, options);
        let (modules, list, listed, functions) = <_>::default();
        Self { known: Arc::new(Known(Mutex::new(State { symbolizer, modules, list, listed, functions }))) }
    }

    /// Returns the symbol file of an image, or why there is none.
    pub fn source(&self, image: &Image) -> Source {
        let mut state = self.known.lock();
        let number = state.module(image);
        state.symbolizer.source(number)
    }

    /// Returns the modules that were looked up, in that order, with their symbol files.
    pub fn sources(&self) -> Vec<(Module, Source)> {
        let mut state = self.known.lock();
        let State { symbolizer, list, .. } = &mut *state;
        list.iter().map(|(module, number)| (module.clone(), symbolizer.source(*number))).collect()
    }
}

impl Parser for ImageNames {
    fn name(&self) -> &str {
        "symbols"
    }

    fn begin(&self, pass: &mut FirstPass) {
        let known: Arc<dyn FrameNamer> = Arc::clone(&self.known) as _;
        pass.set_frame_namer(known);
    }
}

impl FrameNamer for Known {
    fn functions(&self, image: &Image, rva: u32) -> Option<Arc<[Function]>> {
        let mut state = self.lock();
        let number = state.module(image);
        if let Some(found) = state.functions.get(&(number, rva)) {
            return found.clone();
        }
        let found = state.symbolizer.frames(number, rva).frames;
        let found: Arc<[Function]> = found.iter().filter_map(function).collect();
        let found = Some(found).filter(|found| !found.is_empty());
        if state.functions.len() >= MAX_CACHED {
            state.functions.clear();
        }
        state.functions.insert((number, rva), found.clone());
        found
    }
}

impl Known {
    /// A panic elsewhere leaves nothing half done: what is kept is a cache.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn module(&mut self, image: &Image) -> ModuleNumber {
        let file = ImageFile::of(image);
        if let Some(number) = self.modules.get(&file) {
            return *number;
        }
        let module = Module::from(image);
        let number = self.symbolizer.module(&module);
        if self.modules.len() >= MAX_MODULES {
            self.modules.clear();
        }
        if self.list.len() < MAX_MODULES && self.listed.insert(number) {
            self.list.push((module, number));
        }
        self.modules.insert(file, number);
        number
    }
}

impl ImageFile {
    fn of(image: &Image) -> Self {
        let Image { path, time_stamp, size, pdb, .. } = image;
        Self { path: Arc::clone(path), time_stamp: *time_stamp, size: *size, pdb: pdb.clone() }
    }
}

/// What a trace states about an image.
impl From<&Image> for Module {
    fn from(image: &Image) -> Self {
        let module = Self::new(&*image.path).image(image.time_stamp, u32::try_from(image.size).unwrap_or(0));
        match &image.pdb {
            Some(pdb) => module.pdb(PdbId::new(&*pdb.name, pdb.guid, pdb.age)),
            None => module,
        }
    }
}

fn function(frame: &Frame) -> Option<Function> {
    let mut function = Function::new(Arc::clone(frame.function.as_ref()?));
    function.file.clone_from(&frame.file);
    (function.line, function.is_inlined) = (frame.line, frame.is_inlined);
    Some(function)
}
