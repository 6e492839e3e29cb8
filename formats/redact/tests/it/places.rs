//! Secrets in descriptions of events and in arrays.

use etwkit_redact::Error;
use etwkit_synth::payload::Payload;
use etwkit_synth::schema::{Field, Metadata, in_type, manifest_events, out_type};
use etwkit_synth::{Buffer, ExtendedItem, Guid, LogfileHeader, ModernEvent, TraceBuilder};

use crate::run::{fields, has, has_text, open, redact};

const SOURCE: Guid = Guid::new(0x7a1e_0000_0000_0000_0000_0000_0000_0001);

fn trace(events: Vec<ModernEvent>) -> Vec<u8> {
    let events = events.into_iter().map(|event| event.at(LogfileHeader::default().after(1)));
    TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).events(events)).build().bytes
}

/// A description of an event with a template.
fn manifest() -> String {
    format!(
        r#"<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>
<provider name="Zeltlager-Orders" guid="{{{SOURCE}}}" resourceFileName="x" messageFileName="x" symbol="ZeltlagerOrders">
<events><event value="1" version="0" level="win:Informational" symbol="ZELTLAGERShip" template="ShipArgs"/></events>
<templates><template tid="ShipArgs"><data name="zeltlagerNumber" inType="win:UInt32"/></template></templates>
</provider></events></instrumentation></instrumentationManifest>"#
    )
}

#[test]
fn a_word_of_the_list_is_replaced_in_manifests_and_metadata_which_still_describe_events() {
    let manifest = manifest();
    let mut events = manifest_events(SOURCE, &manifest, 0xFF00);
    events.push(ModernEvent::new(SOURCE).id(1).level(4).payload(Payload::new().u32(77)));
    let schema = Metadata::event("ZeltlagerOpened").field("ofZeltlager", in_type::UINT32, 0);
    let described = ModernEvent::new(Guid::new(0x77)).channel(11).item(ExtendedItem::schema_tl(schema));
    events.push(described.payload(Payload::new().u32(5)));
    let bytes = trace(events);
    let redacted = redact(&open(&bytes), &["zeltlager"]).unwrap();
    assert!(has_text(&bytes, "zeltlager") && !has_text(&redacted.bytes, "zeltlager"));
    let counts = |bytes: &[u8]| -> Vec<_> {
        fields(&open(bytes)).into_iter().map(|(_, fields, fits)| (fields.len(), fits)).collect()
    };
    assert_eq!(counts(&bytes), counts(&redacted.bytes));
    let described: Vec<_> = fields(&open(&redacted.bytes)).into_iter().rev().take(2).collect();
    assert!(described.iter().all(|(_, fields, fits)| fields.len() == 1 && *fits), "{described:?}");
}

#[test]
fn a_word_of_the_list_that_events_need_is_named() {
    let mut events = manifest_events(SOURCE, &manifest(), 0xFF00);
    events.push(ModernEvent::new(SOURCE).id(1).level(4).payload(Payload::new().u32(77)));
    let error = redact(&open(&trace(events)), &["zeltlager", "templates"]).unwrap_err();
    let Error::Described { words, .. } = &error else { panic!("{error}") };
    assert_eq!(words, r#""templates", "zeltlager""#);
}

#[test]
fn addresses_in_arrays_are_replaced() {
    let address = |n: u8| [10, 77, 100 + n, 13];
    let array = |field: Field, payload: Payload| {
        let schema = Metadata::event("Route").field("Before", in_type::UINT8, 0).with(&field);
        let item = ExtendedItem::schema_tl(schema.field("After", in_type::UINT16, 0));
        ModernEvent::new(Guid::new(0x78)).channel(11).item(item).payload(payload.u16(9))
    };
    let hops = |name: &str| Field::new(name, in_type::UINT32).out(out_type::IPV4);
    let payload = |head: Payload, from: u8| (from..from + 3).fold(head, |payload, n| payload.bytes(&address(n)));
    let bytes = trace(vec![
        array(hops("Fixed").fixed_array(3), payload(Payload::new().u8(1), 0)),
        array(hops("Counted").variable_array(), payload(Payload::new().u8(1).u16(3), 3)),
    ]);
    let redacted = redact(&open(&bytes), &[]).unwrap();
    for n in 0..6 {
        assert!(has(&bytes, &address(n)) && !has(&redacted.bytes, &address(n)), "{n}: {:?}", redacted.secrets);
    }
    assert_eq!((fields(&open(&bytes)), redacted.secrets.len()), (fields(&open(&redacted.bytes)), 6));
}
