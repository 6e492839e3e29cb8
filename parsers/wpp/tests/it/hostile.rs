//! Input that nobody means well with: nothing panics, nothing grows without bound.

use etwkit_synth::{Guid, MessageEvent};
use etwkit_wpp::{Symbols, extract_bytes};

use crate::common::{GUID, Run, with_group};

/// A small generator of numbers (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % below
    }

    /// Changes, drops and doubles a few bytes.
    fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.next(8) {
            let at = self.next(bytes.len());
            match self.next(8) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = 0xFF,
                2 => bytes[at] = 0,
                _ => bytes[at] = u8::try_from(self.next(256)).unwrap(),
            }
        }
    }
}

const TEXT: &str = "#enumv E\n{\na,0x1\n}\n#typev made_c1 10 \"%0n=%10!08.3d! %11!s! %12!-20.5s! %13!s! %99!s! %!FUNC! %4!s!\" // LEVEL=L FUNC=f\n{\nn, ItemLong -- 10\ns, ItemPWString -- 11\nt, ItemSetLong(a,b,c) -- 12\nu, ItemFlagsEnum(E) -- 13\nv, ItemSid -- 14\nw, ItemDouble -- 15\n}\n";

fn rounds() -> usize {
    std::env::var("ETWKIT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(300)
}

#[test]
fn damaged_texts_and_payloads() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..rounds() {
        let mut text = with_group(TEXT).into_bytes();
        random.damage(&mut text);
        let mut symbols = Symbols::default();
        symbols.add_text(&String::from_utf8_lossy(&text));
        let events = (0..4).map(|_| {
            let len = random.next(60);
            let payload: Vec<u8> = (0..len).map(|_| u8::try_from(random.next(256)).unwrap()).collect();
            MessageEvent::new(Guid::new(GUID), 10).payload(payload)
        });
        let run = Run::of(events.collect::<Vec<_>>(), symbols);
        assert_eq!(run.messages().len(), 4);
        run.json();
    }
}

#[test]
fn damaged_pdb_files() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    for good in [crate::made::msf(&with_group(TEXT)), crate::made::msfz(&with_group(TEXT))] {
        assert!(extract_bytes(good.clone(), "good.pdb").is_ok());
        for _ in 0..rounds() {
            let mut bytes = good.clone();
            random.damage(&mut bytes);
            drop(extract_bytes(bytes, "damaged.pdb"));
        }
        for len in 0..200 {
            drop(extract_bytes(good[..len].to_vec(), "short.pdb"));
        }
    }
}

/// Where the chunk table of an MSFZ file is told, and its entries.
fn chunk_table(bytes: &[u8]) -> usize {
    u64::from_le_bytes(bytes[48..56].try_into().unwrap()).try_into().unwrap()
}

fn refusal(bytes: Vec<u8>) -> String {
    extract_bytes(bytes, "lie.pdb").unwrap_err().to_string()
}

/// A compressed file says what it unpacks to: none of it is believed before it is compared with the file.
#[test]
fn a_compressed_pdb_cannot_claim_more_than_it_holds() {
    let good = crate::made::msfz(&with_group(TEXT));
    let with = |at: usize, value: u32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        refusal(bytes)
    };
    let table = chunk_table(&good);
    let streams = u32::from_le_bytes(good[56..60].try_into().unwrap());
    let directory = u32::from_le_bytes(good[68..72].try_into().unwrap());
    for (at, value) in [(56, directory / 4 + 1), (64, u32::MAX), (68, (64 << 20) + 1), (72, 9), (76, 9)] {
        assert!(with(at, value).contains("header claims more"), "{at}: {}", with(at, value));
    }
    assert!(with(48, u32::MAX).contains("chunk table is not there"));
    for (at, value) in [(table + 12, u32::MAX), (table + 16, (256 << 20) + 1), (table + 16, 200 << 20)] {
        assert!(with(at, value).contains("chunks claim too much"), "{value:#x}: {}", with(at, value));
    }
    assert!(streams > 3 && extract_bytes(good.clone(), "good.pdb").is_ok());
}

/// Many parts of streams may name the same chunk: what all streams have together is limited.
#[test]
fn streams_of_a_compressed_pdb_cannot_share_their_chunks_without_end() {
    let good = crate::made::msfz(&with_group(TEXT));
    let table = chunk_table(&good);
    // The first chunk says that it unpacks to nothing: now all streams are larger than what there is.
    let mut bytes = good;
    let chunks = u32::from_le_bytes(bytes[72..76].try_into().unwrap()) as usize;
    for chunk in 0..chunks {
        bytes[table + 20 * chunk + 16..][..4].copy_from_slice(&0u32.to_le_bytes());
    }
    let error = refusal(bytes);
    assert!(error.contains("streams are larger than what it holds") || error.contains("directory"), "{error}");
}

#[test]
fn texts_that_ask_for_much() {
    let wide = with_group("#typev a_c1 10 \"%0%10!99999999d!%10!.99999999s!%1!-9999999s!\"\n{\nn, ItemLong -- 10\n}\n");
    let long = format!("#typev a_c1 10 \"{}\"\n{{\n}}\n", "x".repeat(70_000));
    let many = (10..9000).map(|n| format!("n, ItemLong -- {n}\n")).collect::<Vec<_>>().concat();
    for text in [wide, with_group(&long), with_group(&format!("#typev a_c1 10 \"%0\"\n{{\n{many}}}\n"))] {
        let mut symbols = Symbols::default();
        symbols.add_text(&text);
        let run = Run::of([MessageEvent::new(Guid::new(GUID), 10).payload(vec![1, 0, 0, 0])], symbols);
        assert!(run.messages()[0].text.as_ref().is_none_or(|text| text.len() < 2000));
    }
}

#[test]
fn an_enumeration_that_all_arguments_name_is_read_once() {
    let values = (0..60_000).map(|value| format!("a{value},{value}\n")).collect::<Vec<_>>().concat();
    let many = (10..4000).map(|n| format!("n, ItemEnum(E) -- {n}\n")).collect::<Vec<_>>().concat();
    let text = format!("#enumv E\n{{\n{values}}}\n#typev a_c1 10 \"%0%10!s!\"\n{{\n{many}}}\n");
    let mut symbols = Symbols::default();
    symbols.add_text(&with_group(&text));
    let schema = symbols.schema(etwkit::bytes::Guid::from_u128(GUID), 10).unwrap().unwrap();
    assert_eq!((schema.fields().len(), schema.maps().len()), (3990, 1));
}

#[test]
fn a_stream_that_many_modules_name_is_read_once() {
    let pdb = extract_bytes(crate::made::msf(&with_group(TEXT)), "good.pdb").unwrap();
    let twice = extract_bytes(crate::made::msf_of(&with_group(TEXT), 500), "twice.pdb").unwrap();
    assert_eq!(pdb.files[0].tmf.entries[1..], twice.files[0].tmf.entries[1..]);
}

#[test]
fn a_long_value_cannot_be_shown_many_times() {
    let format = "%10!s!".repeat(9_000);
    let text = with_group(&format!("#typev a_c1 10 \"{format}\"\n{{\ns, ItemString -- 10\n}}\n"));
    let mut symbols = Symbols::default();
    symbols.add_text(&text);
    let run = Run::of([MessageEvent::new(Guid::new(GUID), 10).payload(vec![b'x'; 50_000])], symbols);
    let text = run.messages().remove(0).text.unwrap();
    assert!(text.len() < etwkit::limits::MAX_MESSAGE + 50_000 + 9_000 * 2 && text.ends_with("%1%1"));
}
