//! One rule for names: in `--fields`, `--where` and `--group-by`.

use serde_json::{Value, json};

use super::Folder;

/// The same name in all three: what it stands for in the events of one name.
fn everywhere(folder: &Folder, event: &str, name: &str) -> [Option<String>; 2] {
    let file = "tracelogging-structs.etl";
    let line = folder.output(&["dump", file, "--event", event, "--fields", name]);
    let line: Value = serde_json::from_str(&line).unwrap();
    let as_field = line.get(name).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let groups = folder.output(&["dump", file, "--event", event, "--group-by", name, "--format", "jsonl"]);
    let groups: Value = serde_json::from_str(&groups).unwrap();
    let as_key = groups.get("keys").and_then(|keys| keys.get(name)).and_then(Value::as_str).map(str::to_owned);
    let has = format!("has {name}");
    let found = folder.run(&["dump", file, "--event", event, "--count", "--where", &has]);
    assert_eq!(found.out, if as_key.is_some() { "1\n" } else { "0\n" }, "{event} {has}: {}", found.err);
    [as_field, as_key]
}

#[test]
fn a_name_means_the_same_wherever_it_is_typed() {
    let folder = Folder::with(&["tracelogging-structs.etl"]);
    for (event, name, field, key) in [
        ("Simple", "event", "Simple", "Simple"),
        ("Simple", "cpu", "0", "0"),
        ("Simple", "CPU", "0", "0"),
        ("Simple", "ProcessId", "2000", "2000"),
        ("Simple", "header.pid", "2000", "2000"),
        ("Simple", "p.y", "-1", "-1"),
        ("Simple", "P.Y", "-1", "-1"),
        ("Simple", "fields.p.x", "1", "1"),
        ("Simple", "payload.p", "{\"x\":1,\"y\":-1}", "{x=1, y=-1}"),
        ("Nested", "line.to", "{\"x\":3,\"y\":4}", "{x=3, y=4}"),
        ("FixedArray", "p.x", "[1,3]", "1, 3"),
        ("VariableArray", "named.values", "[[1],[1,2]]", "[1], [1, 2]"),
        ("VariableArray", "named.name", "[\"one\",\"two\"]", "one, two"),
        ("Simple", "schema", "event", "event"),
        ("Simple", "provider_guid", "5e7a1000-000b-4b1d-9c0d-e7a51d0c000b", "5e7a1000-000b-4b1d-9c0d-e7a51d0c000b"),
        ("Simple", "fields", "{\"p\":{\"x\":1,\"y\":-1}}", "{\"p\":{\"x\":1,\"y\":-1}}"),
        ("ArrayOfNested", "outer.p.y", "[2,4]", "2, 4"),
    ] {
        let expected = [field, key].map(|text| Some(text.to_owned()));
        assert_eq!(everywhere(&folder, event, name), expected, "{event} {name}");
    }
}

/// A payload with names of the header: those of lone texts are `message`, Kernel-Network's process is `PID`.
#[test]
fn the_header_goes_first_under_its_own_names_only() {
    let folder = Folder::with(&["twapi.etl", "iisnode.etl"]);
    let network = ["dump", "twapi.etl", "--provider", "*Kernel-Network", "--first", "1"];
    let line = |fields: &str| -> Value {
        serde_json::from_str(&folder.output(&[&network[..], &["--fields", fields]].concat())).unwrap()
    };
    let (one, other) = (line("pid,PID,size"), line("fields.pid,ProcessId"));
    assert_eq!([&one["PID"], &one["pid"], &one["size"]], [&other["fields.pid"], &other["ProcessId"], &json!(0)]);
    let texts = folder.output(&["dump", "iisnode.etl", "--provider", "iisnode", "--fields", "message"]);
    assert!(texts.lines().count() == 7 && texts.lines().all(|line| line.contains("iisnode")), "{texts}");
    assert_eq!(folder.output(&["dump", "iisnode.etl", "--count", "--where", "message ~ 'named pipe'"]), "1\n");
}

