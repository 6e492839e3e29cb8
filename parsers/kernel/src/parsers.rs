//! The parsers of this crate.

use etwkit::parser::{FirstPass, Parser};

use crate::image_identities;
use crate::inline::InlineStacks;
use crate::observer::TableObserver;
use crate::stacks;
use crate::system_facts;

/// Serves the kernel's tables, and reads processes, threads, images, file names and volumes from its events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kernel;

impl Parser for Kernel {
    fn name(&self) -> &'static str {
        "kernel"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_provider(crate::tables());
        pass.add_observer(TableObserver::new(&system_facts::EVENTS));
    }
}

/// Keeps stacks, which costs time and memory: those of kernel events, which come in events of their own, and those that
/// any event carries in two parts.
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelStacks;

impl Parser for KernelStacks {
    fn name(&self) -> &'static str {
        "kernel-stacks"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_observer(TableObserver::new(&stacks::EVENTS));
        pass.add_observer(InlineStacks);
    }
}

/// Keeps the PDB files and original names of images, which merged traces contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImageIdentities;

impl Parser for ImageIdentities {
    fn name(&self) -> &'static str {
        "kernel-image-identities"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_observer(TableObserver::new(&image_identities::EVENTS));
    }
}
