//! One provider as `.man` text and as the binary `mc.exe` would make of it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

mod common;

use std::fs;
use std::path::PathBuf;

use common::image::{Resource, image};
use common::mc::{PROVIDER, message_table, resource};
use etwkit::bytes::Guid;
use etwkit::parser::{Claims, SchemaProvider};
use etwkit::schema::{
    Count, DisplayFormat, Len, MapKind, Scalar, Schema, SchemaEntry, SchemaSelector, SchemaSource, UserPart, Wire,
};
use etwkit_manifest::wevt::{self, Messages, Resources};
use etwkit_manifest::{Manifests, Provider, xml};

const MAN: &str = include_str!("common/sample.man");

fn from_text() -> Provider {
    xml::parse(MAN.as_bytes()).unwrap().remove(0)
}

fn binary() -> Vec<u8> {
    image(&[
        Resource { name: Some("WEVT_TEMPLATE"), number: 0, language: 0x409, bytes: &resource() },
        Resource { name: None, number: 11, language: 0x409, bytes: &message_table() },
    ])
}

fn schemas(provider: &Provider) -> Vec<Schema> {
    let schema = |(id, version)| provider.schema(id, version, SchemaSource::USER).unwrap().unwrap();
    provider.events().map(schema).collect()
}

#[test]
fn names_messages_maps_and_fields_come_out() {
    let provider = from_text();
    assert_eq!((provider.guid(), provider.name()), (Guid::from_u128(PROVIDER), Some("Sample-Provider")));
    assert!(provider.events().eq([(7, 2), (8, 0), (9, 0)]));
    let [opened, started, last] = &schemas(&provider)[..] else { panic!("three events") };
    let names = opened.names();
    assert_eq!(names.full().as_deref(), Some("Work/Open"));
    assert_eq!(
        (names.level.as_deref(), names.channel.as_deref()),
        (Some("Chatty"), Some("Sample-Provider/Operational"))
    );
    assert_eq!(*names.keywords, [(1, "Disk".into()), (4, "Net".into())]);
    assert_eq!(names.provider_message.as_deref(), Some("A provider for tests"));
    assert_eq!(opened.message().unwrap().to_string(), "Kind %1 with %2!x! items%nfor %5, 100%%");
    let fields: Vec<_> = opened.fields().iter().map(|field| &*field.name).collect();
    assert_eq!(fields, ["Kind", "Count", "Items", "Size", "Data", "Access", "Fixed"]);
    let [kind, _, items, _, data, access, fixed] = opened.fields() else { panic!("seven fields") };
    assert_eq!(opened.map(kind).map(|map| (map.kind(), map.value(2))), Some((MapKind::Values, Some("Second"))));
    assert_eq!(opened.map(access).map(etwkit::schema::Map::kind), Some(MapKind::Bits));
    assert_eq!((items.wire, items.count), (Wire::Struct { fields: 2 }, Count::Field(1)));
    assert_eq!(data.wire, Wire::Bytes { len: Len::Field(3) });
    assert!(matches!(fixed.wire, Wire::Text { len: Len::Fixed(8), .. }));
    assert_eq!(access.display, DisplayFormat::Hex);
    assert_eq!(started.names().full().as_deref(), Some("Work/Start"));
    assert_eq!(started.fields()[0].wire, Wire::Sid { wrapped: false });
    assert_eq!(
        (started.fields()[1].wire, started.fields()[1].count),
        (Wire::Scalar(Scalar::SystemTime), Count::Fixed(3))
    );
    assert_eq!((last.names().full().as_deref(), last.fields().len()), (Some("Work"), 0));
}

#[test]
fn text_and_binary_make_the_same_schemas() {
    let resources = Resources::read(&binary()).unwrap();
    let [template] = &resources.templates[..] else { panic!("one resource") };
    let providers = wevt::parse(template, &resources.messages).unwrap();
    assert_eq!(providers.len(), 1);
    assert_eq!((providers[0].guid(), providers[0].name()), (Guid::from_u128(PROVIDER), Some("Sample-Provider")));
    assert_eq!(schemas(&providers[0]), schemas(&from_text()));
}

#[test]
fn text_and_binary_have_the_same_elements_of_user_data() {
    let of =
        |provider: &Provider| schemas(provider).iter().map(|schema| schema.user_data().cloned()).collect::<Vec<_>>();
    let [Some(tree), None, None] = &of(&from_text())[..] else { panic!("one tree") };
    let part = |name: &str| UserPart::Element(name.into());
    let expected = [
        part("Opened"),
        UserPart::Attribute("xmlns".into()),
        UserPart::Text("urn:sample".into()),
        UserPart::End,
        part("Kind"),
        UserPart::Field(0),
        UserPart::End,
        part("Count"),
        UserPart::Field(1),
        UserPart::End,
        UserPart::End,
    ];
    assert_eq!(tree.parts(), expected);
    assert_eq!(of(&wevt::parse(&resource(), &Messages::new()).unwrap()[0]), of(&from_text()));
}

