//! Numbers of frames: each method and each offset in an image is one.

use std::sync::Arc;

use hashbrown::HashMap;

use etwkit::system::{FrameAt, Function};

use super::system_path::is_system;
use crate::{FrameKind, Module, ModuleId, Profile};

/// What tells frames apart. Texts are those of the trace, which keeps each method's name and each image once: their
/// addresses tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Method { module: usize, name: usize },
    Image { image: usize, offset: u64 },
    Address(u64),
    Process { machine: u16, pid: Option<u32>, name: usize },
    Thread { tid: u32, name: usize },
}

/// The numbers of frames and modules that were seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameNames {
    frames: HashMap<Key, u32>,
    labels: HashMap<Box<str>, u32>,
    /// Functions of native code by image and name.
    functions: HashMap<(usize, Arc<str>), u32>,
    /// By the address of the path.
    modules: HashMap<usize, ModuleId>,
}

impl FrameNames {
    /// Writes the numbers of the frames at an address, outermost first: functions that are inlined into others are
    /// frames of their own.
    pub(crate) fn of_address(
        &mut self,
        frame: FrameAt<'_>,
        functions: Option<&[Function]>,
        profile: &mut Profile,
        numbers: &mut Vec<u32>,
    ) {
        numbers.clear();
        match functions {
            Some(functions) => {
                numbers.extend(functions.iter().rev().map(|function| self.of_function(frame, function, profile)));
            }
            None => numbers.push(self.of_frame(frame, profile)),
        }
    }

    /// Returns the number of a frame.
    fn of_frame(&mut self, frame: FrameAt<'_>, profile: &mut Profile) -> u32 {
        // By paths, not names: what is in every sample should not look for the last part of a path.
        let method = frame.method.and_then(|method| Some((method.module.map_or(0, place), place(method.name?))));
        let key = match (method, frame.image) {
            (Some((module, name)), _) => Key::Method { module, name },
            (None, Some(image)) => {
                Key::Image { image: place(&image.path), offset: frame.address.wrapping_sub(image.base) }
            }
            (None, None) => Key::Address(frame.address),
        };
        if let Some(number) = self.frames.get(&key) {
            return *number;
        }
        let module = self.module(frame, profile);
        self.number(key, FrameKind::Code { module }, profile, || frame.to_string())
    }

    /// Returns the number of the frame of a function of native code.
    fn of_function(&mut self, frame: FrameAt<'_>, function: &Function, profile: &mut Profile) -> u32 {
        let key = (frame.image.map_or(0, |image| place(&image.path)), Arc::clone(&function.name));
        if let Some(number) = self.functions.get(&key) {
            return *number;
        }
        let module = self.module(frame, profile);
        let image = frame.image.map_or("", |image| image.file_name());
        let number = profile.add_frame(format!("{image}!{}", function.name), FrameKind::Code { module });
        self.functions.insert(key, number);
        number
    }

    /// Returns the number of the frame of a process; of one that is not known, `unknown (?)`.
    pub(crate) fn of_process(
        &mut self,
        machine: u16,
        pid: Option<u32>,
        name: Option<&str>,
        profile: &mut Profile,
    ) -> u32 {
        let key = Key::Process { machine, pid, name: name.map_or(0, place) };
        let text = || match pid {
            Some(pid) => format!("{} ({pid})", name.unwrap_or("process")),
            None => "unknown (?)".to_owned(),
        };
        self.number(key, FrameKind::Process { pid }, profile, text)
    }

    /// Returns the number of the frame of a thread.
    pub(crate) fn of_thread(&mut self, tid: u32, name: Option<&str>, profile: &mut Profile) -> u32 {
        let key = Key::Thread { tid, name: name.map_or(0, place) };
        self.number(key, FrameKind::Thread { tid }, profile, || format!("{} ({tid})", name.unwrap_or("thread")))
    }

    /// Returns the number of the frame of a label.
    pub(crate) fn of_label(&mut self, label: &str, profile: &mut Profile) -> u32 {
        if let Some(number) = self.labels.get(label) {
            return *number;
        }
        let number = profile.add_frame(label.to_owned(), FrameKind::Label);
        self.labels.insert(label.into(), number);
        number
    }

    /// Returns the module in which a frame is: that of the method, else the image.
    fn module(&mut self, frame: FrameAt<'_>, profile: &mut Profile) -> Option<ModuleId> {
        let (path, name, is_kernel) = match (frame.method.filter(|method| method.name.is_some()), frame.image) {
            (Some(method), _) => (method.module?, method.module_name()?, false),
            (None, Some(image)) => (&*image.path, image.file_name(), image.pid == 0),
            (None, None) => return None,
        };
        let add = || profile.add_module(Module { name: name.into(), is_system: is_kernel || is_system(path) });
        Some(*self.modules.entry(place(path)).or_insert_with(add))
    }

    fn number(&mut self, key: Key, kind: FrameKind, profile: &mut Profile, text: impl FnOnce() -> String) -> u32 {
        *self.frames.entry(key).or_insert_with(|| profile.add_frame(text(), kind))
    }
}

fn place(text: &str) -> usize {
    text.as_ptr().addr()
}
