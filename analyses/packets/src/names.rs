//! Names of interfaces, components and the system.

use std::collections::BTreeMap;

use etwkit::FileId;
use etwkit::Result;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::trace::{Filter, Glob, Order, Trace};

use crate::fields::{Fields, mac, until_nul};
use crate::pcapng::{Interface, LinkType};
use crate::pktmon::property;
use crate::{limits, ndis, pktmon};

/// Names from the rundown at the end of a capture.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By file and component id.
    components: BTreeMap<(FileId, u16), Component>,
    /// By file and interface index.
    adapters: BTreeMap<(FileId, u32), Adapter>,
    /// The system that was traced.
    system: String,
}

/// A component of PktMon.
#[derive(Clone, Debug, Default)]
struct Component {
    kind: String,
    name: String,
    description: String,
    /// Index of its own interface.
    index: Option<u32>,
    /// Index of the miniport's below it.
    miniport: Option<u32>,
    mac: Option<[u8; 6]>,
}

/// A network adapter, or a filter upon it.
#[derive(Clone, Debug, Default)]
struct Adapter {
    alias: String,
    description: String,
    mac: Option<[u8; 6]>,
}

/// Class of what a session adds when it is stopped.
const SYS_CONFIG: Guid = Guid::from_u128(0x9b79ee91_b5fd_41c0_a243_4248e266e9d0);
/// Its opcode for the system's build.
const BUILD_INFO: u8 = 32;
/// Its opcode for a network adapter.
const ADAPTER: u8 = 36;

impl Names {
    /// Reads the names of a trace: a pass over it.
    pub fn read(trace: &Trace) -> Result<Self> {
        let providers = [pktmon::PROVIDER, ndis::PROVIDER, SYS_CONFIG];
        // Only the events with names. The filter on ids does not apply to classic events.
        let ids = [pktmon::COMPONENT, pktmon::NUMBER, pktmon::BYTES, ndis::LAYERS].map(|id| id.to_string()).join(", ");
        let filter = Filter::default()
            .providers(providers.iter().map(|guid| Glob::new(&guid.to_string())))
            .expression(format!("not has id or id in ({ids})").parse().map_err(etwkit::Error::from)?);
        let mut names = Self::default();
        let mut events = trace.events_in(Order::File, &filter);
        while let Some(event) = events.next()? {
            names.learn(&event);
        }
        Ok(names)
    }

    /// Takes what an event states; others are ignored.
    pub fn learn(&mut self, event: &Event<'_>) {
        match (event.raw().provider_guid(), event.raw().id(), event.raw().opcode()) {
            (pktmon::PROVIDER, pktmon::COMPONENT, _) => self.component(event),
            (pktmon::PROVIDER, pktmon::NUMBER | pktmon::BYTES, _) => self.property(event),
            (ndis::PROVIDER, ndis::LAYERS, _) => self.layers(event),
            (SYS_CONFIG, _, ADAPTER) => self.adapter(event),
            (SYS_CONFIG, _, BUILD_INFO) => self.build(event),
            _ => {}
        }
    }

    /// Returns the system that was traced; empty if unknown.
    pub fn system(&self) -> &str {
        &self.system
    }

    /// Returns the interface of a component.
    pub(crate) fn of_component(&self, file: FileId, id: u16, link: LinkType) -> Interface {
        let Some(component) = self.components.get(&(file, id)) else {
            return interface(link, format!("component {id}"), String::new(), None);
        };
        let adapter = component.miniport.or(component.index).and_then(|index| self.adapters.get(&(file, index)));
        let mac = component.mac.or_else(|| adapter?.mac);
        let on = adapter.map(|adapter| format!(" on {}", adapter.alias)).unwrap_or_default();
        let parts = [component.kind.as_str(), component.description.as_str()];
        let what: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        interface(link, format!("{} (component {id})", component.name), format!("{}{on}", what.join(": ")), mac)
    }

