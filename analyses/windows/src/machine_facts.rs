//! The machine that recorded a trace, from the events that state what it is.

use etwkit::decode::{Event, EventType};
use etwkit::system::MachineFacts;
use etwkit::trace::{Filter, Glob, Trace};

/// Events that are read, at most: a merged trace repeats them.
const MOST: u64 = 64;

/// Returns what a trace states about the machine that recorded it: by what the parsers of the first pass found, and if
/// something is missing there, by events whose names are those of such facts.
pub fn machine_facts(trace: &Trace) -> MachineFacts {
    let mut machine = MachineFacts::default();
    for system in trace.systems().iter() {
        machine.complete(system.machine_facts.clone());
    }
    if !machine.is_complete() {
        search(trace, &mut machine);
    }
    machine
}

/// Reads events by their names until nothing is missing.
fn search(trace: &Trace, machine: &mut MachineFacts) {
    let names = ["SystemConfig/CPU", "EventTrace/BuildLab", "SysConfig/BuildInfo", "*/BuildInfo"].map(Glob::new);
    let is_one = |row: &&EventType| row.name().is_some_and(|name| names.iter().any(|glob| glob.matches(name)));
    let mut left = MOST.min(trace.types().iter().filter(is_one).map(EventType::events).sum());
    let mut events = trace.select(&Filter::default().names(names));
    // What comes after the last of them is not read.
    while left > 0 && !machine.is_complete() {
        let Ok(Some(event)) = events.next() else { break };
        machine.complete(facts(&event));
        left -= 1;
    }
}

/// Returns what an event states.
fn facts(event: &Event<'_>) -> MachineFacts {
    let text = |name: &str| event.field(name).map(|field| field.to_string()).unwrap_or_default();
    let number = |name: &str| event.field(name)?.value()?.as_u64().filter(|number| *number > 0);
    let mut facts = MachineFacts::default();
    facts.set_computer(&text("ComputerName"), &text("DomainName"));
    facts.set_build(&text("BuildLab"));
    if facts.build.is_none() {
        facts.set_build(&text("BuildString"));
    }
    facts.set_product(&text("ProductName"));
    (facts.megahertz, facts.memory) = (number("MHz"), number("MemSize"));
    facts
}

/// Returns the product of a build of Windows; of builds that a client and a server share, both.
pub fn product(build: u32) -> Option<&'static str> {
    let place = PRODUCTS.binary_search_by_key(&build, |(build, _)| *build).ok()?;
    PRODUCTS.get(place).map(|(_, name)| *name)
}

/// Builds that were released, by their numbers.
const PRODUCTS: [(u32, &str); 32] = [
    (2195, "Windows 2000"),
    (2600, "Windows XP"),
    (3790, "Windows Server 2003 or XP x64"),
    (6000, "Windows Vista"),
    (6001, "Windows Vista SP1 or Server 2008"),
    (6002, "Windows Vista SP2 or Server 2008 SP2"),
    (6003, "Windows Server 2008 SP2"),
    (7600, "Windows 7 or Server 2008 R2"),
    (7601, "Windows 7 SP1 or Server 2008 R2 SP1"),
    (9200, "Windows 8 or Server 2012"),
    (9600, "Windows 8.1 or Server 2012 R2"),
    (10240, "Windows 10 1507"),
    (10586, "Windows 10 1511"),
    (14393, "Windows 10 1607 or Server 2016"),
    (15063, "Windows 10 1703"),
    (16299, "Windows 10 1709"),
    (17134, "Windows 10 1803"),
    (17763, "Windows 10 1809 or Server 2019"),
    (18362, "Windows 10 1903"),
    (18363, "Windows 10 1909"),
    (19041, "Windows 10 2004"),
    (19042, "Windows 10 20H2"),
    (19043, "Windows 10 21H1"),
    (19044, "Windows 10 21H2"),
    (19045, "Windows 10 22H2"),
    (20348, "Windows Server 2022"),
    (22000, "Windows 11 21H2"),
    (22621, "Windows 11 22H2"),
    (22631, "Windows 11 23H2"),
    (25398, "Windows Server 23H2"),
    (26100, "Windows 11 24H2 or Server 2025"),
    (26200, "Windows 11 25H2"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_have_products() {
        assert!(PRODUCTS.is_sorted_by_key(|(build, _)| *build));
        assert_eq!(product(19045), Some("Windows 10 22H2"));
        assert_eq!((product(9200), product(12345)), (Some("Windows 8 or Server 2012"), None));
    }
}
