//! Names of events.

use etwkit::bytes::Guid;
use etwkit::schema::{Names, standard_opcode};

use crate::pack::{Naming, Provider};

/// The numbers that name the parts of an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventNumbers {
    /// 0 for events of classes, which have none.
    pub(crate) task: u16,
    pub(crate) opcode: u8,
}

/// Returns the names of the provider, the task and the opcode of an event; `guid` is that of the provider or class.
pub(crate) fn names(provider: &Provider, (guid, naming): (Guid, Naming), numbers: EventNumbers) -> Names {
    let EventNumbers { task, opcode } = numbers;
    let boxed = |name: &str| Box::<str>::from(name);
    let mut names = Names::default().provider(provider.name());
    if naming == Naming::Classic {
        names.task = Some(boxed(provider.name()));
        names.opcode = provider.opcode(0, opcode).map(boxed);
        if let Some((owner, name)) = provider.owner() {
            names.provider = Some(boxed(name));
            names.provider_guid = Some(owner).filter(|owner| *owner != guid);
        }
        return names;
    }
    names.task = provider.task(task).map(boxed);
    if opcode != 0 {
        names.opcode = provider.opcode(task, opcode).or_else(|| standard_opcode(opcode)).map(boxed);
    }
    names
}
