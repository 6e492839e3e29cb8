//! Properties of the machine.

use std::collections::{BTreeMap, HashMap};

use etwkit::decode::{Event, FieldView};
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::guids::{SYSTEM_CONFIG, WIN_SAT};
use etwkit_analysis::{Analysis, Excess, Interest, Need};

use super::winsat::measures;

const WINSAT_OPCODES: &[u8] = &[33, 35, 37];
const SYSTEM_CONFIG_OPCODES: &[u8] = &[
    10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
    39, 40, 41,
];
/// Properties that are kept.
const MOST: usize = 1 << 18;
/// Bytes of all properties that are kept.
const MOST_BYTES: usize = 64 << 20;

etwkit_analysis::row! {
    /// A property of the machine.
    pub struct MachineRow {
        /// What it is a property of: `CPU`, `PhyDisk`, `NIC`, `Services`, `WinSat/Metrics` and so on.
        kind: String as Text,
        /// Which one of that kind, in the order of the trace, from 0.
        number: u32 as Id,
        /// Name of the property.
        property: String as Text,
        /// Its value, with its unit.
        value: String as Text,
    }
}

/// The properties of one thing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MachineFact {
    machine: u16,
    kind: Box<str>,
    properties: Vec<(String, String)>,
    /// Whether it has more.
    is_cut: bool,
}

/// Lists the properties of the machine. A merged trace repeats the events: each thing is listed once.
#[derive(Debug, Default)]
pub struct Machine {
    /// By what they are: in which order they came.
    list: HashMap<MachineFact, usize>,
    properties: usize,
    bytes: usize,
    excess: Excess,
}

impl Analysis for Machine {
    type Fact = MachineFact;
    type Row = MachineRow;

    fn interest() -> Interest {
        let classic = &[(SYSTEM_CONFIG, SYSTEM_CONFIG_OPCODES), (WIN_SAT, WINSAT_OPCODES)];
        let need = Need::Keywords("any kernel flag: the kernel lists the machine at the end of its session");
        Interest { manifest: &[], classic, need }
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<MachineFact> {
        let machine = event.system().machine.number;
        if event.raw().provider_guid() == WIN_SAT {
            let (properties, is_cut) = measures(&event.get::<String>("CompressedXml").ok()?);
            return Some(MachineFact { machine, kind: event.name().into(), properties, is_cut });
        }
        let kind = event.name().rsplit('/').next().unwrap_or_default().into();
        let properties: Vec<_> = event.fields().filter_map(|field| property(&field)).collect();
        Some(MachineFact { machine, kind, properties, is_cut: false })
    }

    fn step(&mut self, fact: MachineFact, _: &Trace) {
        if self.list.contains_key(&fact) {
            return;
        }
        let properties = self.properties + fact.properties.len();
        let bytes = fact.properties.iter().fold(self.bytes, |sum, (name, value)| sum + name.len() + value.len());
        if properties > MOST || bytes > MOST_BYTES {
            return self.excess.add(fact.properties.len() as u64);
        }
        (self.properties, self.bytes) = (properties, bytes);
        self.excess.add(fact.is_cut.into());
        self.list.insert(fact, self.list.len());
    }

    fn excess(&self) -> u64 {
        self.excess.count()
    }

    fn finish(self, _: &Trace) -> Vec<MachineRow> {
        let mut rows = Vec::new();
        let mut numbers: BTreeMap<Box<str>, u32> = BTreeMap::new();
        let mut list: Vec<_> = self.list.into_iter().collect();
        // Of some kinds there are hundreds: they come last.
        list.sort_by_key(|(fact, place)| (is_of_many(&fact.kind), *place));
        for (MachineFact { kind, properties, .. }, _) in list {
            let next = numbers.entry(kind.clone()).or_default();
            let number = *next;
            *next += 1;
            let row = |(property, value)| MachineRow { kind: kind.to_string(), number, property, value };
            rows.extend(properties.into_iter().map(row));
        }
        rows
    }
}

fn is_of_many(kind: &str) -> bool {
    matches!(kind, "Services" | "PnP" | "IRQ" | "DeviceFamily") || kind.starts_with("WinSat")
}

/// Returns a property, unless it is empty or fills a place.
fn property(field: &FieldView<'_>) -> Option<(String, String)> {
    let name = field.name();
    let fills = ["Pad", "Spare", "Reserved"].iter().any(|prefix| name.starts_with(prefix));
    let value = field.to_string();
    let value = value.trim_matches(['\0', ' ']);
    (!fills && !value.is_empty()).then(|| (name.to_owned(), value.to_owned()))
}
