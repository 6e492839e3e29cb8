//! Tables: rows are chosen and sorted by their columns, and have the same forms everywhere.

use serde_json::{Value, json};

use super::Folder;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn requests_are_chosen_by_their_columns() {
    let folder = Folder::with(&["http-sys.etl"]);
    let run = |arguments: &[&str]| folder.output(&[&["requests", "-q", "http-sys.etl"], arguments].concat());
    let all = lines(&run(&["-f", "jsonl"]));
    assert!(all.len() > 2 && all[0]["total_ms"].is_number() && all[0]["stages_ms"][0]["name"].is_string(), "{all:?}");
    let statuses = |arguments: &[&str]| -> Vec<Value> {
        lines(&run(&[&["-f", "json"], arguments].concat())).into_iter().map(|row| row["status"].clone()).collect()
    };
    let known: Vec<Value> = all.iter().map(|row| row["status"].clone()).filter(Value::is_number).collect();
    let first = known[0].clone();
    let same = all.iter().filter(|row| row["status"] == first).count();
    for condition in [
        format!("status == {first}"),
        format!("Total_MS >= 0 and status in ({first}, 999)"),
        format!("status > 0 and status == {first}"),
    ] {
        assert_eq!(statuses(&["-w", &condition]).len(), same, "{condition}");
    }
    let sorted = lines(&run(&["--sort=-total_ms", "-f", "jsonl", "--fields", "total_ms,url", "-n", "2"]));
    let times: Vec<f64> = sorted.iter().map(|row| row["total_ms"].as_f64().unwrap()).collect();
    let most = all.iter().filter_map(|row| row["total_ms"].as_f64()).fold(0.0, f64::max);
    assert!(times.len() == 2 && times[0] >= most && times[1] <= times[0], "{times:?}");
    assert_eq!(sorted[0].as_object().unwrap().len(), 2);
    let relative = run(&["--relative", "-f", "csv", "--fields", "start", "-n", "1"]);
    assert!(relative.starts_with("start\n+2.25") && relative.ends_with("s\n"), "{relative}");
    let wrong = folder.run(&["requests", "http-sys.etl", "--sort", "totl_ms"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (2, ""));
    assert!(
        wrong.err.starts_with("error: --sort: there is no column `totl_ms`\nhint: did you mean `total_ms`? "),
        "{}",
        wrong.err
    );
    let mixed = folder.run(&["requests", "http-sys.etl", "-w", "status == 1 or pid == 3"]);
    assert!(mixed.code == 2 && mixed.err.contains("about columns and about events at once"), "{}", mixed.err);
}

#[test]
fn a_table_has_time_and_provider() {
    let folder = Folder::with(&["hello.etl"]);
    let run =
        |arguments: &[&str]| folder.output(&[&["table", "-q", "hello.etl", "-p", "Synth.Greeter"], arguments].concat());
    let csv = run(&["-f", "csv", "-n", "1"]);
    let head = "time,provider,EventName,Data1,Data2,Data3,Data4,extra\n";
    let row = "2026-01-02T03:04:05.0100000Z,Synth.Greeter,HelloWorld,\"Hello, world!\",1,true,greeter.rs,\n";
    assert_eq!(csv, format!("{head}{row}"));
    let third = run(&["-f", "jsonl", "-w", "Data2 == 3 and level == info", "--fields", "Data1,Data2"]);
    assert_eq!(lines(&third), [json!({"Data1": "Hello, こんにちは!", "Data2": 3})]);
    let text = run(&["--relative", "--sort=-Data2", "-n", "1", "--fields", "time,EventName,Data2"]);
    assert_eq!(text, "time         EventName   Data2\n+0.0850000s  HelloWorld  4\n");
}

#[test]
fn counts_have_shares_an_order_and_spans_of_time() {
    let folder = Folder::with(&["hello.etl"]);
    let run = |arguments: &[&str]| folder.output(&[&["count", "-q", "hello.etl"], arguments].concat());
    let text = run(&["-p", "synth.*", "-g", "provider", "--sort", "provider"]);
    assert_eq!(text, "events  percent  provider\n     4     50.0  Synth.Cafe\n     4     50.0  Synth.Greeter\n");
    assert_eq!(run(&["-g", "level", "-w", "events > 3", "-f", "csv", "--sort=-level"]), "events,level\n4,5\n4,4\n");
    let shares = run(&["-g", "level", "-f", "csv", "--fields", "percent,level"]);
    assert_eq!(shares, "percent,level\n36.36363636363637,4\n36.36363636363637,5\n27.272727272727273,\n");
    let shares = run(&["-g", "level", "-f", "jsonl", "--fields", "percent", "-n", "1"]);
    assert_eq!(shares, "{\"percent\":36.36363636363637}\n");
    let spans = run(&["-p", "synth.*", "--by-time", "50ms", "-f", "csv"]);
    let expected = "events,time\n3,2026-01-02T03:04:05.0000000Z\n5,2026-01-02T03:04:05.0500000Z\n";
    assert_eq!(spans, expected);
    let keyed = run(&["-p", "synth.*", "--by-time", "50ms", "-g", "level", "-f", "jsonl", "--relative"]);
    let row = |events: u64, time: &str, level: &str| json!({"events": events, "keys": {"time": time, "level": level}});
    let expected = [
        row(2, "+0.0000000s", "4"),
        row(1, "+0.0000000s", "5"),
        row(3, "+0.0500000s", "5"),
        row(2, "+0.0500000s", "4"),
    ];
    assert_eq!(lines(&keyed), expected);
}

/// `--top` chooses groups over all spans; in each, what is left out goes together.
#[test]
fn the_largest_groups_are_those_of_all_spans() {
    let folder = Folder::with(&["hello.etl"]);
    let run =
        |arguments: &[&str]| folder.output(&[&["count", "-q", "hello.etl", "--by-time", "50ms"], arguments].concat());
    let csv = run(&["-g", "event", "--top", "1", "-f", "csv"]);
    let (zero, fifty) = ("2026-01-02T03:04:05.0000000Z", "2026-01-02T03:04:05.0500000Z");
    let expected =
        format!("events,time,event\n2,{zero},HelloWorld\n4,{zero},(other)\n2,{fifty},HelloWorld\n3,{fifty},(other)\n");
    assert_eq!(csv, expected);
    let other = json!({"events": 4, "other": true, "keys": {"time": zero}});
    assert_eq!(lines(&run(&["-g", "event", "--top", "1", "-f", "jsonl"]))[1], other);
    assert_eq!(run(&["--top", "1", "-f", "csv"]), format!("events,time\n6,{zero}\n5,(other)\n"));
}

#[test]
fn pages_are_printed() {
    let folder = Folder::with(&[]);
    assert!(folder.output(&["help", "where"]).starts_with("# Filter expressions\n"));
    let formats = folder.output(&["help", "formats"]);
    assert!(
        formats.contains("  jsonl          One JSON object per event\n                 also as ndjson, json\n"),
        "{formats}"
    );
    assert!(folder.output(&["help", "exit-codes"]).contains("  2  could not run"));
    assert!(folder.output(&["help", "dump"]).contains("--time-zone"));
    let near = folder.run(&["help", "wher"]);
    assert!(near.code == 2 && near.err.contains("\nhint: did you mean `where`? there are where, "), "{}", near.err);
    let unknown = folder.run(&["help", "everything"]);
    assert!(unknown.code == 2 && unknown.err.contains("exit-codes"), "{}", unknown.err);
}

#[test]
fn reports_take_a_format() {
    let folder = Folder::with(&["hello.etl"]);
    for command in ["info", "buffers"] {
        let json = folder.output(&[command, "hello.etl", "--json"]);
        assert_eq!(folder.output(&[command, "hello.etl", "-f", "jsonl"]), json);
        assert_eq!(folder.output(&[command, "hello.etl", "--format", "json"]), json);
    }
}

#[test]
fn a_report_names_product_build_and_commands() {
    let folder = Folder::with(&["hello.etl", "packets-ndis.etl"]);
    let page = folder.output(&["info", "packets-ndis.etl"]);
    assert!(page.contains("  Contains    14 events with packets: `etwkit pcap FILE -o packets.pcapng`\n"), "{page}");
    let page = folder.output(&["info", "hello.etl"]);
    assert!(page.contains("  Windows     Windows 10 22H2 (10.0, build 19045, 64 bit)\n"), "{page}");
    assert!(page.contains("  Build       19041.1.amd64fre.vb_release.191206-1406\n"), "{page}");
    assert!(
        page.contains("       3  EventTrace (headers)  EventTrace, BuildInfo, PartitionInfoExtensionV2\n"),
        "{page}"
    );
    let json = folder.output(&["info", "-f", "jsonl", "hello.etl"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["product"], &json["build"]),
        (&json!("Windows 10 22H2"), &json!("19041.1.amd64fre.vb_release.191206-1406"))
    );
}

#[test]
fn times_are_in_the_zone_of_the_trace_or_since_its_start() {
    let folder = Folder::with(&["hello.etl"]);
    let first = |arguments: &[&str]| {
        folder
            .output(&[&["dump", "-q", "hello.etl", "-p", "synth.*", "-n", "1", "--fields", "time"], arguments].concat())
    };
    assert_eq!(first(&["--relative"]), "{\"time\":\"+0.0100000s\"}\n");
    assert_eq!(first(&["--time-zone", "trace"]), "{\"time\":\"2026-01-02T04:04:05.0100000+01:00\"}\n");
    assert_eq!(folder.run(&["dump", "hello.etl", "-f", "xml", "--relative"]).code, 2);
}

#[test]
fn rows_of_several_files_name_their_file() {
    let folder = Folder::with(&["http-sys.etl", "iisnode.etl", "newfile_1.etl", "newfile_2.etl"]);
    let run = |arguments: &str| folder.output(&arguments.split(' ').collect::<Vec<_>>());
    let files = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).unwrap());
        lines.map(|row: Value| row["file"].as_str().unwrap().to_owned()).collect()
    };
    // By default only if there are several; by name always.
    assert!(run("table -q newfile_1.etl -f csv -n 1").starts_with("time,provider,"));
    assert!(run("table -q newfile_1.etl newfile_2.etl -f csv -n 1").starts_with("time,file,provider,"));
    assert_eq!(
        run("table -q newfile_1.etl -f csv -n 1 --fields file,EventName"),
        "file,EventName\nnewfile_1.etl,Header\n"
    );
    let mut both = files(&run("table -q newfile_1.etl newfile_2.etl -f jsonl"));
    both.dedup();
    assert_eq!(both, ["newfile_1.etl", "newfile_2.etl"]);
    let one = files(&run("table -q newfile_1.etl newfile_2.etl -f jsonl -w file~newfile_2"));
    assert!(!one.is_empty() && one.iter().all(|file| file == "newfile_2.etl"), "{one:?}");
    // Requests.
    assert!(run("requests -q http-sys.etl -f csv").starts_with("start,activity,"));
    let requests = files(&run("requests -q http-sys.etl iisnode.etl -f jsonl"));
    let of = |name: &str| requests.iter().filter(|file| *file == name).count();
    assert_eq!((of("http-sys.etl"), of("iisnode.etl")), (5, 2));
    assert_eq!(files(&run("requests -q http-sys.etl iisnode.etl -f jsonl -w file==iisnode.etl")).len(), 2);
}

#[test]
fn a_name_that_promises_another_form_is_refused() {
    let folder = Folder::with(&["hello.etl"]);
    for (command, name) in [("count", "x.xlsx"), ("count", "x.tsv"), ("dump", "x.xlsx"), ("dump", "x.sqlite")] {
        let run = folder.run(&[command, "hello.etl", "-o", name]);
        assert!(run.code == 2 && run.err.contains("no file of this form is written"), "{command} {name}: {}", run.err);
        assert!(!folder.path().join(name).exists());
    }
    let markdown = folder.run(&["diff", "hello.etl", "hello.etl", "--most", "0", "-o", "x.md"]);
    assert_eq!(markdown.code, 0, "{}", markdown.err);
    assert!(!std::fs::read_to_string(folder.path().join("x.md")).unwrap().starts_with("table "));
}