#[test]
fn text_of_user_data_is_kept_and_what_is_no_tree_is_not() {
    let with = |inner: &str| {
        let text = MAN.replace("<Kind>%1</Kind>", inner);
        xml::parse(text.as_bytes()).unwrap()[0].schema(7, 2, SchemaSource::USER).unwrap().unwrap()
    };
    let schema =
        with("<w:k a=\"&lt;%2%%0\" w:b='' xmlns:v='u'><!-- n --> %1 &amp; <![CDATA[<]]>100%&#33; <v:e/></w:k>");
    let text = etwkit::schema::text::print(&[SchemaEntry::new(
        SchemaSelector::Manifest { provider: Guid::NULL, id: 7 },
        schema,
    )]);
    let tree = r#"k(@a("<" %2 "%%0") @b() @"xmlns:v"("u") %1 " & <100%!" "v:e"()) Count(%2)) {"#;
    assert!(text.contains(tree), "{text}");
    assert!(with("").user_data().is_some());
    // Two roots, twice the same attribute, too deep, too long, one field too often.
    for inner in [
        "</Opened><Kind>%1</Kind><Opened>".to_owned(),
        "<k a='1' a='2'/>".to_owned(),
        format!("{}{}", "<k>".repeat(40), "</k>".repeat(40)),
        format!("<k>{}</k>", "x".repeat(300_000)),
        format!("<k>{}</k>", "%1 ".repeat(9)),
    ] {
        let schema = with(&inner);
        assert_eq!((schema.user_data(), schema.fields().len()), (None, 7));
    }
    assert!(xml::parse(MAN.replace("</Opened>", "").as_bytes()).is_err());
}

#[test]
fn without_messages_names_and_fields_remain() {
    let providers = wevt::parse(&resource(), &Messages::new()).unwrap();
    let (bare, full) = (schemas(&providers[0]), schemas(&from_text()));
    assert_eq!(bare[0].names().full(), full[0].names().full());
    assert_eq!((bare[0].message(), bare[0].fields()), (None, full[0].fields()));
}

#[test]
fn utf16_is_read_too() {
    let wide: Vec<u8> = [0xFEFF].into_iter().chain(MAN.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(xml::parse(&wide).unwrap(), [from_text()]);
}

/// A folder that is gone at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("etwkit-manifest-{}-{name}", std::process::id()));
        fs::create_dir_all(path.join("sub/en-US")).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn folders_are_searched_and_texts_found_beside() {
    let folder = Folder::new("search");
    let bare = image(&[Resource { name: Some("WEVT_TEMPLATE"), number: 0, language: 0x409, bytes: &resource() }]);
    let texts = image(&[Resource { name: None, number: 11, language: 0x409, bytes: &message_table() }]);
    folder.write("sub/Sample.DLL", &bare);
    folder.write("sub/en-US/Sample.DLL.mui", &texts);
    folder.write("notes.txt", b"no manifest");
    folder.write("other.xml", b"<a><b></a>");
    folder.write("broken.man", b"<instrumentationManifest>");
    folder.write("broken.exe", b"MZ");
    let manifests = Manifests::load([&folder.0]).unwrap();
    let providers: Vec<_> = manifests.providers().collect();
    assert_eq!(providers.len(), 1);
    assert_eq!(schemas(providers[0]), schemas(&from_text()));
    let skipped: Vec<_> = manifests.skipped().iter().map(|(path, _)| path.file_name().unwrap().to_owned()).collect();
    assert_eq!(skipped, ["broken.exe", "broken.man"]);
    assert_eq!(manifests.claims(), Claims::provider(Guid::from_u128(PROVIDER)));
}

#[test]
fn a_named_file_must_be_a_manifest() {
    let folder = Folder::new("named");
    folder.write("a.man", MAN.as_bytes());
    folder.write("b.xml", b"<a/>");
    let load = |name: &str| Manifests::load([folder.0.join(name)]);
    assert_eq!(load("a.man").unwrap().providers().count(), 1);
    assert!(load("b.xml").is_err());
    assert!(load("none.man").is_err());
}

#[test]
fn an_event_with_a_defect_does_not_hide_the_others() {
    let text = MAN.replace("length=\"Size\"", "length=\"Nothing\"").replace("template=\"T2\"", "template=\"T3\"");
    let provider = xml::parse(text.as_bytes()).unwrap().remove(0);
    let result = |id, version| provider.schema(id, version, SchemaSource::USER);
    assert!(result(7, 2).unwrap_err().to_string().contains("`Nothing`"));
    assert!(result(8, 0).unwrap_err().to_string().contains("`T3`"));
    assert!(result(9, 0).unwrap().is_some() && result(10, 0).unwrap().is_none());
}
