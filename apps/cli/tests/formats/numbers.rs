//! Ids, versions and providers of events that have all else in common.

use etwkit_synth::schema::Metadata;
use etwkit_synth::{Buffer, ExtendedItem, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

use super::etwkit;

const FIRST: Guid = Guid::new(0x1111_1111_0000_0000_0000_0000_0000_0001);
const SECOND: Guid = Guid::new(0x2222_2222_0000_0000_0000_0000_0000_0002);

fn event(provider: Guid, (id, version): (u16, u8), name: &str) -> ModernEvent {
    let metadata = Metadata::event(name).field("x", 8, 0);
    let event = ModernEvent::new(provider).channel(11).id(id).version(version).item(ExtendedItem::schema_tl(metadata));
    event.payload(Payload::new().u32(7))
}

/// What each format of `dump` prints of a trace of these events, one element for each event but the file's header.
fn shown(events: Vec<ModernEvent>, format: &[&str]) -> Vec<String> {
    let header = LogfileHeader { buffer_size: 1 << 16, ..LogfileHeader::default() };
    let folder = tempfile::tempdir().unwrap();
    let mut trace = TraceBuilder::new(header.clone());
    for (n, event) in (1..).zip(events) {
        trace = trace.buffer(Buffer::on(0).event(event.at(header.after(n * 100))));
    }
    std::fs::write(folder.path().join("t.etl"), trace.build().bytes).unwrap();
    let output = etwkit(folder.path(), &[&["dump", "-q", "t.etl", "--threads", "1", "--format"], format].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let between = if format == ["xml"] { "</Event>\n" } else { "\n" };
    text.split(between).map(str::to_owned).collect()
}

/// How a format writes id and version.
type Written = fn(u16, u8) -> String;

/// Three events of one schema and three ids in each format.
#[test]
fn equal_metadata_does_not_make_equal_ids() {
    let events = || [(5, 1), (6, 2), (7, 3)].map(|numbers| event(FIRST, numbers, "Same")).to_vec();
    let formats: [(&[&str], Written); 6] = [
        (&["jsonl"], |id, version| format!("\"id\":{id},\"version\":{version},")),
        (&["xml"], |id, version| format!("<EventID>{id}</EventID>\n\t\t<Version>{version}</Version>")),
        (&["csv", "--fields", "id,version"], |id, version| format!("{id},{version}")),
        (&["jsonl", "--fields", "id,version"], |id, version| format!("{{\"id\":{id},\"version\":{version}}}")),
        (&["tracerpt-csv"], |id, version| format!(", {id:>10}, {version:>10}, ")),
        (&["twapi", "--fields=-eventid,-version"], |id, version| format!("{id},{version}")),
    ];
    for (format, written) in formats {
        let all = shown(events(), format);
        for (id, version) in [(5, 1), (6, 2), (7, 3)] {
            let count = all.iter().filter(|event| event.contains(&written(id, version))).count();
            assert_eq!(count, 1, "{format:?}: id {id} in {all:#?}");
        }
    }
}

/// Events whose metadata has no room among the keys of the trace share none.
#[test]
fn events_without_a_key_have_their_own_numbers() {
    const LONG: usize = 60_000;
    let filler = (0..280).map(|n| event(FIRST, (1, 0), &format!("{n:0>LONG$}")));
    let last = [(FIRST, 5), (SECOND, 5), (SECOND, 6)];
    let last = last.map(|(provider, id)| event(provider, (id, 0), &"x".repeat(LONG)));
    let events: Vec<_> = filler.chain(last).collect();
    let fields = "id,provider_guid";
    for format in [&["jsonl"][..], &["csv", "--fields", fields], &["xml"], &["tracerpt-csv"], &["twapi"]] {
        let all = shown(events.clone(), &[format, &["--last", "3"]].concat());
        let of = |provider: Guid| {
            let provider = provider.to_string();
            let has = |event: &&String| event.to_ascii_lowercase().contains(&provider.to_ascii_lowercase());
            all.iter().filter(has).count()
        };
        assert_eq!((of(FIRST), of(SECOND)), (1, 2), "{format:?}: {all:#?}");
    }
}
