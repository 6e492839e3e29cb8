//! Provider traits name the provider of events that no schema is known of.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::input::Input;
use etwkit::parser::{Parsers, SchemaTables};
use etwkit::trace::Trace;
use etwkit_synth::schema::Traits;
use etwkit_synth::{Buffer, ExtendedItem, Guid, LogfileHeader, ModernEvent, TraceBuilder};

const NAMED: Guid = Guid::new(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
const UNNAMED: Guid = Guid::new(0x1011_2233_4455_6677_8899_aabb_ccdd_eeff);

/// Returns the providers of the types of a trace with these events.
fn providers(events: Vec<ModernEvent>) -> Vec<(u16, String, bool)> {
    let header = LogfileHeader::default();
    let (t0, buffer) = (header.t0, Buffer::on(0));
    let buffer = events.into_iter().fold(buffer, |buffer, event| buffer.event(event.at(t0 + 10)));
    let bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let trace = Trace::open(Input::bytes("memory", bytes), Parsers::none()).unwrap();
    let rows = trace.types().iter().filter(|row| row.key().id > 0);
    rows.map(|row| (row.key().id, row.provider().to_owned(), row.provider_name().is_some())).collect()
}

#[test]
fn all_events_of_the_provider_have_the_name() {
    let named = ModernEvent::new(NAMED).id(2).item(ExtendedItem::provider_traits(Traits::new("Contoso-Web")));
    let providers = providers(vec![ModernEvent::new(NAMED).id(1), named, ModernEvent::new(UNNAMED).id(3)]);
    let guid = UNNAMED.to_string();
    assert_eq!(providers, [(1, "Contoso-Web".into(), true), (2, "Contoso-Web".into(), true), (3, guid, false)]);
}

#[test]
fn a_long_name_is_cut_and_an_empty_one_is_none() {
    let traits = |name: &str| ExtendedItem::provider_traits(Traits::new(name));
    let long = ModernEvent::new(NAMED).id(1).item(traits(&"n".repeat(etwkit::limits::MAX_NAME + 100)));
    let empty = ModernEvent::new(UNNAMED).id(2).item(traits(""));
    let lens: Vec<_> =
        providers(vec![long, empty]).into_iter().map(|(_, name, is_named)| (name.len(), is_named)).collect();
    assert_eq!(lens, [(etwkit::limits::MAX_NAME, true), (UNNAMED.to_string().len(), false)]);
}

/// A schema for the event 7 of one provider.
static DECODER: SchemaTables = SchemaTables::built_in(
    "decoder",
    &[etwkit::Guid::from_u128(0x1122_3344_5566_7788_99aa_bbcc_ddee_ff00)],
    &["provider \"Decoder\" {11223344-5566-7788-99aa-bbccddeeff00}\nevent id 7 Task { Size u8 }\n"],
);

#[test]
fn events_are_decoded_under_the_decode_guid() {
    let decode = Guid::new(0x1122_3344_5566_7788_99aa_bbcc_ddee_ff00);
    let traits = |guid: Guid| ExtendedItem::provider_traits(Traits::new("Contoso-Web").decode_guid(guid));
    let events = [
        ModernEvent::new(NAMED).id(7).item(traits(decode)).payload(vec![5]),
        ModernEvent::new(UNNAMED).id(7).item(traits(UNNAMED)).payload(vec![5]),
        ModernEvent::new(UNNAMED).id(7).item(traits(decode)).payload(vec![6]),
        ModernEvent::new(UNNAMED).id(7).payload(vec![7]),
    ];
    let header = LogfileHeader::default();
    let (t0, buffer) = (header.t0, Buffer::on(0));
    let buffer = events.into_iter().fold(buffer, |buffer, event| buffer.event(event.at(t0 + 10)));
    let bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let trace = Trace::open(Input::bytes("memory", bytes), Parsers::none().with(&DECODER)).unwrap();
    let mut events = trace.events();
    let mut sizes = Vec::new();
    while let Some(event) = events.next().unwrap() {
        if event.raw().id() == 7 {
            sizes.push((event.get::<u8>("Size").ok(), event.provider().to_owned()));
        }
    }
    // The name is that of the schema, if there is one.
    let (decoded, named) = ("Decoder".to_owned(), "Contoso-Web".to_owned());
    let expected = [(Some(5), &decoded), (None, &named), (Some(6), &decoded), (None, &named)];
    assert_eq!(sizes.iter().map(|(size, name)| (*size, name)).collect::<Vec<_>>(), expected);
}
