//! `mcp`: what the server answers on stdin and stdout.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::common::Folder;

const TRACE: &str = "hello.etl";

/// A server, and its pipes.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    requests: u64,
}

impl Server {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_etwkit"))
            .arg("mcp")
            .args(arguments)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output, requests: 0 }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.requests += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }).to_string());
        let answer = self.answer();
        assert_eq!(answer["id"], self.requests);
        answer
    }

    fn tool(&mut self, name: &str, arguments: &Value) -> Value {
        let answer = self.request("tools/call", &json!({ "name": name, "arguments": arguments }));
        let result = answer["result"].clone();
        assert!(result.is_object(), "{answer}");
        if result["isError"].is_null() {
            let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
            assert_eq!(text, result["structuredContent"]);
        }
        result
    }

    fn content(&mut self, name: &str, arguments: &Value) -> Value {
        let result = self.tool(name, arguments);
        assert!(result["isError"].is_null(), "{result}");
        result["structuredContent"].clone()
    }

    fn error(&mut self, name: &str, arguments: &Value) -> String {
        let result = self.tool(name, arguments);
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    fn end(mut self) {
        self.input = None;
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_client_begins_and_lists_the_tools() {
    let mut server = Server::start(&Folder::with(&[TRACE]), &[]);
    for (asked, given) in [("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")] {
        let answer = server.request("initialize", &json!({ "protocolVersion": asked, "capabilities": {} }));
        assert_eq!(answer["result"]["protocolVersion"], given);
    }
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!(server.request("ping", &json!({}))["result"], json!({}));
    let tools = server.request("tools/list", &json!({}))["result"]["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in ["open", "info", "count", "events", "processes", "analyze", "profile", "spans", "diff", "symbols"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    // The values of an option are those that the command takes.
    let profile = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "profile").unwrap();
    for (name, value) in [("by", "allocations"), ("rows", "callers"), ("group", "justmyapp"), ("unit", "bytes")] {
        let values = profile["inputSchema"]["properties"][name]["enum"].as_array().unwrap();
        assert!(values.contains(&json!(value)), "{name}: {values:?}");
    }
    assert_eq!(server.request("resources/list", &json!({}))["error"]["code"], -32601);
    server.end();
}

#[test]
fn what_is_no_message_is_answered_and_the_server_goes_on() {
    let mut server = Server::start(&Folder::with(&[TRACE]), &[]);
    for (line, code) in [("{", -32700), ("[]", -32600), (r#"{"jsonrpc":"2.0","id":7}"#, -32600)] {
        server.send(line);
        assert_eq!(server.answer()["error"]["code"], code, "{line}");
    }
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "x".repeat(2 << 20));
    server.send(&long);
    assert_eq!(server.answer()["error"]["code"], -32600);
    assert_eq!(server.request("tools/call", &json!({ "name": "opne" }))["error"]["code"], -32602);
    assert_eq!(server.request("ping", &json!({}))["result"], json!({}));
    server.end();
}

#[test]
fn answers_are_those_of_the_commands_page_by_page() {
    let folder = Folder::with(&[TRACE]);
    let printed: Vec<Value> =
        folder.run(&["dump", TRACE]).out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut server = Server::start(&folder, &[]);
    let opened = server.content("open", &json!({ "paths": [TRACE] }));
    assert_eq!((&opened["trace"], &opened["info"]["events"]), (&json!("t1"), &json!(printed.len())));
    let (mut rows, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let page = server.content("events", &json!({ "trace": "t1", "limit": 2, "cursor": cursor }));
        let found = page["rows"].as_array().unwrap();
        assert!(found.len() <= 2, "{page}");
        rows.extend(found.iter().cloned());
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(rows, printed);
    let counted = server.content("count", &json!({ "trace": "t1", "group_by": ["kind"] }));
    let events: u64 = counted["rows"].as_array().unwrap().iter().map(|row| row["events"].as_u64().unwrap()).sum();
    assert_eq!(events, printed.len() as u64);
    server.end();
}

#[test]
fn several_traces_are_open_and_errors_say_what_to_do() {
    let folder = Folder::with(&[TRACE, "kernel-stacks.etl"]);
    let mut server = Server::start(&folder, &[]);
    server.content("open", &json!({ "paths": [TRACE] }));
    server.content("open", &json!({ "paths": ["kernel-stacks.etl"] }));
    let changes = server.content("diff", &json!({ "before": "t1", "after": "t2", "only": ["events"], "limit": 3 }));
    assert_eq!(changes["rows"].as_array().unwrap().len(), 3);
    let cpu = server.content("analyze", &json!({ "trace": "t2", "name": "cpu" }));
    assert_eq!(cpu["rows"][0]["samples"], 3);
    let missing = server.error("analyze", &json!({ "trace": "t1", "name": "cpu" }));
    assert!(missing.contains("record the kernel flags"), "{missing}");
    assert!(server.error("analyze", &json!({ "trace": "t1", "name": "cpuu" })).contains("did you mean `cpu`?"));
    assert!(server.error("open", &json!({ "paths": ["none.etl"] })).contains("none.etl"));
    server.content("close", &json!({ "trace": "t1" }));
    assert!(server.error("info", &json!({ "trace": "t1" })).contains("open are t2"));
    server.end();
}

#[test]
fn profiles_spans_and_symbols_are_those_of_the_commands() {
    let folder = Folder::with(&["kernel-stacks.etl"]);
    let mut server = Server::start(&folder, &[]);
    server.content("open", &json!({ "paths": ["kernel-stacks.etl"], "symbols": ["."] }));
    let info = server.content("info", &json!({ "trace": "t1" }));
    assert!(info["info"]["analyses"].as_array().unwrap().contains(&json!("cpu")), "{info}");
    let json_lines = |arguments: &[&str]| -> Vec<Value> {
        let out = folder.run(&[arguments, &["--symbols=."]].concat()).out;
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let rows = server.content("profile", &json!({ "trace": "t1", "rows": "module", "unit": "samples" }))["rows"].take();
    let printed = json_lines(&["profile", "kernel-stacks.etl", "--rows=module", "--format=json"]);
    assert!(!printed.is_empty() && rows == json!(printed), "{rows}");
    for format in ["tree", "folded"] {
        let form = format!("--format={format}");
        let out = folder.run(&["profile", "kernel-stacks.etl", &form, "--fold=1", "--group=module"]).out;
        let asked = json!({ "trace": "t1", "format": format, "fold": 1, "group": "module", "limit": 1000 });
        let lines = server.content("profile", &asked)["lines"].take();
        assert_eq!(lines, json!(out.lines().map(str::trim_end).collect::<Vec<_>>()));
        assert!(!lines.as_array().unwrap().is_empty());
    }
    let first = server.content("profile", &json!({ "trace": "t1", "format": "folded", "limit": 1 }));
    assert_eq!((first["lines"].as_array().unwrap().len(), &first["next_cursor"]), (1, &json!("1")));
    let rows = server.content("symbols", &json!({ "trace": "t1" }))["rows"].take();
    assert_eq!(rows, json!(json_lines(&["symbols", "kernel-stacks.etl", "--format=json"])));
    assert!(server.content("symbols", &json!({ "trace": "t1", "format": "urls" }))["lines"].is_array());
    assert!(server.error("profile", &json!({ "trace": "t1", "rows": "callers" })).contains("need --of"));
    assert!(server.error("profile", &json!({ "trace": "t1", "by": "time" })).contains("allocations"));
    server.end();
}

#[test]
fn spans_are_listed_and_paired() {
    let folder = Folder::with(&[TRACE]);
    let mut server = Server::start(&folder, &[]);
    server.content("open", &json!({ "paths": [TRACE] }));
    for option in ["list", "tree"] {
        let printed = folder.run(&["spans", TRACE, &format!("--{option}"), "--format=json"]).out;
        let printed: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(server.content("spans", &json!({ "trace": "t1", (option): true }))["rows"], json!(printed));
        assert!(!printed.is_empty());
    }
    let pair = json!({ "trace": "t1", "pair": ["HelloWorld:CoffeeOrder/Start"], "format": "folded" });
    assert!(server.content("spans", &pair)["lines"].is_array());
    assert!(server.error("spans", &json!({ "trace": "t1", "list": true, "tree": true })).contains("--tree"));
    server.end();
}

#[test]
fn nothing_outside_the_root_is_read_and_answers_have_a_size() {
    let folder = Folder::with(&[TRACE]);
    std::fs::create_dir(folder.path().join("in")).unwrap();
    std::fs::copy(folder.path().join(TRACE), folder.path().join("in/a.etl")).unwrap();
    let mut server = Server::start(&folder, &["--root", "in", "--max-answer", "4096"]);
    assert!(server.error("open", &json!({ "paths": [TRACE] })).contains("--root"));
    assert!(server.error("open", &json!({ "paths": ["in/../hello.etl"] })).contains("--root"));
    let outside = server.error("open", &json!({ "paths": ["in/a.etl"], "symbols": ["."] }));
    assert!(outside.contains("--root") && outside.contains("hint: "), "{outside}");
    server.content("open", &json!({ "paths": ["in/a.etl"], "symbols": ["in"] }));
    let outside = server.error("profile", &json!({ "trace": "t1", "symbols": "." }));
    assert!(outside.contains("--root"), "{outside}");
    let outside = server.error("count", &json!({ "trace": "t1", "schemas": [TRACE] }));
    assert!(outside.contains("--root"), "{outside}");
    let info = server.content("info", &json!({ "trace": "t1" }));
    assert!(info.to_string().len() < 6000, "{}", info.to_string().len());
    // An analysis is a word before the files: another word would be one of them.
    for name in [folder.path().join(TRACE).display().to_string(), TRACE.to_owned(), "*.etl".to_owned()] {
        let outside = server.error("analyze", &json!({ "trace": "t1", "name": name }));
        assert!(outside.contains("is not one of"), "{outside}");
    }
    let schema = server.content("schema", &json!({ "trace": "t1", "limit": 1000 }));
    assert!(schema.to_string().len() < 6000 && schema["lines"].is_array());
    server.end();
}

#[test]
fn a_batch_is_answered_together() {
    let folder = Folder::with(&[TRACE]);
    let mut server = Server::start(&folder, &[]);
    server.content("open", &json!({ "paths": [TRACE] }));
    let call = json!({ "name": "count", "arguments": { "trace": "t1", "limit": 1 } });
    let requests = [("ping", json!({})), ("tools/call", call), ("none", json!({}))];
    let requests = (1..)
        .zip(requests)
        .map(|(id, (method, params))| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let batch: Vec<Value> = requests.chain([notification, json!(5)]).collect();
    server.send(&json!(batch).to_string());
    let answers = server.answer();
    let of = |id: Value| answers.as_array().unwrap().iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(answers.as_array().unwrap().len(), 4, "{answers}");
    assert_eq!(of(json!(1))["result"], json!({}));
    assert_eq!(of(json!(2))["result"]["structuredContent"]["rows"].as_array().unwrap().len(), 1);
    assert_eq!((&of(json!(3))["error"]["code"], &of(Value::Null)["error"]["code"]), (&json!(-32601), &json!(-32600)));
    server.end();
}

#[test]
fn a_client_that_awaits_each_answer_is_never_one_too_many() {
    let folder = Folder::with(&[TRACE]);
    let mut server = Server::start(&folder, &[]);
    server.content("open", &json!({ "paths": [TRACE] }));
    let call = |id: u64| {
        let params = json!({ "name": "close", "arguments": { "trace": format!("none{id}") } });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
    };
    (1000..1008).for_each(|id| server.send(&call(id)));
    for id in 1008..3000 {
        let answer = server.answer().to_string();
        assert!(answer.contains("no trace"), "{answer}");
        server.send(&call(id));
    }
    (0..8).for_each(|_| drop(server.answer()));
    server.end();
}

/// The command would go on for much longer than its first page, or states them at its end.
#[test]
fn a_page_has_the_notes_of_the_command() {
    let folder = Folder::with(&["damaged-truncated.etl"]);
    let printed = folder.run(&["dump", "damaged-truncated.etl"]).err;
    let mut server = Server::start(&folder, &[]);
    server.content("open", &json!({ "paths": ["damaged-truncated.etl"] }));
    let page = server.content("events", &json!({ "trace": "t1", "limit": 1 }));
    assert!(page["next_cursor"].is_string() && !printed.is_empty(), "{page}");
    // The server opens files by their whole paths.
    let path = format!("{}/", folder.path().canonicalize().unwrap().display());
    let notes = page["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap().replace(&path, ""));
    assert_eq!(notes.collect::<Vec<_>>(), printed.lines().collect::<Vec<_>>());
    server.end();
}

#[cfg(target_os = "linux")]
#[test]
fn what_ends_the_server_ends_its_commands() {
    let folder = Folder::with(&[]);
    let fifo = folder.path().join("trace.etl");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut server = Server::start(&folder, &[]);
    server.send(
        &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "open", "arguments": { "paths": ["trace.etl"] } } })
        .to_string(),
    );
    let id = server.child.id();
    let children = move || {
        let tasks = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
        let of_task = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        of_task.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let command = soon(|| children().first().cloned()).expect("a command runs");
    assert!(Command::new("kill").args(["-TERM", &id.to_string()]).status().unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(130));
    let state = || std::fs::read_to_string(format!("/proc/{command}/stat")).ok();
    let has_ended = || state().is_none_or(|stat| stat.contains(") Z ")).then_some(());
    assert!(soon(has_ended).is_some(), "{:?}", state());
}

/// Returns what is there within some seconds.
#[cfg(target_os = "linux")]
fn soon<T>(there: impl Fn() -> Option<T>) -> Option<T> {
    (0..500).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        there()
    })
}

#[test]
fn pointers_of_symbol_stores_do_not_lead_out_of_the_root() {
    let folder = super::symbols::folder();
    let (root, outside) = (folder.path().join("root"), folder.path().join("outside.sym"));
    let pointer = format!("root/store/app.pdb/{}/file.ptr", super::symbols::KEY);
    folder.write("root/trace.etl", &std::fs::read(folder.path().join("trace.etl")).unwrap());
    folder.write("root/inside.sym", super::symbols::SYMBOLS.as_bytes());
    folder.write("outside.sym", super::symbols::SYMBOLS.as_bytes());
    let answer = |target: &std::path::Path| {
        folder.write(&pointer, target.display().to_string().as_bytes());
        let mut server = Server::start(&folder, &["--root", "root"]);
        let symbols = root.join("store").display().to_string();
        let opened = json!({ "paths": [root.join("trace.etl").display().to_string()], "symbols": [symbols] });
        server.content("open", &opened);
        let profile = server.content("profile", &json!({ "trace": "t1", "format": "folded" }));
        server.end();
        (profile["lines"].to_string(), profile["notes"].to_string())
    };
    let (lines, notes) = answer(&root.join("inside.sym"));
    assert!(lines.contains("Space::outer"), "{lines} {notes}");
    let (lines, notes) = answer(&outside);
    assert!(!lines.contains("Space::outer"), "{lines}");
    assert!(notes.contains("outside.sym, which is not below a folder that may be read"), "{notes}");
}
