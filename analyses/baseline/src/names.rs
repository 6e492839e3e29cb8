//! What TraceEvent calls providers and events.

use std::collections::HashMap;

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::event::Kind;
use etwkit::schema::standard_opcode;
use etwkit::trace::Trace;

use crate::view::Views;

/// The id of EventSource's manifest chunks.
pub(crate) const MANIFEST_ID: u16 = 65534;

/// Names of providers by GUID, from whichever of their events has one.
#[derive(Debug, Default)]
pub(crate) struct Providers {
    names: HashMap<Guid, String>,
}

impl Providers {
    pub(crate) fn new(trace: &Trace) -> Self {
        let mut names = HashMap::new();
        for row in trace.types() {
            if let Some(name) = row.provider_name() {
                names.entry(row.key().provider).or_insert_with(|| name.to_owned());
            }
        }
        Self { names }
    }

    /// Returns whether the provider's name is known. Chunks of a manifest that cannot be read do not contain it.
    pub(crate) fn knows(&self, guid: Guid, views: &Views) -> bool {
        self.names.contains_key(&guid) || views.provider(guid).is_some()
    }

    fn name(&self, guid: Guid, views: &Views) -> String {
        let known = || views.provider(guid).map(str::to_owned);
        self.names.get(&guid).cloned().or_else(known).unwrap_or_else(|| format!("Provider({guid})"))
    }
}

/// Provider and event name of an event without a view.
pub(crate) fn name(event: &Event<'_>, views: &Views, providers: &Providers) -> (String, String) {
    let key = event.raw().key();
    match key.kind {
        Kind::Classic => classic(event, views),
        Kind::Manifest if key.id == MANIFEST_ID && providers.knows(key.provider, views) => {
            (providers.name(key.provider, views), "ManifestData".to_owned())
        }
        Kind::StringOnly => (providers.name(key.provider, views), "EventWriteString".to_owned()),
        Kind::Wpp => (providers.name(key.provider, views), format!("Message({})", key.id)),
        _ => {
            let unknown = || if key.id == 0 { "EventWriteString".to_owned() } else { format!("EventID({})", key.id) };
            (providers.name(key.provider, views), schema_name(event).unwrap_or_else(unknown))
        }
    }
}

fn classic(event: &Event<'_>, views: &Views) -> (String, String) {
    let key = event.raw().key();
    if let Some((provider, task)) = views.task(key.provider) {
        let opcode = match key.opcode {
            0 => String::new(),
            1..=9 => format!("/{}", standard_opcode(key.opcode).unwrap_or_default()),
            other => format!("/Opcode({other})"),
        };
        return (provider.to_owned(), format!("{task}{opcode}"));
    }
    let provider = event.schema().and_then(|schema| schema.names().provider.as_deref()).unwrap_or("UnknownProvider");
    (provider.to_owned(), schema_name(event).unwrap_or_else(|| format!("Task({})", key.provider)))
}

/// `Task/Opcode`: the task alone for opcode 0.
fn schema_name(event: &Event<'_>) -> Option<String> {
    let names = event.schema()?.names();
    let task = names.task.as_deref().or(names.event.as_deref())?;
    let opcode = match event.raw().opcode() {
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
