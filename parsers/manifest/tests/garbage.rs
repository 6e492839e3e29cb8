//! What is broken must not hurt: no panic, no endless loop, bounded memory.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

mod common;

use common::image::{Resource, image};
use common::mc::{message_table, one_name_for_all, resource};
use etwkit::bytes::Guid;
use etwkit::schema::SchemaSource;
use etwkit_manifest::wevt::{self, Messages, Resources};
use etwkit_manifest::{EventSourceManifests, Provider, xml};
use proptest::prelude::*;

const MAN: &str = include_str!("common/sample.man");

type Spots = Vec<(prop::sample::Index, u8)>;

fn spots() -> impl Strategy<Value = Spots> {
    prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![any::<u8>(), Just(0), Just(255)]), 0..8)
}

/// Returns the bytes with some of them changed.
fn damaged(mut bytes: Vec<u8>, spots: &Spots) -> Vec<u8> {
    for (at, value) in spots {
        let at = at.index(bytes.len());
        bytes[at] = *value;
    }
    bytes
}

fn compile_all(providers: &[Provider]) {
    for provider in providers {
        for (id, version) in provider.events() {
            let _ = provider.schema(id, version, SchemaSource::USER);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn text(spots in spots(), cut in any::<prop::sample::Index>()) {
        let mut bytes = damaged(MAN.as_bytes().to_vec(), &spots);
        if spots.is_empty() {
            bytes.truncate(cut.index(bytes.len()));
        }
        compile_all(&xml::parse(&bytes).unwrap_or_default());
    }

    #[test]
    fn resource_blocks(spots in spots(), cut in any::<prop::sample::Index>()) {
        let mut messages = Messages::new();
        messages.add(&message_table()).unwrap();
        let mut bytes = damaged(resource(), &spots);
        if spots.is_empty() {
            bytes.truncate(cut.index(bytes.len()));
        }
        compile_all(&wevt::parse(&bytes, &messages).unwrap_or_default());
    }

    #[test]
    fn message_tables(spots in spots()) {
        let _ = Messages::new().add(&damaged(message_table(), &spots));
    }

    #[test]
    fn images(spots in spots()) {
        let parts = [
            Resource { name: Some("WEVT_TEMPLATE"), number: 0, language: 0x409, bytes: &resource() },
            Resource { name: None, number: 11, language: 0x409, bytes: &message_table() },
        ];
        let mut bytes = image(&parts);
        // Headers and directories, where damage has the most effect.
        let tail = bytes.split_off(0x300);
        let bytes = [damaged(bytes, &spots), tail].concat();
        if let Ok(resources) = Resources::read(&bytes) {
            for template in &resources.templates {
                compile_all(&wevt::parse(template, &resources.messages).unwrap_or_default());
            }
        }
    }

    #[test]
    fn chunk_events(chunks in prop::collection::vec((0u32..3, 0u16..4, 0u16..4, any::<prop::sample::Index>()), 0..20)) {
        let mut parser = EventSourceManifests::new();
        for (pid, total, number, start) in chunks {
            let text = &MAN.as_bytes()[start.index(MAN.len())..];
            let envelope = [&[1, 0, 0, 0x5B][..], &total.to_le_bytes(), &number.to_le_bytes(), text].concat();
            let _ = parser.add_chunk(Guid::from_u128(pid.into()), pid, 0, &envelope);
        }
    }
}

fn repeated(count: u32, element: impl Fn(u32) -> String) -> String {
    (0..count).map(element).collect::<Vec<_>>().concat()
}

/// Few bytes that claim much: what they name may not be read without end.
#[test]
fn one_template_named_by_many_events_is_kept_once() {
    let names = repeated(4000, |at| format!("<data name='f{at}' inType='win:UInt8'/>"));
    let events = repeated(60_000, |at| format!("<event value='{at}' template='T'/>"));
    let text = format!(
        "<events><provider guid='{{00112233-4455-6677-8899-aabbccddeeff}}'><templates><template tid='T'>{names}</template></templates><events>{events}</events></provider></events>"
    );
    let providers = xml::parse(text.as_bytes()).unwrap();
    assert_eq!(providers[0].events().count(), 60_000);
    assert!(providers[0].schema(59_999, 0, SchemaSource::USER).unwrap().unwrap().fields().len() == 4000);
}

#[test]
fn a_map_of_one_long_text_many_times_is_an_error() {
    let long = "x".repeat(60_000);
    let entries = repeated(10_000, |at| format!("<map value='{at}' message='$(string.s)'/>"));
    let text = format!(
        "<m><events><provider guid='{{00112233-4455-6677-8899-aabbccddeeff}}'><maps><valueMap name='M'>{entries}</valueMap></maps><templates><template tid='T'><data name='a' inType='win:UInt8' map='M'/></template></templates><events><event value='1' template='T'/></events></provider></events><localization><resources><stringTable><string id='s' value='{long}'/></stringTable></resources></localization></m>"
    );
    let providers = xml::parse(text.as_bytes()).unwrap();
    assert!(providers[0].schema(1, 0, SchemaSource::USER).is_err());
}

#[test]
fn what_many_events_and_fields_name_is_kept_once() {
    let long = "x".repeat(60_000);
    let fields = repeated(4000, |at| format!("<data name='f{at}' inType='win:UInt8' map='M'/>"));
    let entries = repeated(60, |at| format!("<map value='{at}' message='$(string.s)'/>"));
    let events =
        repeated(60_000, |at| format!("<event value='{at}' template='T' opcode='opcode1' message='$(string.s)'/>"));
    let text = format!(
        "<m><events><provider guid='{{00112233-4455-6677-8899-aabbccddeeff}}'><opcodes><opcode name='opcode1' value='30' message='$(string.s)'/></opcodes><maps><valueMap name='M'>{entries}</valueMap></maps><templates><template tid='T'>{fields}</template></templates><events>{events}</events></provider></events><localization><resources><stringTable><string id='s' value='{long}&#13;&#10;'/></stringTable></resources></localization></m>"
    );
    // Gigabytes, if each event and field had its own.
    let providers = xml::parse(text.as_bytes()).unwrap();
    let schema = providers[0].schema(59_999, 0, SchemaSource::USER).unwrap().unwrap();
    assert_eq!((schema.fields().len(), schema.maps().len()), (4000, 1));
    assert_eq!(schema.names().opcode.as_ref().map(|name| name.len()), Some(etwkit::limits::MAX_NAME));
}

/// The same in binary: each field has the name for itself, so each is paid for.
#[test]
fn a_resource_whose_fields_all_have_one_long_name_is_an_error() {
    let schema = |fields, name: &str| {
        let providers = wevt::parse(&one_name_for_all(fields, name), &Messages::new())?;
        providers[0].schema(1, 0, SchemaSource::USER)
    };
    assert_eq!(schema(4000, "short").unwrap().unwrap().fields().len(), 4000);
    assert_eq!(schema(10, &"x".repeat(30_000)).unwrap().unwrap().fields().len(), 10);
    // 120 MB of names in 140 KB.
    let error = schema(4000, &"x".repeat(30_000)).unwrap_err();
    assert!(error.to_string().contains("what a WEVT_TEMPLATE resource takes"), "{error}");
}
