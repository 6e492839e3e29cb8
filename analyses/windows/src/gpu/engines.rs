//! Contexts of processes, and the engines on which they run.

use std::collections::HashMap;

use etwkit_analysis::Excess;
use etwkit_kernel_analyses::{NamedProcess, Subject};

use super::fact::What;
use crate::limits::MOST_OPEN;

/// An engine of an adapter: its address in the kernel, and the number of the node. `None` if no event states on which a
/// context runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Engine(pub(super) Option<(u64, u32)>);

impl Subject for Engine {
    fn others() -> Self {
        Self(None)
    }
}

/// What is known of devices, contexts, adapters and nodes, by machine and address.
#[derive(Clone, Debug, Default)]
pub(super) struct Engines {
    devices: HashMap<(u16, u64), Device>,
    contexts: HashMap<(u16, u64), Context>,
    nodes: HashMap<(u16, u64, u32), Box<str>>,
    adapters: HashMap<(u16, u64), (u32, u32)>,
    excess: Excess,
}

#[derive(Clone, Debug)]
struct Device {
    adapter: u64,
    process: Option<Box<NamedProcess>>,
}

#[derive(Clone, Debug)]
struct Context {
    device: u64,
    node: u32,
    process: Option<Box<NamedProcess>>,
}

impl Engines {
    /// Takes what an event states about other things than packets. Addresses are used again: the last event counts.
    pub(super) fn take(&mut self, machine: u16, what: What) {
        let excess = &mut self.excess;
        match what {
            What::Device { device, adapter, process } => {
                excess.insert(&mut self.devices, ((machine, device), Device { adapter, process }), MOST_OPEN);
            }
            What::Context { context, device, node, process } => {
                excess.insert(&mut self.contexts, ((machine, context), Context { device, node, process }), MOST_OPEN);
            }
            What::Node { adapter, node, name } => {
                excess.insert(&mut self.nodes, ((machine, adapter, node), name), MOST_OPEN);
            }
            What::Adapter { adapter, ids } => {
                excess.insert(&mut self.adapters, ((machine, adapter), ids), MOST_OPEN);
            }
            What::Packet { .. } => {}
        }
    }

    /// Returns how many things had no room.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Returns the engine on which a context runs, and its process.
    pub(super) fn of(&self, machine: u16, context: u64) -> (Engine, Option<&NamedProcess>) {
        let Some(context) = self.contexts.get(&(machine, context)) else { return (Engine(None), None) };
        let device = self.devices.get(&(machine, context.device));
        let engine = Engine(device.map(|device| (device.adapter, context.node)));
        let process = device.and_then(|device| device.process.as_deref()).or(context.process.as_deref());
        (engine, process)
    }

    /// Returns the name of an engine, as its driver states it.
    pub(super) fn name(&self, machine: u16, Engine(engine): Engine) -> Option<String> {
        let (adapter, node) = engine?;
        self.nodes.get(&(machine, adapter, node)).map(ToString::to_string)
    }

    /// Returns the ids of vendor and device of an adapter, as `10de:1c03`.
    pub(super) fn device(&self, machine: u16, Engine(engine): Engine) -> Option<String> {
        let (vendor, device) = self.adapters.get(&(machine, engine?.0))?;
        Some(format!("{vendor:04x}:{device:04x}"))
    }
}

/// Returns the address of an adapter as text.
pub(super) fn adapter(Engine(engine): Engine) -> Option<String> {
    engine.map(|(adapter, _)| format!("{adapter:#x}"))
}