    /// Returns the interface of a miniport, at a layer.
    pub(crate) fn of_miniport(&self, file: FileId, miniport: u32, lower: u32, link: LinkType) -> Interface {
        let adapter = self.adapters.get(&(file, miniport));
        let name = adapter.map(|adapter| adapter.alias.clone()).filter(|alias| !alias.is_empty());
        let mut name = name.unwrap_or_else(|| format!("interface {miniport}"));
        if lower != miniport {
            name = format!("{name} (above interface {lower})");
        }
        let description = adapter.map(|adapter| adapter.description.clone()).unwrap_or_default();
        interface(link, name, description, adapter.and_then(|adapter| adapter.mac))
    }

    fn component(&mut self, event: &Event<'_>) {
        let fields = Fields(event);
        let Some(id) = fields.number("Id") else { return };
        let kind = fields.name_of("Type").unwrap_or_default();
        let [name, description] = ["Name", "Description"].map(|name| text(fields, name));
        if let Some(component) = self.component_entry(event, id) {
            (component.kind, component.name, component.description) = (kind, name, description);
        }
    }

    fn property(&mut self, event: &Event<'_>) {
        let fields = Fields(event);
        let (Some(id), Some(kind)) = (fields.number("ComponentId"), fields.number("Type")) else { return };
        let number = fields.number("Value").map(|number| number as u32);
        let address = fields.bytes("Value").and_then(|bytes| mac(bytes, bytes.len() as u64));
        let Some(component) = self.component_entry(event, id) else { return };
        match kind {
            property::INDEX => component.index = number,
            property::MINIPORT_INDEX => component.miniport = number,
            property::PHYSICAL_ADDRESS => component.mac = address,
            _ => {}
        }
    }

    fn component_entry(&mut self, event: &Event<'_>, id: u64) -> Option<&mut Component> {
        let key = (event.raw().place().file, id as u16);
        let room = self.components.len() < limits::MAX_NAMES || self.components.contains_key(&key);
        room.then(|| self.components.entry(key).or_default())
    }

    fn layers(&mut self, event: &Event<'_>) {
        let fields = Fields(event);
        let Some(index) = fields.number("IfIndex") else { return };
        let alias = text(fields, "SourceName");
        if let Some(adapter) = self.adapter_entry(event, index)
            && adapter.alias.is_empty()
        {
            adapter.alias = alias;
        }
    }

    fn adapter(&mut self, event: &Event<'_>) {
        let fields = Fields(event);
        let Some(index) = fields.number("InterfaceIndex") else { return };
        let address = fields.bytes("PhysicalAddress").unwrap_or_default();
        let mac = mac(address, fields.or_zero("PhysicalAddressLength"));
        let (alias, description) = (text(fields, "Alias"), text(fields, "Description"));
        if let Some(adapter) = self.adapter_entry(event, index) {
            *adapter = Adapter { alias, description, mac };
        }
    }

    fn adapter_entry(&mut self, event: &Event<'_>, index: u64) -> Option<&mut Adapter> {
        let key = (event.raw().place().file, index as u32);
        let room = self.adapters.len() < limits::MAX_NAMES || self.adapters.contains_key(&key);
        room.then(|| self.adapters.entry(key).or_default())
    }

    fn build(&mut self, event: &Event<'_>) {
        let parts = ["ProductName", "BuildLab"].map(|name| text(Fields(event), name));
        let known: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        self.system = known.join(" ");
    }
}

/// Text of a field, not longer than it can be written; empty if there is none.
fn text(fields: Fields<'_, '_>, name: &str) -> String {
    fields.text(name).map(|text| until_nul(&text).chars().take(limits::MAX_NAME).collect()).unwrap_or_default()
}

const fn interface(link: LinkType, name: String, description: String, mac: Option<[u8; 6]>) -> Interface {
    Interface { link, name, description, mac }
}