#[test]
fn what_no_event_has_is_warned_of_with_what_may_be_meant() {
    let folder = Folder::with(&["hello.etl", "tracelogging-structs.etl"]);
    let said = |arguments: &[&str]| {
        let run = folder.run(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
        assert_eq!(folder.run(&[arguments, &["-q"]].concat()).err, "", "{arguments:?}");
        let warnings = run.err.lines().filter(|line| line.starts_with("warning: "));
        warnings.map(str::to_owned).collect::<Vec<_>>()
    };
    let warning = |option: &str, name: &str, what: &str| {
        vec![format!("warning: {option}: no event in this trace has a field `{name}`: {what}")]
    };
    let file = "tracelogging-structs.etl";
    assert_eq!(
        said(&["dump", file, "--fields", "time,colour,line.to"]),
        warning("--fields", "colour", "did you mean `line.color`?")
    );
    assert_eq!(
        said(&["dump", file, "--where", "line.too.x == 3"]),
        warning("--where", "line.too.x", "did you mean `line.to.x`?")
    );
    assert_eq!(said(&["count", file, "--group-by", "evnt"]), warning("--group-by", "evnt", "did you mean `event`?"));
    assert_eq!(
        said(&["dump", file, "--group-by", "named.nam"]),
        warning("--group-by", "named.nam", "did you mean `named.name`?")
    );
    assert_eq!(said(&["table", file, "--where", "not header.pid == 4 and prcess == 1"]).len(), 1);
    let schema = "`etwkit schema` with the trace lists the fields that there are";
    assert_eq!(said(&["dump", file, "--fields", "Unheard"]), warning("--fields", "Unheard", schema));
    for known in ["time,ProcessId,event", "line.from.x,p", "LINE,P.Y", "schema,extra,fields,raw_time"] {
        assert_eq!(said(&["dump", file, "--fields", known]), Vec::<String>::new());
    }
    assert_eq!(said(&["dump", file, "--where", "has line or Keyword & 1 or p.x > 3"]), Vec::<String>::new());
}

/// What `table` prints is the opcode alone; `--event` takes whole names.
#[test]
fn a_provider_or_event_that_is_misspelt_is_warned_of() {
    let folder = Folder::with(&["http-sys.etl"]);
    let said = |arguments: &[&str]| {
        let run = folder.run(&[&["dump", "http-sys.etl", "--count"], arguments].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
        let warnings = run.err.lines().filter_map(|line| line.strip_prefix("warning: "));
        (run.out.trim().to_owned(), warnings.collect::<Vec<_>>().join("\n"))
    };
    let http = "Microsoft-Windows-HttpService";
    for (option, typed, what, meant) in [
        ("--event", "Parse", "the name `Parse`", "*/Parse"),
        ("--event", "*/Parce", "the name `*/Parce`", "*/Parse"),
        ("--provider", "HttpService", "the provider `HttpService`", http),
        ("--provider", "Microsoft-Windows-HttpServic", "the provider `Microsoft-Windows-HttpServic`", http),
        ("--where", "opcode = Parce", "the opcode `Parce`", "Parse"),
        ("--provider", "HttpServ", "the provider `HttpServ`", http),
        ("--provider", "Windws", "the provider `Windws`", "*Windows*"),
        ("--where", "id > 0 and not provider in (HttpServce)", "the provider `HttpServce`", http),
    ] {
        let (count, warning) = said(&[option, typed]);
        assert_eq!(warning, format!("{option}: no event in this trace has {what}: did you mean `{meant}`?"));
        assert_eq!(count == "0", !typed.contains("not"), "{typed}: {count}");
        if option != "--where" {
            assert_ne!(said(&[option, meant]), ("0".to_owned(), String::new()));
        }
    }
    let guid = "{dd5ef90a-6398-47a4-ad34-4dcecdef795f}";
    for (option, right) in [
        ("--event", "*"),
        ("--event", "*/parse"),
        ("--event", "Nothing of the kind"),
        ("--provider", "*http*"),
        ("--provider", guid),
        ("--where", "opcode = parse or provider = 'dd5ef90a-6398-47a4-ad34-4dcecdef795f' or task in (1, 2)"),
        ("--where", "opcode ~ Parce or Url = Parce"),
    ] {
        assert_eq!(said(&[option, right]).1, "", "{option} {right}");
    }
}

#[test]
fn components_that_there_are_are_listed() {
    let folder = Folder::with(&["packets-pktmon.etl"]);
    let run = folder.run(&["pcap", "packets-pktmon.etl", "--component", "999", "-o", "none.pcapng"]);
    let list = run.err.lines().find_map(|line| line.strip_prefix("note: components that saw packets: "));
    let all: Vec<&str> = list.unwrap().split(", ").collect();
    assert!(!all.is_empty(), "{}", run.err);
    for id in all {
        let run = folder.run(&["pcap", "packets-pktmon.etl", "--with-drops", "--component", id, "-o", "some.pcapng"]);
        assert!(run.code == 0 && !run.err.contains("no packet passes"), "{id}: {}", run.err);
    }
}

#[test]
fn zones_and_numbers_may_begin_with_a_minus() {
    let folder = Folder::with(&["hello.etl", "http-sys.etl"]);
    let line = folder.output(&["dump", "hello.etl", "--first", "1", "--time-zone", "-05:00", "--fields", "time"]);
    assert!(line.contains("-05:00"), "{line}");
    let run = folder.run(&["requests", "http-sys.etl", "--time-zone", "-05:00", "-q"]);
    assert!(run.out.contains("2006-09-06T11:59:22.2512581-05:00"), "{}", run.out);
    let top = folder.output(&["dump", "http-sys.etl", "--group-by", "opcode", "--top", "1"]);
    assert_eq!(top, folder.output(&["count", "http-sys.etl", "--group-by", "opcode", "--top", "1"]));
}

#[test]
fn names_that_are_like_those_of_a_trace_are_suggested() {
    let folder = Folder::with(&["hello.etl", "kernel-stacks.etl"]);
    for (command, meant) in [
        (
            &["dump", "kernel-stacks.etl", "--process", "app"][..],
            "--process: no event in this trace has the process `app`: did you mean `app.exe`?",
        ),
        (&["count", "kernel-stacks.etl", "--where", "process == ap.exe"], "did you mean `app.exe`?"),
        (&["dump", "hello.etl", "--event", "Synth.Cafe/CoffeeOrder/Start"], "did you mean `CoffeeOrder/Start`?"),
        (&["table", "hello.etl", "--where", "EventNam == x"], "did you mean `EventName`?"),
        (&["symbols", "kernel-stacks.etl", "--where", "moduel == x"], "did you mean `module`?"),
        (&["profile", "kernel-stacks.etl", "--where", "exclusiv > 1"], "did you mean `exclusive`?"),
    ] {
        let run = folder.run(command);
        assert!(run.err.contains(meant), "{command:?}: {}", run.err);
    }
    for known in ["app.exe", "APP.exe", "app*"] {
        let run = folder.run(&["count", "kernel-stacks.etl", "--process", known]);
        assert!(!run.err.contains("did you mean"), "{known}: {}", run.err);
    }
}

#[test]
fn columns_of_profiles_and_symbols_are_names() {
    let folder = Folder::with(&["kernel-stacks.etl"]);
    let rows = |command: &[&str], condition: &str| {
        let arguments = [command, &["kernel-stacks.etl", "-f", "json", "--where", condition]].concat();
        let run = folder.run(&arguments);
        assert!(!run.err.contains("warning"), "{arguments:?}: {}", run.err);
        run.out.lines().count()
    };
    let all = rows(&["symbols"], "frames > 0");
    assert!(all > 0 && rows(&["symbols"], "frames > 9000") == 0 && rows(&["symbols"], "module == app.exe") == 1);
    assert!(rows(&["profile"], "inclusive > 0") > 0 && rows(&["profile"], "inclusive > 9000") == 0);
    assert_eq!(rows(&["profile", "--rows", "process"], "tid == 5204"), 1, "other names are those of events");
    let tree = folder.run(&["profile", "kernel-stacks.etl", "-f", "svg", "--where", "exclusive > 0"]);
    assert!(tree.code == 2 && tree.err.contains("conditions on columns choose rows"), "{}", tree.err);
    let urls = folder.run(&["symbols", "kernel-stacks.etl", "-f", "urls", "--where", "frames > 0"]);
    assert!(urls.code == 2 && urls.err.contains("conditions on columns choose rows"), "{}", urls.err);
}

#[test]
fn the_name_of_an_output_states_the_form_of_a_profile() {
    let folder = Folder::with(&["kernel-stacks.etl"]);
    for (name, start) in [
        ("a.svg", &b"<"[..]),
        ("a.folded", b"app.exe"),
        ("a.speedscope.json", b"{\"$schema\""),
        ("a.pb.gz", b"\x1f\x8b"),
        ("a.csv", b"exclusive,"),
        ("a.json", b"{\"exclusive\""),
        ("a.txt", b"exclusive "),
    ] {
        let run = folder.run(&["profile", "kernel-stacks.etl", "-o", name]);
        let bytes = std::fs::read(folder.path().join(name)).unwrap_or_default();
        assert!(bytes.starts_with(start), "{name}: {:?} {}", bytes.get(..20), run.err);
    }
}

#[test]
fn times_outside_of_the_trace_are_a_reason() {
    let folder = Folder::with(&["kernel-stacks.etl"]);
    let late = ["--since", "+1h"];
    for command in [
        &["profile", "kernel-stacks.etl"][..],
        &["symbols", "kernel-stacks.etl"],
        &["relog", "kernel-stacks.etl", "-o", "out.etl"],
        &["diff", "kernel-stacks.etl", "kernel-stacks.etl"],
    ] {
        let run = folder.run(&[command, &late].concat());
        let reason = "of all events, the last one is at 2026-01-02T03:04:05";
        assert!(run.err.contains(reason), "{command:?}: {}", run.err);
    }
}
