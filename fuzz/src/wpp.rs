//! WPP: TMF text, PDB files, messages.

use std::fmt::Write as _;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Scratch};
use etwkit::input::Input;
use etwkit::limits;
use etwkit::parser::Parsers;
use etwkit::render::terminal;
use etwkit::schema::Schema;
use etwkit::sink::{Sink as _, Worker as _};
use etwkit::trace::Trace;
use etwkit_windows_formats::TracefmtLines;
use etwkit_wpp::{DefinitionContext, Symbols, compile, extract_bytes, tmf as text};

use crate::event::{Visits, account, raw};
use crate::pieces::pieces;
use crate::schema_size;

/// Definitions of a text that are compiled.
const DEFINITIONS: usize = 64;

/// Reads a TMF text, prints and reads it again: it is the same. Its definitions have schemas or errors.
pub fn tmf(data: &[u8]) {
    let given = String::from_utf8_lossy(data);
    let tmf = text::parse(&given);
    let printed = tmf.to_string();
    let again = text::parse(&printed);
    assert_eq!(tmf, again, "parse(print(x)) is not x:\n{printed}");
    assert_eq!(printed, again.to_string());
    for (group, definition) in tmf.definitions().take(DEFINITIONS) {
        let context = DefinitionContext { group, tmf: &tmf, pdb: tmf.pdb_name() };
        if let Ok(schema) = compile(definition, context) {
            schema_size::check(&schema, given.len());
            assert!(schema.fields().len() <= definition.arguments().count());
        }
    }
}

/// Reads a PDB file; what is found in it prints as TMF text that states the same.
pub fn pdb(data: &[u8]) {
    let Ok(symbols) = extract_bytes(data.to_vec(), "fuzz.pdb") else { return };
    assert!(symbols.files.is_sorted_by(|a, b| a.guid < b.guid), "a message GUID has two files");
    for file in &symbols.files {
        assert_eq!(text::parse(&file.tmf.to_string()), file.tmf);
        assert!(file.tmf.definitions().all(|(group, _)| group.guid == file.guid));
    }
    let mut all = Symbols::default();
    all.add_pdb("fuzz.pdb".as_ref(), symbols);
}

/// The message GUID of all messages here.
const GUID: Guid = Guid::from_u128(0x2363c985_9b6e_3283_34a7_e8c27a60b889);

/// Every item type.
const ITEMS: &str = "Char CharSign UChar CharShort Short UShort Long Int ULong UInt ULongX LongX LongLong ULongLong \
    LongLongX LongLongXX LongLongO Double Float Ptr Handle Size String RString WString RWString PString DSString \
    PWString DWString Char4 NTSTATUS NTerror HRESULT WINERROR SetupError NDIS_STATUS NDIS_OID ListByte(a,b,c) \
    ListShort(a,b=7,c) ListLong(a,b) SetByte(a,b,c) SetShort(a,b) SetLong(a,b) Enum(E) FlagsEnum(E) Guid IPAddr Port \
    Timestamp WaitTime TimeDelta IPV6Addr MACAddr HexDump Sid Nonsense";

const FORMS: [&str; 12] = ["s", "d", "08x", "-20s", ".3f", "#I64x", "p", "c", "+e", "u", ".300s", "G"];

thread_local! {
    static CENSUS: Option<Trace> = census();
    static BUILT_IN: Symbols = built_in();
}

fn census() -> Option<Trace> {
    let bytes = include_bytes!("../../fixtures/message-items.etl").as_slice();
    Trace::open(Input::bytes("fixture", bytes), Parsers::none()).ok()
}

