//! `analyze` and `profile`: what they print, and what they state when there is nothing to print.

use crate::common::Folder;

const TRACE: &str = "kernel-stacks.etl";
/// It has processes that start.
const STARTS: &str = "scheduling.etl";

#[test]
fn analyses_are_listed_with_what_to_record() {
    let run = Folder::with(&["hello.etl"]).run(&["analyze", "hello.etl", "--format", "csv"]);
    let cpu = run.out.lines().find(|line| line.starts_with("cpu,")).unwrap();
    assert_eq!(cpu, "cpu,0,\"CPU time of processes, by samples\",record the kernel flags PROC_THREAD+LOADER+PROFILE");
    assert_eq!(run.code, 0);
}

#[test]
fn an_analysis_without_its_events_says_what_to_record() {
    let folder = Folder::with(&["hello.etl"]);
    let run = folder.run(&["analyze", "cpu", "hello.etl"]);
    assert_eq!((run.code, &*run.out), (2, ""));
    assert!(
        run.err.contains("the trace does not have the events that it needs") && run.err.contains("PROFILE"),
        "{}",
        run.err
    );
    let run = folder.run(&["analyze", "cpuu", "hello.etl"]);
    assert!(
        run.err.contains("neither an analysis nor a file")
            && run.err.contains("did you mean `cpu`? the analyses are processes, threads, images, cpu"),
        "{}",
        run.err
    );
    let run = folder.run(&["analyze", "processes", "hello.etl", "--event", "x"]);
    assert!(run.err.contains("no filter of events applies") && run.err.contains("--pid, --process and"), "{}", run.err);
    let run = folder.run(&["analyze", "summary", "hello.etl", "--pid", "4"]);
    assert!(run.err.contains("no filter of events applies") && !run.err.contains("--pid"), "{}", run.err);
    let run = folder.run(&["analyze", "cpu"]);
    assert!(run.err.contains("cpu: no trace is given"), "{}", run.err);
    let run = folder.run(&["analyze", "processes", "hello.etl", "--each"]);
    assert!(run.err.contains("processes has no --each table"), "{}", run.err);
    let run = folder.run(&["profile", "hello.etl"]);
    assert_eq!((run.code, run.err.contains("no CPU samples")), (2, true));
}

#[test]
fn rows_are_chosen_like_those_of_other_tables() {
    let folder = Folder::with(&[TRACE]);
    let run = folder.run(&["analyze", "cpu", TRACE, "--format", "json", "--where", "samples > 2"]);
    assert_eq!(run.out, "{\"samples\":3,\"share\":100.0}\n");
    let run = folder.run(&["analyze", "cpu", TRACE, "--where", "samples > 3"]);
    assert!(
        run.out.lines().count() < 2 && run.err.contains("none of 1 row meets the conditions"),
        "{} {}",
        run.out,
        run.err
    );
}

#[test]
fn all_forms_of_a_profile_have_the_same_weight() {
    let folder = Folder::with(&[TRACE]);
    let out = |arguments: &[&str]| folder.run(&[&["profile", TRACE][..], arguments].concat()).out;
    let folded = out(&["--format", "folded"]);
    let weights = folded.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap());
    assert_eq!(weights.sum::<u64>(), 3);
    let viewer: serde_json::Value = serde_json::from_str(&out(&["--format", "speedscope"])).unwrap();
    let ends = viewer["profiles"].as_array().unwrap().iter().map(|thread| thread["endValue"].as_u64().unwrap());
    assert_eq!(ends.sum::<u64>(), 3);
    let table = out(&["--format", "csv"]);
    let exclusive = table.lines().skip(1).map(|line| line.split(',').next().unwrap().parse::<u64>().unwrap());
    assert_eq!(exclusive.sum::<u64>(), 3);
    let run = |arguments: &[&str]| folder.run(&[&["profile", TRACE][..], arguments].concat());
    let ms = run(&["--format", "folded", "--unit", "ms"]);
    assert_eq!((ms.code, ms.err.contains("no event states the interval")), (2, true), "{}", ms.err);
    assert!(run(&["--format", "folded", "-n", "3"]).err.contains("which this form does not have"));
    assert!(run(&["--format", "svg", "--rows", "module"]).err.contains("which this form does not have"));
    assert!(run(&["--rows", "callers"]).err.contains("need --of FUNCTION"));
    assert!(run(&["--of", "app*"]).err.contains("--of needs --rows callers"));
    assert!(run(&["--unit", "bytes"]).err.contains("CPU samples have no weight in bytes"));
    assert!(run(&["--by", "disk"]).err.contains("record the kernel flags DISK_IO+DISK_IO_INIT"));
    assert!(run(&["--counter", "1"]).err.contains("--counter needs --by pmc"));
    let none = run(&["--pid", "7"]);
    assert_eq!((none.code, none.err.contains("no sample passes the filters")), (0, true), "{}", none.err);
}

