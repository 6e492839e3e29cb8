//! Makes the resources that `mc.exe` would make of `sample.man` in this folder. Written by hand after section 10.2 of
//! `docs/format`; shares nothing with the reader.

/// The provider of the sample.
pub(crate) const PROVIDER: u128 = 0x00112233_4455_6677_8899_aabbccddeeff;

/// Bytes with places that are filled in later.
#[derive(Default)]
struct Out(Vec<u8>);

impl Out {
    fn here(&self) -> u32 {
        self.0.len() as u32
    }

    fn u8s(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend(bytes);
        self
    }

    fn u16(&mut self, value: u16) -> &mut Self {
        self.u8s(&value.to_le_bytes())
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.u8s(&value.to_le_bytes())
    }

    fn u32s(&mut self, values: &[u32]) -> &mut Self {
        for value in values {
            self.u32(*value);
        }
        self
    }

    fn set(&mut self, at: u32, value: u32) {
        self.0[at as usize..at as usize + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Returns a string with its size before it; returns its place.
    fn string(&mut self, text: &str) -> u32 {
        let at = self.here();
        let units: Vec<u8> = text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
        self.u32(units.len() as u32 + 4).u8s(&units);
        at
    }

    /// Returns a list of named things: signature, size, count, entries. Each entry is bytes and then the place of a
    /// name. Returns the places of list and entries.
    fn named(&mut self, signature: [u8; 4], entries: &[(Vec<u8>, &str)]) -> (u32, Vec<u32>) {
        let names: Vec<u32> = entries.iter().map(|(_, name)| self.string(name)).collect();
        let at = self.here();
        let mut places = Vec::new();
        self.u8s(&signature).u32(0).u32(entries.len() as u32);
        for ((bytes, _), name) in entries.iter().zip(names) {
            places.push(self.here());
            self.u8s(bytes).u32(name);
        }
        let size = self.here() - at;
        self.set(at + 4, size);
        (at, places)
    }
}

/// An item of a template: flags, in-type, out-type (or members of a struct), map, count, length, name.
struct Item(u32, [u8; 4], u32, u16, u16, &'static str);

/// Hash, count, characters, NUL.
fn xml_name(text: &str) -> Vec<u8> {
    let hash = text.encode_utf16().fold(0_u32, |hash, c| hash.wrapping_mul(65599).wrapping_add(c.into())) as u16;
    let units: Vec<u16> = text.encode_utf16().collect();
    [hash, units.len() as u16].into_iter().chain(units).chain([0]).flat_map(u16::to_le_bytes).collect()
}

fn xml_element(name: &str, namespace: Option<&str>, content: &[u8]) -> Vec<u8> {
    let attribute = namespace.map_or_else(Vec::new, |namespace| {
        let units: Vec<u16> = namespace.encode_utf16().collect();
        let value = [units.len() as u16].into_iter().chain(units).flat_map(u16::to_le_bytes).collect();
        let attribute = [vec![6], xml_name("xmlns"), vec![5, 1], value].concat();
        [&(attribute.len() as u32).to_le_bytes()[..], &attribute].concat()
    });
    let body = [&xml_name(name)[..], &attribute, &[2], content, &[4]].concat();
    let token = if namespace.is_some() { 0x41 } else { 1 };
    [&[token, 0xFF, 0xFF][..], &(body.len() as u32).to_le_bytes(), &body].concat()
}

/// Returns a fragment of binary XML: an element in a namespace, with an element for each of the first properties.
fn user_data(root: &str, namespace: &str, elements: &[(&str, u8)]) -> Vec<u8> {
    let elements =
        elements.iter().zip(0_u8..).flat_map(|((name, kind), at)| xml_element(name, None, &[13, at, 0, *kind]));
    let root = xml_element(root, Some(namespace), &elements.collect::<Vec<_>>());
    [&[15, 1, 1, 0][..], &root, &[0, 0, 0, 0]].concat()
}

fn template(out: &mut Out, top_level: u32, items: &[Item], user_data: &[u8]) -> u32 {
    let names: Vec<u32> = items.iter().map(|item| out.string(item.5)).collect();
    let at = out.here();
    let (list, kind) = (40 + user_data.len() as u32, if user_data.is_empty() { 1 } else { 2 });
    out.u8s(b"TEMP").u32s(&[list + 20 * items.len() as u32, top_level, items.len() as u32, at + list, kind]);
    out.u8s(&[0; 16]).u8s(user_data);
    for (Item(flags, types, map, count, length, _), name) in items.iter().zip(names) {
        out.u32(*flags).u8s(types).u32(*map).u16(*count).u16(*length).u32(name);
    }
    at
}

fn map(out: &mut Out, signature: [u8; 4], name: &str, entries: &[(u32, u32)]) -> u32 {
    let name = out.string(name);
    let at = out.here();
    out.u8s(&signature).u32s(&[
        20 + 8 * entries.len() as u32,
        name,
        u32::from(signature == *b"BMAP"),
        entries.len() as u32,
    ]);
    for (value, message) in entries {
        out.u32s(&[*value, *message]);
    }
    at
}

const NONE: u32 = u32::MAX;

/// Returns the `WEVT_TEMPLATE` resource.
pub(crate) fn resource() -> Vec<u8> {
    let mut out = Out::default();
    out.u8s(b"CRIM").u32(0).u16(5).u16(1).u32(1);
    out.u8s(&etwkit::bytes::Guid::from_u128(PROVIDER).to_bytes()).u32(36);
    out.u8s(b"WEVT").u32s(&[0, 1, 7]); // message 1, seven elements
    let elements = out.here();
    out.u8s(&[0; 56]);

    let kinds = map(&mut out, *b"VMAP", "Kinds", &[(1, 10), (2, 11)]);
    let access = map(&mut out, *b"BMAP", "Access", &[(1, 12), (2, 13)]);
    let first = template(
        &mut out,
        5,
        &[
            Item(0, [8, 8, 0, 0], kinds, 1, 0, "Kind"),
            Item(0, [6, 6, 0, 0], 0, 1, 0, "Count"),
            Item(1 | 0x10, [5, 0, 2, 0], 0, 1, 0, "Items"), // a struct of properties 5 and 6, Count of them
            Item(0, [20, 18, 0, 0], access, 1, 0, "Access"),
            Item(2, [1, 1, 0, 0], 0, 1, 8, "Fixed"), // eight characters
            Item(0, [8, 8, 0, 0], 0, 1, 0, "Size"),
            Item(4, [14, 15, 0, 0], 0, 1, 5, "Data"), // Size bytes
        ],
        &user_data("Opened", "urn:sample", &[("Kind", 8), ("Count", 6)]),
    );
    let items = [Item(0, [19, 1, 0, 0], 0, 1, 0, "User"), Item(8, [18, 2, 0, 0], 0, 3, 0, "Times")];
    let second = template(&mut out, 2, &items, &[]);
    let maps = out.here();
    out.u8s(b"MAPS").u32s(&[20, 2, access, kinds]);
    let name = out.here() + 20;
    let attributes = out.here();
    out.u8s(b"PRVA").u32s(&[0, 1, 0x1000_0001, name]);
    out.u8s(&"Sample-Provider\0".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    let bytes = |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let opcodes = [(bytes(&[10 << 16, 4]), "Open"), (bytes(&[1 << 16, NONE]), "win:Start")];
    let (opcode_list, opcodes) = out.named(*b"OPCO", &opcodes);
    let levels = [(bytes(&[4, NONE]), "win:Informational"), (bytes(&[16, NONE]), "Chatty")];
    let (level_list, levels) = out.named(*b"LEVL", &levels);
    let (task_list, tasks) = out.named(*b"TASK", &[(bytes(&[3, 5, 0, 0, 0, 0]), "Work")]);
    let keywords = [(bytes(&[1, 0, NONE]), "Disk"), (bytes(&[4, 0, NONE]), "Net")];
    let (keyword_list, keywords) = out.named(*b"KEYW", &keywords);
    let channel = out.string("Sample-Provider/Operational");
    let channels = out.here();
    out.u8s(b"CHAN").u32s(&[28, 1, 16, channel, 0, NONE]);
    let both = out.here();
    out.u32s(&keywords);
    let events = out.here();
    out.u8s(b"EVNT").u32s(&[16 + 3 * 48, 3, 0]);
    // id, version, channel, level, opcode, task, keyword, message, template, opcode, level, task, keywords
    out.u16(7).u8s(&[2, 16, 16, 10]).u16(3).u32s(&[5, 0x8000_0000, 20, first]);
    out.u32s(&[opcodes[0], levels[1], tasks[0], 2, both, 0]);
    out.u16(8).u8s(&[0, 0, 4, 1]).u16(3).u32s(&[1, 0, 21, second]);
    out.u32s(&[opcodes[1], levels[0], tasks[0], 1, both, 0]);
    out.u16(9).u8s(&[0, 0, 4, 0]).u16(3).u32s(&[0, 0, NONE, 0, 0, levels[0], tasks[0], 0, 0, 0]);

    let lists =
        [(6, maps), (13, attributes), (2, opcode_list), (0, level_list), (1, task_list), (5, channels), (4, events)];
    for (at, (kind, place)) in lists.into_iter().enumerate() {
        out.set(elements + at as u32 * 8, kind);
        out.set(elements + at as u32 * 8 + 4, place);
    }
    let _ = keyword_list; // only reached through the events
    let size = out.here();
    out.set(4, size);
    out.0
}

/// Returns a resource with one event, all of whose fields name the same string.
#[allow(dead_code, reason = "the fuzz crate has this file for its seeds")]
pub(crate) fn one_name_for_all(fields: u32, name: &str) -> Vec<u8> {
    let mut out = Out::default();
    out.u8s(b"CRIM").u32(0).u16(5).u16(1).u32(1);
    out.u8s(&etwkit::bytes::Guid::from_u128(PROVIDER).to_bytes()).u32(36);
    out.u8s(b"WEVT").u32s(&[0, NONE, 1, 4]);
    let events = out.here();
    out.u32(0);
    let name = out.string(name);
    let template = out.here();
    out.u8s(b"TEMP").u32s(&[40 + 20 * fields, fields, fields, template + 40, 1]).u8s(&[0; 16]);
    for _ in 0..fields {
        out.u32(0).u8s(&[4, 4, 0, 0]).u32(0).u16(1).u16(0).u32(name);
    }
    let place = out.here();
    out.set(events, place);
    out.u8s(b"EVNT").u32s(&[16 + 48, 1, 0]);
    out.u16(1).u8s(&[0, 0, 4, 0]).u16(0).u32s(&[0, 0, NONE, template, 0, 0, 0, 0, 0, 0]);
    let size = out.here();
    out.set(4, size);
    out.0
}

/// Returns the message table: texts as `mc.exe` puts them, with a line break at the end.
pub(crate) fn message_table() -> Vec<u8> {
    let texts = [
        (1, "A provider for tests"),
        (4, "Opening"),
        (5, "Working hard"),
        (10, "First"),
        (11, "Second"),
        (12, "Read"),
        (13, "Write"),
        (20, "Kind %1 with %2!x! items%nfor %5, 100%%"),
        (21, "User %1 because %%30"),
        (30, "of a parameter"),
    ];
    let mut out = Out::default();
    out.u32(texts.len() as u32);
    let mut place = 4 + 12 * texts.len() as u32;
    let entries: Vec<Vec<u8>> = texts
        .iter()
        .map(|(_, text)| format!("{text}\r\n\0").encode_utf16().flat_map(u16::to_le_bytes).collect())
        .collect();
    for ((id, _), entry) in texts.iter().zip(&entries) {
        out.u32s(&[*id, *id, place]);
        place += entry.len() as u32 + 4;
    }
    for entry in &entries {
        out.u16(entry.len() as u16 + 4).u16(1).u8s(entry);
    }
    out.0
}
