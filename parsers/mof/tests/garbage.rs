//! What is broken must not hurt: no panic, no endless loop, bounded memory.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use etwkit_mof::Mof;
use etwkit_mof::limits;
use proptest::prelude::*;

const SAMPLE: &[u8] = include_bytes!("sample.mof");

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_text(spots in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
                    cut in any::<prop::sample::Index>()) {
        let mut bytes = SAMPLE.to_vec();
        for (at, value) in &spots {
            let at = at.index(bytes.len());
            bytes[at] = *value;
        }
        if spots.is_empty() {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(mof) = Mof::parse("damaged", &bytes) {
            mof.entries().for_each(drop);
        }
    }

    #[test]
    fn words_in_any_order(text in r#"((class|instance|of|qualifier|A|B|uint32|string|EventType|Guid|WmiDataId|[\[\](){};:,=#"]|/\*|//|[0-9]{1,3}|\n) ?){0,60}"#) {
        if let Ok(mof) = Mof::parse("words", text.as_bytes()) {
            mof.entries().for_each(drop);
        }
    }
}

#[test]
fn few_bytes_that_claim_much_are_refused_or_cheap() {
    let guid = "Guid(\"{5a1b0000-0000-4000-8000-000000000001}\")";
    // Each class has all fields of those below it: too many bases are an error of the event, not of the file.
    let link = |at| format!("class A{at} : A{} {{ }};\n", at + 1);
    let chain = (0..limits::MAX_BASES + 2).map(link).collect::<Vec<_>>().concat();
    let mof = Mof::parse("chain", format!("[{guid}, EventType(1)] class A : A0 {{ }};\n{chain}").as_bytes()).unwrap();
    assert_eq!(mof.events().count(), 0);
    assert!(mof.notes()[0].to_string().contains("limit"), "{:?}", mof.notes());
    // The same field list for many events is made one by one, and all together have a limit.
    let types = (0..256).map(|at| at.to_string()).collect::<Vec<_>>().join(",");
    let types = vec![types; limits::MAX_EVENTS / 256].join(",");
    let many = format!("class P : EventTrace {{ }}; [{guid}, EventType{{{types}}}] class E : P {{ }};");
    assert_eq!(Mof::parse("many", many.as_bytes()).unwrap().events().count(), 256);
}
