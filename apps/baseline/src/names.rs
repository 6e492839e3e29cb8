//! What TraceEvent calls providers and events (`traceevent.md` 2.1).

use std::collections::HashMap;

use etwkit::bytes::Guid;
use etwkit::decode::DecodedEvent;
use etwkit::event::Kind;
use etwkit::schema::standard_opcode;
use etwkit::trace::Census;

use crate::view::Views;

/// The id of EventSource's manifest chunks.
pub(crate) const MANIFEST_ID: u16 = 65534;

/// Names of providers by GUID, from whichever of their events has one.
#[derive(Debug, Default)]
pub(crate) struct Providers {
    names: HashMap<Guid, String>,
}

impl Providers {
    pub(crate) fn new(census: &Census) -> Self {
        let mut names = HashMap::new();
        for (id, key) in census.keys() {
            if let Some(name) = census.provider_name(id) {
                names.entry(key.key.provider).or_insert(name);
            }
        }
        Self { names }
    }

    fn name(&self, guid: Guid) -> String {
        self.names.get(&guid).cloned().unwrap_or_else(|| format!("Provider({guid})"))
    }
}

/// Provider and event name of an event without a view.
pub(crate) fn name(event: &DecodedEvent<'_, '_>, views: &Views, providers: &Providers) -> (String, String) {
    let key = event.raw.key();
    match key.kind {
        Kind::Classic => classic(event, views),
        Kind::Manifest if key.id == MANIFEST_ID => (providers.name(key.provider), "ManifestData".to_owned()),
        Kind::StringOnly => (providers.name(key.provider), "EventWriteString".to_owned()),
        Kind::Wpp => (providers.name(key.provider), format!("Message({})", key.id)),
        _ => {
            let unknown = || if key.id == 0 { "EventWriteString".to_owned() } else { format!("EventID({})", key.id) };
            (providers.name(key.provider), schema_name(event).unwrap_or_else(unknown))
        }
    }
}

fn classic(event: &DecodedEvent<'_, '_>, views: &Views) -> (String, String) {
    let key = event.raw.key();
    if let Some((provider, task)) = views.task(key.provider) {
        let opcode = match key.opcode {
            0 => String::new(),
            1..=9 => format!("/{}", standard_opcode(key.opcode).unwrap_or_default()),
            other => format!("/Opcode({other})"),
        };
        return (provider.to_owned(), format!("{task}{opcode}"));
    }
    let provider = event.schema.and_then(|schema| schema.names().provider.as_deref()).unwrap_or("UnknownProvider");
    (provider.to_owned(), schema_name(event).unwrap_or_else(|| format!("Task({})", key.provider)))
}

/// `Task/Opcode`: the task alone for opcode 0.
fn schema_name(event: &DecodedEvent<'_, '_>) -> Option<String> {
    let names = event.schema?.names();
    let task = names.task.as_deref().or(names.event.as_deref())?;
    let opcode = match event.raw.opcode() {
        0 => None,
        code => names
            .opcode
            .as_deref()
            .or_else(|| standard_opcode(code))
            .map(str::to_owned)
            .or(Some(format!("Opcode({code})"))),
    };
    Some(opcode.map_or_else(|| task.to_owned(), |opcode| format!("{task}/{opcode}")))
}
