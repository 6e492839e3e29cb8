//! Numbers of frames: each method and each offset in an image is one.

use std::sync::Arc;

use hashbrown::HashMap;

use etwkit::system::{FrameAt, Function};

use crate::Profile;

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

/// The numbers of frames that were seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameNames {
    frames: HashMap<Key, u32>,
    /// Functions of native code by image and name.
    functions: HashMap<(usize, Arc<str>), u32>,
}

impl FrameNames {
    /// Returns the number of a frame.
    pub(crate) fn of_frame(&mut self, frame: FrameAt<'_>, profile: &mut Profile) -> u32 {
        let key = match (frame.method_name(), frame.image_offset()) {
            (Some((module, name)), _) => Key::Method { module: module.map_or(0, place), name: place(name) },
            (None, Some((image, offset))) => Key::Image { image: place(image), offset },
            (None, None) => Key::Address(frame.address),
        };
        self.number(key, profile, || frame.to_string())
    }

    /// Returns the number of the frame of a function of native code.
    pub(crate) fn of_function(&mut self, frame: FrameAt<'_>, function: &Function, profile: &mut Profile) -> u32 {
        let image = frame.image_offset().map_or("", |(image, _)| image);
        let key = (place(image), Arc::clone(&function.name));
        *self.functions.entry(key).or_insert_with(|| profile.add_frame(format!("{image}!{}", function.name)))
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
        self.number(key, profile, text)
    }

    /// Returns the number of the frame of a thread.
    pub(crate) fn of_thread(&mut self, tid: u32, name: Option<&str>, profile: &mut Profile) -> u32 {
        let key = Key::Thread { tid, name: name.map_or(0, place) };
        self.number(key, profile, || format!("{} ({tid})", name.unwrap_or("thread")))
    }

    fn number(&mut self, key: Key, profile: &mut Profile, text: impl FnOnce() -> String) -> u32 {
        *self.frames.entry(key).or_insert_with(|| profile.add_frame(text()))
    }
}

fn place(text: &str) -> usize {
    text.as_ptr().addr()
}
