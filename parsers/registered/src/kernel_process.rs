//! Processes and images by the events of Microsoft-Windows-Kernel-Process, for traces without the kernel's own.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::{Event, Scratch, Value};
use etwkit::error::Result;
use etwkit::event::{EventKey, RawEvent};
use etwkit::parser::{Claims, FirstPass, Observer, Parser, SchemaProvider, TraceFacts};
use etwkit::schema::Schema;
use etwkit::system::{Image, ProcessFacts, System};

use crate::Registered;

/// Microsoft-Windows-Kernel-Process.
const PROVIDER: Guid = Guid::from_u128(0x22fb2cd6_0e7b_422b_a0c7_2fad1fd0e716);

/// What is read of an event, by its id.
const EVENTS: [(u16, Note); 5] =
    [(1, process_start), (2, process_stop), (5, image_load), (6, image_unload), (15, process_rundown)];

type Note = fn(&Event<'_>, &mut System);

/// Reads processes and images of events of Microsoft-Windows-Kernel-Process. They count where the kernel's own events
/// do not mention a process or an image.
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelProcess;

impl Parser for KernelProcess {
    fn name(&self) -> &'static str {
        "kernel-process"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_observer(ProcessObserver { schemas: HashMap::new(), scratch: Scratch::default() });
    }
}

#[derive(Debug)]
struct ProcessObserver {
    schemas: HashMap<EventKey, Option<Schema>>,
    scratch: Scratch,
}

impl Observer for ProcessObserver {
    fn interest(&self) -> Claims {
        Claims::manifest(EVENTS.map(|(id, _)| (PROVIDER, id)))
    }

    fn observe(&mut self, event: &RawEvent<'_>, system: &mut System) -> Result<()> {
        let key = event.key();
        let Some((_, note)) = EVENTS.iter().find(|(id, _)| *id == key.id) else { return Ok(()) };
        let schema = match self.schemas.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(Registered::new().schema(event, &TraceFacts::default())?),
        };
        note(&Event::locate(*event, schema.as_ref(), None, &mut self.scratch), system);
        Ok(())
    }
}

fn number(event: &Event<'_>, name: &str) -> Option<u64> {
    event.field(name)?.value()?.as_u64()
}

fn small(event: &Event<'_>, name: &str) -> Option<u32> {
    number(event, name).map(|value| value as u32)
}

fn text(event: &Event<'_>, name: &str) -> Arc<str> {
    match event.field(name).and_then(|field| field.value()) {
        Some(Value::Utf16(text)) => String::from(text).into(),
        Some(Value::Ansi(text)) => text.to_string().into(),
        _ => Arc::default(),
    }
}

fn process(event: &Event<'_>) -> Option<ProcessFacts> {
    let mut facts = ProcessFacts::new(small(event, "ProcessID")?);
    facts.parent = small(event, "ParentProcessID");
    facts.session = small(event, "SessionID");
    facts.created = number(event, "CreateTime").map(|time| FileTime(time.cast_signed()));
    facts.exit_status = small(event, "ExitCode").map(u32::cast_signed);
    facts.image = text(event, "ImageName");
    facts.package = text(event, "PackageFullName");
    Some(facts)
}

fn process_start(event: &Event<'_>, system: &mut System) {
    if let Some(facts) = process(event) {
        system.add_secondary_process_start(event.raw(), facts);
    }
}

fn process_stop(event: &Event<'_>, system: &mut System) {
    if let Some(facts) = process(event) {
        system.add_secondary_process_end(event.raw(), facts);
    }
}

fn process_rundown(event: &Event<'_>, system: &mut System) {
    if let Some(facts) = process(event) {
        system.add_secondary_process_rundown(event.raw(), facts);
    }
}

fn image(event: &Event<'_>) -> Option<Image> {
    let (pid, base) = (small(event, "ProcessID")?, number(event, "ImageBase")?);
    let mut image = Image::new(pid, base, number(event, "ImageSize")?, text(event, "ImageName"));
    image.checksum = small(event, "ImageCheckSum").unwrap_or(0);
    image.time_stamp = small(event, "TimeDateStamp").unwrap_or(0);
    Some(image)
}

fn image_load(event: &Event<'_>, system: &mut System) {
    if let Some(image) = image(event) {
        system.add_secondary_image_load(event.raw(), image);
    }
}

fn image_unload(event: &Event<'_>, system: &mut System) {
    if let Some(image) = image(event) {
        system.add_secondary_image_unload(event.raw(), image);
    }
}