#[test]
fn times_of_rows_are_compared_and_printed_as_times() {
    let folder = Folder::with(&[STARTS]);
    let rows = |arguments: &[&str]| {
        let run = folder
            .run(&[&["analyze", "processes", STARTS, "--format", "csv", "--fields", "pid,start"], arguments].concat());
        run.out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let all = rows(&[]);
    let (_, start) = all.iter().filter_map(|row| row.split_once(',')).find(|(_, start)| !start.is_empty()).unwrap();
    // The same time in another zone, in other words.
    let whole = format!("{}+00:00", start.trim_end_matches('Z'));
    assert!(!rows(&["--where", &format!("start == '{whole}'")]).is_empty(), "{whole}");
    assert_eq!(
        rows(&["--where", &format!("start > '{whole}'")]).len()
            + rows(&["--where", &format!("start <= '{whole}'")]).len(),
        all.iter().filter(|row| !row.ends_with(',')).count()
    );
    assert!(rows(&["--relative"]).iter().any(|row| row.contains(",+")), "{all:?}");
    assert!(rows(&["--time-zone", "+02:00"]).iter().any(|row| row.ends_with("+02:00")));
}

#[test]
fn an_analysis_of_all_events_takes_windows_and_no_other_filter() {
    let folder = Folder::with(&[STARTS]);
    let run = |arguments: &[&str]| folder.run(&[&["analyze", "waits", STARTS, "--format", "csv"], arguments].concat());
    let all = run(&["--fields", "tid,run_ms"]);
    assert_eq!(all.out, "tid,run_ms\n5204,18.9\n5208,15.1\n100,5\n5204,4.5\n");
    let part = run(&["--fields", "tid,run_ms", "--since", "+4ms", "--until", "+11ms", "--pid", "5200"]);
    assert_eq!(part.out, "tid,run_ms\n5208,6.5\n5204,2\n", "{}", part.err);
    let refused = run(&["--event", "Thread/CSwitch"]);
    assert_eq!((refused.code, &*refused.out), (2, ""));
    assert!(refused.err.contains("no condition on single events applies"), "{}", refused.err);
    let rows = run(&["--where", "preemptions > 0", "--fields", "tid"]);
    assert_eq!(rows.out, "tid\n5208\n");
    let waits = run(&["--each", "--fields", "tid,reason,readied_by_tid", "--where", "wait_ms < 5"]);
    assert_eq!(waits.out, "tid,reason,readied_by_tid\n5204,UserRequest,5208\n");
    let truth = folder.run(&["analyze", "waits", STARTS, "--each", "--format", "json", "--fields", "is_complete"]);
    assert!(truth.out.starts_with("{\"is_complete\":true}\n"), "{}", truth.out);
}

#[test]
fn profiles_have_tables_of_other_rows() {
    let folder = Folder::with(&[TRACE]);
    let out = |arguments: &[&str]| folder.run(&[&["profile", TRACE, "--format", "csv"][..], arguments].concat()).out;
    insta::assert_snapshot!(
        "profile_rows",
        ["function", "module", "process", "thread"].map(|rows| out(&["--rows", rows])).join("\n")
    );
    let neighbors = ["callers", "callees"].map(|rows| out(&["--rows", rows, "--of", "app.exe+0x10"])).join("\n");
    insta::assert_snapshot!("profile_neighbors", neighbors);
    let tree = |arguments: &[&str]| folder.run(&[&["profile", TRACE, "--format", "tree"][..], arguments].concat()).out;
    let trees =
        [&[][..], &["--group", "module"], &["--group", "justmyapp"], &["--exclude", "*app.exe*"], &["--fold", "50"]];
    insta::assert_snapshot!("profile_trees", trees.map(tree).join("\n"));
}

#[test]
fn forms_for_viewers_are_what_they_are() {
    let folder = Folder::with(&[TRACE]);
    for (form, begin) in [
        ("svg", &b"<?xml version"[..]),
        ("speedscope", b"{\"$schema\":\"https://www.speedscope.app/"),
        ("firefox", b"{\"meta\":"),
        ("perfetto", b"\x0a"),
        ("chrome", b"{\"traceEvents\":["),
        ("pprof", b"\x1f\x8b"),
    ] {
        let run = folder.run(&["profile", TRACE, "--format", form, "-o", form]);
        assert_eq!(run.code, 0, "{form}: {}", run.err);
        assert!(std::fs::read(folder.path().join(form)).unwrap().starts_with(begin), "{form}");
    }
}

#[test]
fn each_analysis_is_in_the_readme_and_in_the_list_of_the_docs() {
    let folder = Folder::with(&[TRACE]);
    let list = folder.run(&["analyze", TRACE, "--format", "csv", "--fields", "name"]).out;
    let [readme, docs] = ["../../README.md", "../../docs/analyses.md"]
        .map(|path| std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap());
    let names: Vec<&str> = list.lines().skip(1).collect();
    assert!(names.contains(&"gc"), "{names:?}");
    for name in names {
        assert!(readme.contains(&format!("`{name}`")), "README.md lacks {name}");
        assert!(docs.contains(&format!("| [`{name}`](")), "docs/analyses.md lacks {name}");
    }
}

#[test]
fn one_analysis_is_made_at_a_time_and_damage_is_reported_before_none_is() {
    let folder = Folder::with(&[TRACE]);
    let both = folder.run(&["analyze", "cpu", "gc", TRACE]);
    assert!(both.code == 2 && both.err.contains("name only one analysis"), "{}", both.err);
    let bytes = std::fs::read(folder.path().join(TRACE)).unwrap();
    std::fs::write(folder.path().join("cut.etl"), &bytes[..bytes.len() - 100]).unwrap();
    for arguments in [["analyze", "gc", "cut.etl"], ["profile", "--by=disk", "cut.etl"]] {
        let run = folder.run(&arguments);
        let damage = run.err.find("truncated");
        assert!(run.code == 2 && damage.is_some() && damage < run.err.find("error: "), "{}", run.err);
    }
}

#[test]
fn times_of_threads_are_those_of_their_table() {
    let folder = Folder::with(&[STARTS]);
    let run = |arguments: &[&str]| folder.run(&[&["profile", STARTS][..], arguments].concat());
    let tables = [&["--by", "cswitch"][..], &["--by", "wall"], &["--by", "wall", "--include", "app.exe (*"]];
    let outs = tables.map(|by| run(&[by, &["--format", "folded"]].concat()).out);
    insta::assert_snapshot!("profile_thread_times", outs.join("\n"));
    let table = folder.run(&["analyze", "waits", STARTS, "--format", "csv", "--fields", "run_ms"]).out;
    let sum = |column: &str| column.lines().filter_map(|line| line.parse::<f64>().ok()).sum::<f64>();
    let weights: Vec<&str> =
        outs[0].lines().filter_map(|line| line.rsplit_once(' ')).map(|(_, weight)| weight).collect();
    assert_eq!(format!("{:.4}", sum(&table)), format!("{:.4}", sum(&weights.join("\n"))));
    for (arguments, said) in [
        (&["--by", "wall", "--provider", "x"][..], "needs all events: no condition on single events applies"),
        (&["--by", "wall", "--unit", "samples"], "slices of thread time have no weight in samples"),
        (&["--pair", "a:b"], "--pair needs --by spans"),
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.err.contains(said)), (2, true), "{}", run.err);
    }
    let without = Folder::with(&[TRACE]).run(&["profile", TRACE, "--by", "cswitch"]);
    assert!(without.code == 2 && without.err.contains("no context switches"), "{}", without.err);
    assert!(without.err.contains("record the kernel flags PROC_THREAD+LOADER+CSWITCH"), "{}", without.err);
}