/// Message `n` has the item types `n`, `n + 1` and `n * 7` in different forms.
fn built_in() -> Symbols {
    let items: Vec<&str> = ITEMS.split_whitespace().collect();
    let item = |at: usize| items.get(at % items.len()).copied().unwrap_or_default();
    let mut text = format!("{GUID} fuzz // SRC=a.c MJ= MN=\n#enumv E\n{{\na,0x1\nb,2\n}}\n");
    for number in 0..=255 {
        let form = |at: usize| FORMS.get((number + at) % FORMS.len()).copied().unwrap_or_default();
        let format = format!("%0%10!{}! %11!{}! %12!{}! %!FUNC! %4!s!", form(0), form(1), form(5));
        let _ = writeln!(text, "#typev a_c{number} {number} \"{format}\" // FUNC=f\n{{");
        for (place, item) in [item(number), item(number + 1), item(number * 7)].into_iter().enumerate() {
            let _ = writeln!(text, "x, Item{item} -- {}", place + 10);
        }
        let _ = writeln!(text, "}}");
    }
    let mut symbols = Symbols::default();
    symbols.add_text(&text);
    symbols
}

/// The first byte is the number of a message, the second its header's options; then come pieces of TMF text, or none
/// for built-in ones, and the payload. It is decoded in both pointer sizes, and written as tracefmt does.
pub fn wpp(data: &[u8]) {
    let Some(([number, options], rest)) = data.split_first_chunk() else { return };
    let (texts, payload) = pieces(rest, 4);
    let number = u16::from(*number);
    let schema = if texts.is_empty() {
        BUILT_IN.with(|symbols| symbols.schema(GUID, number))
    } else {
        let mut symbols = Symbols::default();
        for (_, text) in &texts {
            symbols.add_text(&format!("{GUID} fuzz // SRC=a.c\n{}", String::from_utf8_lossy(text)));
        }
        symbols.schema(GUID, number)
    };
    let Ok(schema) = schema else { return };
    for pointer in [0x40, 0x80] {
        // Anything but a component's number, which would take the GUID's place.
        message(schema.as_ref(), data.len(), number, pointer | u16::from(options & 0x39) | 2, payload);
    }
}

fn message(schema: Option<&Schema>, source: usize, number: u16, options: u16, payload: &[u8]) {
    let payload = payload.get(..60_000).unwrap_or(payload);
    let optional = [(1, 4), (2, 16), (8, 8), (0x20, 8)];
    let head: usize = optional.iter().filter(|(bit, _)| options & bit != 0).map(|(_, len)| len).sum();
    let mut bytes = vec![0; 8 + head];
    bytes.extend_from_slice(payload);
    let [low, high] = (bytes.len() as u16).to_le_bytes();
    let start = [low, high, 0, 0x90].into_iter().chain(number.to_le_bytes()).chain(options.to_le_bytes());
    bytes.iter_mut().zip(start).for_each(|(to, from)| *to = from);
    let mut scratch = Scratch::default();
    let decoded = Event::locate(raw(&bytes), schema, None, &mut scratch);
    assert_eq!(decoded.payload(), payload);
    account(&decoded);
    Visits::of(&decoded);
    if let Some(schema) = schema {
        schema_size::check(schema, source);
    }
    CENSUS.with(|trace| {
        let Some(trace) = trace else { panic!("the fixture cannot be read") };
        line(trace, &decoded, source);
    });
}

/// A message is text without hazards, ends with its only end of line that a terminal would act on, and has a bounded
/// length.
fn line(trace: &Trace, event: &Event<'_>, source: usize) {
    let mut worker = TracefmtLines::new(trace, Vec::new()).worker();
    if let Err(error) = worker.event(event) {
        panic!("{error}");
    }
    let line = worker.take();
    assert!(line.len() <= (limits::MAX_MESSAGE + source * 16) * 8, "{} bytes of text", line.len());
    let Ok(line) = std::str::from_utf8(&line) else { panic!("text that is not UTF-8") };
    let Some(line) = line.strip_suffix('\n') else { panic!("a line without an end") };
    assert!(!line.contains(|c: char| terminal::is_hazard(c) && c != '\n' && c != '\t'), "{line:?}");
}
