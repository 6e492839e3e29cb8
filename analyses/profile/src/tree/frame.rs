//! The frames of call stacks.

/// A frame of a call stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its text: `module!function`, `module+0xRVA`, `process (pid)` and the like.
    pub text: Box<str>,
    /// What it is.
    pub kind: FrameKind,
}

/// The kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// The process, the outermost frame.
    Process {
        /// Its id; `None` if it is not known.
        pid: Option<u32>,
    },
    /// The thread, the frame below its process.
    Thread {
        /// Its id; 0 if it is not known.
        tid: u32,
    },
    /// Code.
    Code {
        /// Where the code is; `None` if it is in no module that is known.
        module: Option<ModuleId>,
    },
    /// What the code was about: a type, a file, an event, a state of the thread. Such a frame is the innermost one. Or
    /// a span, within others.
    Label,
}

/// The number of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(pub u32);

/// A module: the image, or the .NET module, in which code is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its file name. Those of .NET modules have no extension.
    pub name: Box<str>,
    /// Whether it belongs to Windows or to the .NET runtime, by its folder.
    pub is_system: bool,
}
