//! What the header fields of events take from the trace.

use crate::decode::Event;
use crate::event::{EventKey, KeyId, RawEvent};
use crate::schema::Schema;
use crate::select::{EventContext, ProviderGuids, TypeFacts};

use super::Trace;

impl Trace {
    /// Returns the facts of a key's type.
    pub(super) fn facts_of_key(&self, id: KeyId, key: &EventKey) -> TypeFacts<'_> {
        self.type_facts(Some(id), key, None)
    }

    /// Returns the facts of an event's type.
    pub(crate) fn facts_of<'t>(&'t self, event: &Event<'t>) -> TypeFacts<'t> {
        self.type_facts(event.key, &event.raw.key(), event.schema)
    }

    /// Makes the facts of a type: the one place that does. `schema` is that of an event whose key has none.
    fn type_facts<'t>(&'t self, id: Option<KeyId>, key: &EventKey, schema: Option<&'t Schema>) -> TypeFacts<'t> {
        let provider = id.map_or(key.provider, |id| self.provider_guid(id));
        TypeFacts {
            provider: id.and_then(|id| self.provider_name(id)),
            guids: ProviderGuids { provider, header: key.provider },
            kind: key.kind,
            schema: id.and_then(|id| self.schema(id)).or(schema),
        }
    }

    /// Returns what an event's values depend on apart from the event.
    pub(crate) fn event_context(&self, event: &RawEvent<'_>) -> EventContext<'_> {
        EventContext { system: self.system(), clock: self.clock(event.place().file) }
    }
}
