//! A minimal `TraceLogging` decoder, from section 11 alone: every payload must end where its metadata states.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test"
)]

use etwkit_synth::{ExpectedEvent, fixtures};

#[test]
fn payloads_end_where_the_metadata_says() {
    let mut seen = 0;
    for fixture in fixtures() {
        if !(fixture.name.starts_with("tracelogging-") || fixture.name == "hello.etl") {
            continue;
        }
        for event in fixture.expected.events.iter().filter_map(decode) {
            assert_eq!(event.left, 0, "{}: {}", fixture.name, event.name);
            seen += 1;
        }
    }
    assert_eq!(seen, 34 + 9 + 8);
}

struct Decoded {
    name: String,
    left: usize,
}

fn decode(event: &ExpectedEvent) -> Option<Decoded> {
    let item = event.event.items.iter().find(|item| item.kind == 11)?;
    let mut schema = Bytes(&item.data);
    assert_eq!(schema.u16(), item.data.len());
    schema.tags();
    let name = schema.text();
    let mut payload = Bytes(event.event.payload());
    while !schema.0.is_empty() {
        let field = Field::read(&mut schema);
        field.skip(&mut payload);
    }
    Some(Decoded { name, left: payload.0.len() })
}

struct Field {
    kind: u8,
    shape: u8,
    count: usize,
    members: Vec<Field>,
}

impl Field {
    fn read(schema: &mut Bytes<'_>) -> Self {
        schema.text();
        let kind = schema.u8();
        let out = if kind & 0x80 != 0 { schema.u8() } else { 0 };
        if out & 0x80 != 0 {
            schema.tags();
        }
        let shape = kind & 0x60;
        let count = if shape == 0x20 { schema.u16() } else { 1 };
        if shape == 0x60 {
            let len = schema.u16();
            schema.take(len);
        }
        let members = if kind & 0x1f == 24 { out & 0x7f } else { 0 };
        let members = (0..members).map(|_| Self::read(schema)).collect();
        Self { kind: kind & 0x1f, shape, count, members }
    }

    fn skip(&self, payload: &mut Bytes<'_>) {
        if self.shape == 0x60 {
            return payload.counted();
        }
        let count = if self.shape == 0x40 { payload.u16() } else { self.count };
        (0..count).for_each(|_| self.skip_one(payload));
    }

    fn skip_one(&self, payload: &mut Bytes<'_>) {
        let fixed = match self.kind {
            0 => 0,
            1 => return payload.wide_text(),
            2 => {
                payload.text();
                return;
            }
            3 | 4 => 1,
            5 | 6 => 2,
            7 | 8 | 11 | 13 | 20 => 4,
            9 | 10 | 12 | 16 | 17 | 21 => 8,
            14 | 22 | 23 | 25 => return payload.counted(),
            15 | 18 => 16,
            19 => 8 + 4 * usize::from(payload.0[1]),
            24 => return self.members.iter().for_each(|member| member.skip(payload)),
            other => panic!("in-type {other}"),
        };
        payload.take(fixed);
    }
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }

    fn u8(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn u16(&mut self) -> usize {
        let bytes = self.take(2);
        usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn counted(&mut self) {
        let len = self.u16();
        self.take(len);
    }

    fn tags(&mut self) {
        while self.u8() & 0x80 != 0 {}
    }

    fn text(&mut self) -> String {
        let len = self.0.iter().position(|&byte| byte == 0).unwrap();
        let text = String::from_utf8(self.take(len).to_vec()).unwrap();
        self.u8();
        text
    }

    fn wide_text(&mut self) {
        while self.u16() != 0 {}
    }
}