#[test]
fn spans_are_weighed_within_each_other() {
    let folder = Folder::with(&["http-sys.etl", TRACE]);
    let run = |arguments: &[&str]| folder.run(&[&["profile", "http-sys.etl", "--by", "spans"][..], arguments].concat());
    let (by_name, by_pair) =
        (run(&["--format", "folded"]), run(&["--format", "folded", "--pair", "Parse:SendComplete"]));
    insta::assert_snapshot!("profile_spans", [by_name.err, by_name.out, by_pair.err, by_pair.out].join("\n"));
    let none = folder.run(&["profile", TRACE, "--by", "spans"]);
    assert!(none.code == 2 && none.err.contains("no spans"), "{}", none.err);
}

#[test]
fn analyses_that_a_trace_answers_are_those_without_advice() {
    let folder = Folder::with(&[STARTS]);
    let names = |condition: &str| {
        let run = folder.run(&["analyze", STARTS, "--fields", "name", "-f", "csv", "--where", condition]);
        run.out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let answered = names("not has to_record");
    assert!(answered.starts_with(&["processes".into(), "threads".into()]) && !answered.contains(&"gc".into()));
    assert_eq!(answered.len() + names("has to_record").len(), names("has name").len());
}

/// Two processes of this trace have the id 5200, one after the other: `app.exe` and `tool.exe`.
#[test]
fn a_process_is_chosen_by_its_name_where_all_events_are_needed() {
    let folder = Folder::with(&[STARTS]);
    let lines = |command: &[&str], filter: &[&str]| {
        let run = folder.run(&[command, filter].concat());
        assert_eq!(run.code, 0, "{command:?} {filter:?}: {}", run.err);
        run.out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    for by in ["wall", "cswitch"] {
        let command = ["profile", STARTS, "--by", by, "-f", "folded"];
        let of = |name: &str| lines(&command, &["--process", name]);
        assert!(of("app.exe").iter().all(|line| line.starts_with("app.exe (5200);")), "{:?}", of("app.exe"));
        let both = [of("app.exe"), of("tool.exe")].concat();
        assert_eq!(both, lines(&command, &["--pid", "5200"]));
        assert!(of("tool.exe").len() < both.len() && of("*").len() >= both.len());
        assert_eq!(of("app.exe"), lines(&command, &["--include", "app.exe (*"]));
        assert_eq!(lines(&command, &["--process", "app.exe", "--tid", "1"]), [""; 0]);
    }
    for name in ["waits", "threads", "ready", "cpu"] {
        let command = ["analyze", name, STARTS, "-f", "json"];
        let of = |name: &str| lines(&command, &["--process", name]);
        assert!(of("app.exe").iter().all(|line| line.contains(r#""process":"app.exe""#)), "{:?}", of("app.exe"));
        let mut rows = [of("app.exe"), of("tool.exe")].concat();
        let mut expected = lines(&command, &["--pid", "5200"]);
        rows.sort_unstable();
        expected.sort_unstable();
        if name != "cpu" {
            assert_eq!(rows, expected, "{name}");
        }
        assert!(!of("app.exe").is_empty(), "{name}");
    }
    assert!(!lines(&["analyze", "critical", STARTS, "-f", "json"], &["--process", "app.exe"]).is_empty());
}

#[test]
fn a_process_is_chosen_where_no_events_are_read() {
    let folder = Folder::with(&[STARTS]);
    let run = |filter: &[&str]| {
        let run =
            folder.run(&[&["analyze", "processes", STARTS, "-f", "csv", "--fields", "pid,process"], filter].concat());
        (run.code, run.out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>().join(";"), run.err)
    };
    assert_eq!(run(&["--pid", "5200"]).1, "5200,app.exe;5200,tool.exe");
    assert_eq!(run(&["--process", "T*.exe", "--pid", "4,5200"]).1, "5200,tool.exe");
    let (code, rows, said) = run(&["--process", "none.exe"]);
    assert_eq!((code, &*rows), (0, ""));
    assert!(said.contains("no row: none is of these processes"), "{said}");
}

#[test]
fn milliseconds_are_exact() {
    let folder = Folder::with(&[STARTS]);
    let out = |arguments: &[&str]| folder.run(arguments).out;
    let table = |form: &str| out(&["profile", STARTS, "--by", "wall", "--rows", "thread", "-f", form]);
    for line in table("csv").lines().skip(1) {
        let weight = line.split(',').next().unwrap();
        assert!(!weight.contains('.') || !weight.ends_with('0'), "{line}");
    }
    assert!(table("csv").contains("\n10,"), "{}", table("csv"));
    assert!(table("json").contains("\"weight\":10.0,"), "{}", table("json"));
    assert!(table("text").lines().any(|line| line.trim_start().starts_with("10  ")), "{}", table("text"));
    let exact = |text: &str| text.rsplit_once('.').is_none_or(|(_, decimals)| decimals.len() <= 4);
    for name in ["waits", "threads", "ready", "critical", "cpu"] {
        for line in out(&["analyze", name, STARTS, "-f", "json"]).lines() {
            let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
            let times = row.iter().filter(|(name, _)| name.split('_').any(|part| part == "ms"));
            assert!(times.clone().all(|(_, time)| exact(&time.to_string())), "{line}");
        }
    }
}

#[test]
fn people_see_the_usual_columns_of_wide_tables() {
    let folder = Folder::with(&[STARTS]);
    let run = |arguments: &[&str]| folder.run(&[&["analyze", "images", STARTS], arguments].concat());
    let text = run(&[]);
    let titles: Vec<&str> = text.out.lines().next().unwrap().split_whitespace().collect();
    assert!(titles.starts_with(&["pid", "process", "path"]) && !titles.contains(&"unload"), "{titles:?}");
    let said = "note: not shown: unload, time_stamp, checksum, pdb, pdb_id, original_name, product, product_version, company, \
                signature_level, signature_type; --fields '*' shows all columns\n";
    assert_eq!(text.err, said);
    for arguments in [&["-f", "csv"][..], &["--fields", "*", "-f", "csv"], &["--fields", "pid,unload"]] {
        let run = run(arguments);
        assert!(run.out.lines().next().unwrap().contains("unload") && run.err.is_empty(), "{arguments:?}: {}", run.err);
    }
    assert_eq!(run(&["--sort", "unload", "--where", "has unload or not has unload"]).code, 0);
}
