//! Names of native code, which traces do not have.

use std::fmt::Debug;
use std::sync::Arc;

use super::Image;

/// Names native code of images: by symbol files, for example. A [`Parser`](crate::parser::Parser) brings it along
/// ([`FirstPass::set_frame_namer`](crate::parser::FirstPass::set_frame_namer)), and frames have the names in all outputs.
///
/// Any thread asks, and asks for the same address again and again: answers should be kept, by what identifies the file
/// of the image. Its base and process do not.
pub trait FrameNamer: Debug + Send + Sync {
    /// Returns the functions at an address of an image: inlined ones first, the innermost one at the start, and the function
    /// that was called last. `None` if no function is known there.
    ///
    /// `rva` is the address in bytes from the start of the image. It is that of an instruction; callers subtract 1 from
    /// return addresses.
    fn functions(&self, image: &Image, rva: u32) -> Option<Arc<[Function]>>;
}

/// A function of native code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Function {
    /// Name, without the module.
    pub name: Arc<str>,
    /// Path of the source file on the machine that built the module.
    pub file: Option<Arc<str>>,
    /// Line of the source file, counted from 1.
    pub line: Option<u32>,
    /// Whether it is inlined into the next one.
    pub is_inlined: bool,
}

impl Function {
    /// Returns a function without a line.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), file: None, line: None, is_inlined: false }
    }
}
