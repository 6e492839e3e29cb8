//! What an address of a stack lies in.

use std::fmt;
#[cfg(feature = "output")]
use std::ops::RangeInclusive;
use std::sync::Arc;

#[cfg(feature = "output")]
use super::image_span::ImageSpan;
use super::timeline::Ticks;
use super::{Function, Image, Method, System, When};

/// The code in which an address of a stack lies. It is displayed as `module!Namespace.Type.Method(parameters)`, else as
/// `image.dll+0x1a2b`, else as the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameAt<'s> {
    /// The address, as the stack has it.
    pub address: u64,
    /// The address that is looked up: of a return address one byte before it, which is in the call.
    pub code: u64,
    /// The method whose machine code is there.
    pub method: Option<Method<'s>>,
    /// The image that is there.
    pub image: Option<&'s Image>,
}

impl<'s> FrameAt<'s> {
    /// Returns the module and the name of the method; `None` if no event names it.
    pub fn method_name(&self) -> Option<(Option<&'s str>, &'s str)> {
        let method = self.method?;
        Some((method.module_name(), method.name?))
    }

    /// Returns whether an event names the method.
    pub fn has_method_name(&self) -> bool {
        self.method.is_some_and(|method| method.name.is_some())
    }

    /// Returns the file name of the image, and the offset of the address in it, in bytes.
    pub fn image_offset(&self) -> Option<(&'s str, u64)> {
        self.image.map(|image| (image.file_name(), self.address.wrapping_sub(image.base)))
    }
}

impl fmt::Display for FrameAt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.method_name(), self.image_offset()) {
            (Some((Some(module), name)), _) => write!(f, "{module}!{name}"),
            (Some((None, name)), _) => f.write_str(name),
            (None, Some((image, offset))) => write!(f, "{image}+{offset:#x}"),
            (None, None) => write!(f, "{:#x}", self.address),
        }
    }
}

impl System {
    /// Returns what an address of a stack lies in. `place` is its place in the stack, the innermost frame first: all
    /// others are return addresses, which may be one byte beyond the code that called.
    pub fn frame_at(&self, pid: u32, address: u64, place: usize, when: impl Into<When>) -> FrameAt<'_> {
        match self.ticks(when) {
            Some(ticks) => self.frame(pid, address, place, ticks),
            None => FrameAt { address, code: address, method: None, image: None },
        }
    }

    /// Returns the functions that the program's [`FrameNamer`](super::FrameNamer) knows at a frame, inlined ones first,
    /// and the function that was called last. `None` if there is none, and for methods, which events of the trace name.
    pub fn functions_at(&self, frame: &FrameAt<'_>) -> Option<Arc<[Function]>> {
        let namer = self.namer.as_ref().filter(|_| !frame.has_method_name())?;
        let image = frame.image?;
        let rva = u32::try_from(frame.code.checked_sub(image.base)?).ok()?;
        namer.functions(image, rva).filter(|functions| !functions.is_empty())
    }

    /// Returns whether something names native code.
    pub const fn has_frame_namer(&self) -> bool {
        self.namer.is_some()
    }

    /// Returns what [`System::frame_at`] does for a tick, and for which other ticks it is so.
    #[cfg(feature = "output")]
    pub(crate) fn frame_span(
        &self,
        pid: u32,
        address: u64,
        place: usize,
        tick: i64,
    ) -> (FrameAt<'_>, RangeInclusive<i64>) {
        let code = code_at(address, place);
        let (method, while_method) = self.methods.span(pid, code, tick);
        let ImageSpan { image, ticks, .. } = self.images.span(pid, address, tick);
        let ticks = *ticks.start().max(while_method.start())..=*ticks.end().min(while_method.end());
        (FrameAt { address, code, method, image }, ticks)
    }

    /// As [`System::frame_at`].
    pub(crate) fn frame(&self, pid: u32, address: u64, place: usize, at: Ticks) -> FrameAt<'_> {
        let code = code_at(address, place);
        let method = self.methods.at(pid, code, at);
        FrameAt { address, code, method, image: self.images.at(pid, address, at) }
    }

    /// Returns whether anything is known that addresses of stacks lie in.
    pub(crate) fn has_frames(&self) -> bool {
        !self.images.list().is_empty() || !self.methods.is_empty()
    }
}

/// Returns the address to look up for one at a place in a stack.
const fn code_at(address: u64, place: usize) -> u64 {
    if place == 0 { address } else { address.saturating_sub(1) }
}
