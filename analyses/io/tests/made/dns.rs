//! Queries of names.

use etwkit_io_analyses::{DnsByName, DnsEach};
use etwkit_synth::{Event, Guid, ModernEvent, Payload};

use super::{Made, PID, TID, found, is_near};

fn event(made: &Made, at: i64, id: u16, tid: u32, payload: Payload) -> Event {
    let provider = Guid::new(0x1c95_126e_7eea_49a9_a3fe_a378_b03d_db4d);
    ModernEvent::new(provider).id(id).at(made.header.after(10 * at)).by(PID, tid).payload(payload).into()
}

/// Adds an event with any payload.
pub(super) fn with(made: Made, id: u16, payload: Payload) -> Made {
    let event = event(&made, 100, id, TID, payload);
    made.event(event)
}

impl Made {
    fn asked(self, at: i64, name: &str, kind: u32) -> Self {
        let payload = Payload::new().utf16z(name).u32(kind).u64(0).utf16z("").u32(0).u32(0).u32(0).u32(0);
        let event = event(&self, at, 3006, 404, payload);
        self.event(event)
    }

    /// The answer may come on another thread.
    fn answered(self, at: i64, name: &str, kind: u32, (status, results): (u32, &str)) -> Self {
        let payload = Payload::new().utf16z(name).u32(kind).u64(0).u32(status).utf16z(results);
        let event = event(&self, at, 3008, 408, payload);
        self.event(event)
    }
}

const NAME_ERROR: u32 = 9_003;

pub(super) fn made() -> Made {
    Made::new()
        .asked(100, "a.example", 1)
        .asked(110, "a.example", 28)
        .asked(120, "a.example", 1)
        .answered(400, "a.example", 1, (0, "192.0.2.1;192.0.2.2;"))
        .answered(500, "a.example", 28, (NAME_ERROR, ""))
        .answered(1_120, "a.example", 1, (0, "192.0.2.3;"))
        .answered(2_000, "b.example", 65, (0, "::1;"))
        .asked(2_100, "a.example", 15)
}

#[test]
fn queries_are_joined_with_their_answers() {
    let rows = found::<DnsByName>(&made().trace());
    let [first, second] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(
        (first.pid, first.process.as_deref(), first.name.as_deref()),
        (Some(PID), Some("tool.exe"), Some("a.example"))
    );
    assert_eq!((first.queries, first.failures, first.unanswered), (4, 1, 1));
    assert!(
        is_near(first.elapsed_ms_sum.unwrap(), 0.3 + 0.39 + 1.0) && is_near(first.elapsed_ms_max.unwrap(), 1.0),
        "{first:?}"
    );
    assert_eq!(first.results, ["192.0.2.3"]);
    assert_eq!((second.queries, second.unanswered, second.elapsed_ms_sum), (1, 0, None));
}

#[test]
fn each_query_has_its_type_and_answer() {
    let rows = found::<DnsEach>(&made().trace());
    let all: Vec<_> = rows.iter().map(|row| (&*row.query_type, row.status, row.results.len())).collect();
    let expected =
        [("A", Some(0), 2), ("AAAA", Some(NAME_ERROR), 0), ("A", Some(0), 1), ("HTTPS", Some(0), 1), ("MX", None, 0)];
    assert_eq!(all, expected);
}
