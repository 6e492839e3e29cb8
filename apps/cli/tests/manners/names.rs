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
    let line = folder.output(&[&network[..], &["--fields", "pid,PID,fields.pid,ProcessId,size"]].concat());
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["pid"], line["PID"]);
    assert_eq!([&line["PID"], &line["ProcessId"], &line["size"]], [&line["fields.pid"], &line["pid"], &json!(0)]);
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
