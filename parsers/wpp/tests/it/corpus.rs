//! Real traces with what tracefmt prints for them, and real TMF files.

use etwkit::decode::Fit;
use etwkit_synth::{MessageEvent, Payload};
use etwkit_wpp::{is_known_item, tmf};
use serde_json::Value;

use crate::common::{GUID, Run, corpus, folder, symbols, trace};

fn expected() -> Option<Value> {
    let text = std::fs::read_to_string(corpus()?.join("expected-messages.json")).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

#[test]
fn every_expected_message_appears_and_all_others_decode() {
    let Some(expected) = expected() else { return };
    let traces = expected.as_object().unwrap().iter().filter(|(name, _)| name.contains("-sample."));
    let mut checked = 0;
    for (name, facts) in traces {
        let messages = Run::new(trace(name).unwrap(), folder("tmf").unwrap()).messages();
        assert!(messages.iter().all(|message| message.fit == Fit::Exact), "{name}: {messages:#?}");
        let texts: Vec<_> = messages.iter().map(|message| message.text.as_deref().unwrap()).collect();
        for wanted in facts["contains"].as_array().unwrap() {
            assert!(texts.contains(&wanted.as_str().unwrap()), "{name}: {wanted} is not in {texts:#?}");
            checked += 1;
        }
        let count = |number: u16| messages.iter().filter(|message| message.number == number).count() as u64;
        for (key, count) in
            [("count", texts.len() as u64), ("count_message_10", count(10)), ("count_message_11", count(11))]
        {
            if let Some(wanted) = facts[key].as_u64() {
                assert_eq!(count, wanted, "{name}: {key}");
            }
        }
    }
    assert_eq!(checked, 20);
}

#[test]
fn codes_are_formatted_as_expected() {
    let Some(expected) = expected() else { return };
    for (item, cases) in expected["formatter"].as_object().unwrap().iter().filter(|(item, _)| item.starts_with("Item"))
    {
        for (code, text) in cases.as_object().unwrap() {
            let number = code
                .strip_prefix("0x")
                .map_or_else(|| code.parse().unwrap(), |hex| u32::from_str_radix(hex, 16).unwrap());
            let definition = format!("#typev a_c1 10 \"%0%10!s!\" // FUNC=f\n{{\nx, {item} -- 10\n}}\n");
            let event = MessageEvent::new(etwkit_synth::Guid::new(GUID), 10).payload(Payload::new().u32(number));
            let messages = Run::of([event], symbols(&definition)).messages();
            assert_eq!(messages[0].text.as_deref(), text.as_str(), "{item} {code}");
        }
    }
}

#[test]
fn a_trace_names_the_pdb_it_wants() {
    let Some(source) = trace("wppmisc-sample.etl") else { return };
    let missing = Run::new(source, folder("tmf").unwrap()).wanted.missing();
    assert_eq!(missing.len(), 1);
    assert_eq!((&*missing[0].name, missing[0].age), ("WppMiscEmitter.pdb", 1));
    assert_eq!(missing[0].guid.to_string(), "b24bee35-a9d6-4176-b175-cd9d3e52c36d");
}

#[test]
fn without_definitions_messages_stay_undecoded_with_their_arguments() {
    let Some(source) = trace("wppstr-sample.etl") else { return };
    let run = Run::new(source, etwkit_wpp::Symbols::default());
    assert!(run.messages().iter().all(|message| message.text.is_none()));
    assert_eq!(run.trace.decoded(), (0, 8));
    let first = run.json().into_iter().find(|event| event["kind"] == "wpp").unwrap();
    assert_eq!(first["payload"], "616c7068610000000000");
}

#[test]
fn real_tmf_files_parse_without_loss() {
    let Some(corpus) = corpus() else { return };
    let (mut files, mut messages, mut arguments) = (0, 0, 0);
    for folder in ["tmf-real", "tmf"] {
        for entry in std::fs::read_dir(corpus.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let parsed = tmf::parse(&text);
            assert_eq!(parsed.to_string().trim_end(), text.replace("\r\n", "\n").trim_end(), "{}", path.display());
            let odd = |entry: &&tmf::TmfEntry| matches!(entry, tmf::TmfEntry::Other(line) if !line.is_empty());
            assert_eq!(parsed.entries.iter().find(odd), None, "{}", path.display());
            for (_, definition) in parsed.definitions() {
                let body = definition.body.iter();
                assert!(body.clone().all(|line| matches!(line, tmf::BodyLine::Known(_))), "{definition}");
                for argument in definition.arguments() {
                    assert!(is_known_item(&argument.item.name), "{argument}");
                }
                arguments += body.count();
                messages += 1;
            }
            files += 1;
        }
    }
    eprintln!("{files} files, {messages} messages, {arguments} arguments");
    assert_eq!(files, 52);
    let text =
        |name: &str| std::fs::read_to_string(corpus.join("tmf-real").join(name)).unwrap().matches("#typev").count();
    assert_eq!(
        text("fd0d9b5c-3c92-327e-6be3-f8b5fecc5550.tmf"),
        tmf::parse(&std::fs::read_to_string(corpus.join("tmf-real/fd0d9b5c-3c92-327e-6be3-f8b5fecc5550.tmf")).unwrap())
            .definitions()
            .count()
    );
}

#[test]
fn every_real_definition_compiles() {
    let Some(corpus) = corpus() else { return };
    let symbols = folder("tmf-real").unwrap();
    let mut count = 0;
    for entry in std::fs::read_dir(corpus.join("tmf-real")).unwrap() {
        let parsed = tmf::parse(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
        for (group, definition) in parsed.definitions() {
            let schema = symbols.schema(group.guid, definition.number).unwrap().unwrap();
            assert_eq!(schema.fields().len(), definition.arguments().count(), "{definition}");
            let text = schema.message().unwrap().to_string();
            assert!(!text.contains("%%") && !text.contains("%!"), "{definition}: {text}");
            count += 1;
        }
    }
    assert_eq!(count, 1653);
}
