//! The modules that the stacks of a trace have frames in.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::sink::{Sink, Worker};
use etwkit::system::Image;

use crate::identity::Module;

/// Counts the frames of native code in the stacks of events, by module. The trace must have been opened with parsers
/// that keep stacks. Frames of methods, which events of the trace name, do not count.
#[derive(Debug, Default)]
pub struct StackModules {
    /// By the address of the image, which a trace keeps.
    images: BTreeMap<usize, (Image, u64)>,
    in_methods: u64,
    unknown: u64,
}

/// A module, and how many frames are in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleFrames {
    /// The image that has the frames, in one of the processes.
    pub image: Image,
    /// Frames of stacks that are in it.
    pub frames: u64,
}

impl StackModules {
    /// Returns the modules, those with the most frames first. Images of the same file are one.
    pub fn modules(&self) -> Vec<ModuleFrames> {
        let mut found: HashMap<Module, ModuleFrames> = HashMap::new();
        for (image, frames) in self.images.values() {
            let mut module = Module::from(image).normal();
            if module.pdb.is_some() {
                // The PDB file states which build it is.
                (module.time_date_stamp, module.size_of_image) = (0, 0);
            }
            let entry = found.entry(module).or_insert_with(|| ModuleFrames { image: image.clone(), frames: 0 });
            entry.frames += frames;
            if (image.pid, image.base) < (entry.image.pid, entry.image.base) {
                entry.image = image.clone();
            }
        }
        let mut list: Vec<ModuleFrames> = found.into_values().collect();
        let order = |module: &ModuleFrames| (module.image.file_name().to_owned(), module.image.pid, module.image.base);
        list.sort_by_cached_key(|module| (std::cmp::Reverse(module.frames), order(module)));
        list
    }

    /// Returns how many frames are in methods that events of the trace name.
    pub const fn in_methods(&self) -> u64 {
        self.in_methods
    }

    /// Returns how many frames are in no image and no method.
    pub const fn unknown(&self) -> u64 {
        self.unknown
    }

    fn add(&mut self, other: Self) {
        for (place, (image, frames)) in other.images {
            self.images.entry(place).or_insert_with(|| (image, 0)).1 += frames;
        }
        self.in_methods += other.in_methods;
        self.unknown += other.unknown;
    }
}

impl Sink for StackModules {
    type Worker = StackModulesWorker;

    fn worker(&self) -> StackModulesWorker {
        StackModulesWorker::default()
    }

    fn accept(&mut self, batch: Self) -> Result<ControlFlow<()>> {
        self.add(batch);
        Ok(ControlFlow::Continue(()))
    }
}

/// Reads the stacks of one thread.
#[derive(Debug, Default)]
pub struct StackModulesWorker {
    found: StackModules,
    addresses: Vec<u64>,
}

impl Worker for StackModulesWorker {
    type Batch = StackModules;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let Self { found, addresses } = self;
        let Some(stack) = event.stack(addresses) else { return Ok(()) };
        let (system, pid) = (event.system(), stack.pid.unwrap_or(0));
        for (place, address) in addresses.iter().enumerate() {
            let frame = system.frame_at(pid, *address, place, event.raw());
            match frame.image {
                _ if frame.method_name().is_some() => found.in_methods += 1,
                Some(image) => {
                    let place = std::ptr::from_ref(image).addr();
                    found.images.entry(place).or_insert_with(|| (image.clone(), 0)).1 += 1;
                }
                None => found.unknown += 1,
            }
        }
        Ok(())
    }

    fn take(&mut self) -> StackModules {
        std::mem::take(&mut self.found)
    }
}
