//! The bundled facts of registered providers against original manifests with a free licence (microsoft/Tx): every event
//! with the names of its fields, in order.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests, which clippy does not count as tests")]

use std::collections::BTreeMap;

use etwkit::bytes::Guid;
use etwkit::schema::{Schema, SchemaSelector};
use etwkit_manifest::Manifests;
use etwkit_registered::pack::{Naming, Pack};

/// Providers that Tx wrote manifests for from MOF classes, by numbers that no event has. The CLR's tables and
/// `aspnet.schema` describe their events.
const MADE_BY_TX: [Guid; 2] =
    [Guid::from_u128(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4), Guid::from_u128(0xaff081fe_0247_4275_9c4e_021f3dc1da35)];

#[test]
fn every_event_of_a_public_manifest_is_in_the_pack() {
    let Some(folder) = etwkit_corpus::path("manifests").filter(|folder| folder.is_dir()) else {
        return etwkit_corpus::skipped("there are no manifests to compare the pack with");
    };
    let (pack, manifests) = (Pack::built_in().unwrap(), Manifests::load([folder]).unwrap());
    let mut found = BTreeMap::<Guid, usize>::new();
    for entry in manifests.entries() {
        let entry = entry.unwrap();
        let SchemaSelector::Manifest { provider, id } = entry.select else { continue };
        if MADE_BY_TX.contains(&provider) {
            continue;
        }
        let version = *entry.versions.start();
        let layouts = layouts(&pack, provider, id, version);
        let names = names(&entry.schema);
        assert!(layouts.contains(&names), "{provider} {id} v{version}: {names:?}, the pack has {layouts:?}");
        *found.entry(provider).or_default() += 1;
    }
    let events: usize = found.values().sum();
    println!("{} providers, {events} events", found.len());
    assert_eq!((found.len(), events), (35, 746));
}

/// Returns the names of the fields in each layout that the pack has for an event.
fn layouts(pack: &Pack, provider: Guid, id: u16, version: u8) -> Vec<Vec<String>> {
    let Some(provider) = pack.provider(provider, Naming::Manifest) else { return Vec::new() };
    let Some(event) = provider.find(id, version) else { return Vec::new() };
    let name = |place: &u32| provider.field_name(provider.field(*place).unwrap()).to_owned();
    let layouts = provider.layouts(event).map(|(_, layout)| layout.iter().map(name).collect());
    // An event without fields may have no layout.
    let layouts: Vec<_> = layouts.collect();
    if layouts.is_empty() { vec![Vec::new()] } else { layouts }
}

fn names(schema: &Schema) -> Vec<String> {
    schema.top_level().map(|(_, field)| field.name.to_string()).collect()
}
