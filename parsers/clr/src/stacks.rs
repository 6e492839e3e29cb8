//! Stacks that the runtime writes after its events (section 7.5).

use hashbrown::HashMap;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Scratch};
use etwkit::error::Result;
use etwkit::event::{Kind, RawEvent};
use etwkit::parser::{Claims, FirstPass, Observer, Parser};
use etwkit::system::{StackOwner, StackPart, System};

use crate::native::NATIVE_GUID;
use crate::recent_schemas::RecentSchemas;

/// Stack events by provider and id: runtime, rundown, private, stress, .NET Native.
const WALKS: [(Guid, u16); 5] = [
    (Guid::from_u128(0xa669021c_c450_4609_a035_5af59af4df18), 0),
    (Guid::from_u128(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4), 82),
    (Guid::from_u128(0x763fd754_7086_4dfe_95eb_c01a46faf4ca), 151),
    (Guid::from_u128(0xcc2bcbba_16b6_4cf3_8990_d74c2e8af500), 1),
    (NATIVE_GUID, 82),
];

const PROVIDERS: [Guid; 5] = [WALKS[0].0, WALKS[1].0, WALKS[2].0, WALKS[3].0, WALKS[4].0];

/// Threads whose last event is remembered.
const MAX_THREADS: usize = 1 << 18;

/// Joins the runtime's stack events to the event before them of the same thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClrStacks;

impl Parser for ClrStacks {
    fn name(&self) -> &'static str {
        "clr-stacks"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_observer(StackObserver::default());
    }
}

#[derive(Debug, Default)]
struct StackObserver {
    /// The last event of each thread of each machine.
    last: HashMap<(u16, u32), StackOwner>,
    schemas: RecentSchemas<()>,
    scratch: Scratch,
    frames: Vec<u64>,
}

impl Observer for StackObserver {
    fn interest(&self) -> Claims {
        Claims::providers(PROVIDERS)
    }

    fn reads_own_stacks(&self) -> bool {
        true
    }

    fn observe(&mut self, event: &RawEvent<'_>, system: &mut System) -> Result<()> {
        let key = event.key();
        let machine = system.machine.number;
        let (Some(tid), Some(pid)) = (event.tid(), event.pid()) else { return Ok(()) };
        if key.kind == Kind::Manifest && WALKS.contains(&(key.provider, key.id)) {
            self.stack(event, tid, system);
        } else if self.last.len() < MAX_THREADS || self.last.contains_key(&(machine, tid)) {
            self.last.insert((machine, tid), StackOwner::of(event, tid, pid));
        }
        Ok(())
    }
}

impl StackObserver {
    fn stack(&mut self, event: &RawEvent<'_>, tid: u32, system: &mut System) {
        let key = event.key();
        let schema = self.schemas.of(event, |_| ()).map(|(schema, ())| schema);
        let decoded = Event::locate(*event, schema, None, &mut self.scratch);
        self.frames.clear();
        if let Some(view) = decoded.field("Stack") {
            view.push_numbers(&mut self.frames);
        }
        system.stacks.carrier(key);
        match self.last.get(&(system.machine.number, tid)) {
            Some(owner) => system.add_stack(*owner, StackPart::User, self.frames.iter().copied()),
            None => system.stacks.add_ownerless(),
        }
    }
}

#[cfg(test)]
mod tests {
    use etwkit::event::BufferContext;
    use etwkit::format::Marker;

    use super::*;

    #[test]
    fn schemas_are_made_once_for_events_that_differ_in_what_does_not_choose_them() {
        let mut observer = StackObserver::default();
        let mut system = System::default();
        for task in 0..100_u8 {
            // An event header of 64-bit pointers with provider, id and task.
            let mut bytes = [0; 80];
            bytes[..4].copy_from_slice(&[80, 0, 0x13, 0xC0]);
            bytes[24..40].copy_from_slice(&WALKS[1].0.to_bytes());
            (bytes[40], bytes[46]) = (82, task);
            let marker = Marker::read(&bytes).unwrap();
            let event = RawEvent::new(&bytes, marker, BufferContext::default()).unwrap();
            assert_eq!(event.key().task, u16::from(task));
            observer.observe(&event, &mut system).unwrap();
        }
        let known: Vec<_> = observer.schemas.known().collect();
        assert_eq!(known, [true]);
    }
}
