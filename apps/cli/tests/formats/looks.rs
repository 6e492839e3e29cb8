//! How each format looks, and what `--fields`, `--time-zone` and odd content do to it.

use super::{etwkit, fixtures};

fn text(arguments: &[&str]) -> String {
    let (folder, _) = fixtures();
    let output = etwkit(folder.path(), &[&["dump", "-q"], arguments].concat());
    assert!(output.status.code().unwrap() < 2, "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn formats_look_like_this() {
    for format in ["xml", "tracerpt-csv", "csv", "text"] {
        insta::assert_snapshot!(format!("hello_{format}"), text(&["hello.etl", "--format", format, "--first", "5"]));
    }
    for (name, file) in [
        ("string_only", "string-only.etl"),
        ("structs", "tracelogging-structs.etl"),
        ("types", "tracelogging-types.etl"),
        ("wpp", "message-items.etl"),
        ("private", "private-logger.etl"),
    ] {
        let part = ["--format", "xml", "--first", "5"];
        insta::assert_snapshot!(format!("xml_{name}"), text(&[&[file][..], &part].concat()));
    }
    insta::assert_snapshot!(
        "text_colors",
        text(&["hello.etl", "--format", "text", "--first", "4", "--color", "always"])
    );
}

/// The columns before the data fit a terminal, with the names of files, too.
#[test]
fn several_files_fit_eighty_columns() {
    let files = ["kernel-stacks.etl", "message-items.etl", "merged-relogged.etl", "tracelogging-structs.etl"];
    let lines = text(&[&files[..], &["--format", "text"]].concat());
    let head = lines.lines().next().unwrap();
    assert!(head.starts_with("2026-01-02 UTC   level process "), "{head}");
    let data = head.find("data").unwrap();
    assert!(data <= 81, "{data}: {head}");
    for line in lines.lines().skip(1).filter(|line| line.chars().count() >= data) {
        assert_eq!(line.chars().nth(data - 1), Some(' '), "{line}");
    }
    for label in [" kernel-…ks.etl ", " message…ms.etl ", " merged-…ed.etl "] {
        assert!(lines.contains(label), "{label}: {lines}");
    }
    // Two providers without a name begin with the same digits.
    assert!(lines.contains(" 5e7a…0001/EventID(1)") && lines.contains(" 5e7a…0006/Message(11)"), "{lines}");
    let alone = text(&["message-items.etl", "--format", "text"]);
    assert!(alone.contains(" 5e7a1000…/Message(11)"), "{alone}");
}

/// tracefmt has no lines for the events of the kernel and of the log itself.
#[test]
fn the_first_lines_of_tracefmt_are_counted() {
    let run = |options: &[&str]| text(&[&["hello.etl", "--format", "tracefmt"], options].concat());
    let (first, last) = (run(&["--first", "2"]), run(&["--last", "1", "--where", "level > 0"]));
    let all = run(&[]);
    assert_eq!(all.lines().take(2).collect::<Vec<_>>(), first.lines().collect::<Vec<_>>());
    assert_eq!((first.lines().count(), last.lines().next()), (2, all.lines().last()));
}

#[test]
fn nothing_is_still_a_document() {
    let none = |format| text(&["hello.etl", "--format", format, "--first", "0"]);
    assert_eq!(none("xml"), "<Events>\n</Events>\n");
    assert!(none("csv").starts_with("time,raw_time,provider,event,") && none("csv").lines().count() == 1);
    assert!(none("tracerpt-csv").starts_with("Event Name,") && none("tracerpt-csv").lines().count() == 1);
    assert_eq!(none("jsonl"), "");
    assert!(none("text").starts_with("2026-01-02 UTC   level ") && none("text").lines().count() == 1);
}

#[test]
fn fields_are_picked_and_ordered() {
    let picked = |format: &str, fields: &str| {
        let arguments = ["hello.etl", "--provider", "Synth.Greeter", "--first", "1", "--format", format];
        text(&[&arguments[..], &["--fields", fields]].concat())
    };
    assert_eq!(picked("csv", "Greeting,pid,Nothing"), "Greeting,pid,Nothing\n\"Hello, world!\",1200,\n");
    assert_eq!(picked("text", "Greeting,pid,Polite"), "Hello, world!\t1200\ttrue\n");
    assert_eq!(
        picked("jsonl", "Polite,Nothing,pid,fields.Count,event"),
        "{\"Polite\":true,\"pid\":1200,\"fields.Count\":1,\"event\":\"HelloWorld\"}\n"
    );
    let structs = ["tracelogging-structs.etl", "--format", "csv", "--fields", "fields", "--last", "1"];
    assert!(text(&structs).starts_with("fields\n\"{"), "{}", text(&structs));
}

#[test]
fn zones_shift_the_times_of_events() {
    let zoned =
        |format: &str, zone: &str| text(&["hello.etl", "--first", "1", "--format", format, "--time-zone", zone]);
    assert!(zoned("jsonl", "+05:30").contains("\"time\":\"2026-01-02T08:34:05.0000000+05:30\""));
    assert!(zoned("xml", "America/New_York").contains("SystemTime=\"2026-01-01T22:04:05.000000000-05:00\""));
    assert!(zoned("text", "utc").contains("2026-01-02 UTC   level process    tid event"));
    assert!(
        zoned("text", "+05:30").starts_with("2026-01-02+05:30 level ")
            && zoned("text", "+05:30").contains("\n08:34:05.0000000 ")
    );
    assert!(zoned("csv", "Europe/Paris").contains("\n2026-01-02T04:04:05.0000000+01:00,"));
}

#[test]
fn what_does_not_fit_is_an_error_with_the_whole_payload() {
    let (folder, _) = fixtures();
    let schema = "provider \"P\" {5e7a1000-0001-4b1d-9c0d-e7a51d0c0001}\nevent id 100 {\n Number u32\n Text utf16\n More u64\n}\n";
    std::fs::write(folder.path().join("long.schema"), schema).unwrap();
    let run = |format: &str| {
        let arguments =
            ["dump", "-q", "private-logger.etl", "--schemas", "long.schema", "--last", "1", "--format", format];
        String::from_utf8(etwkit(folder.path(), &arguments).stdout).unwrap()
    };
    let payload = "130000006500760065006E00740020003100390020006F00660020006100200070006C00610069006E002000700072006F00760069006400650072000000";
    let expected = format!(
        "\t<ProcessingErrorData>\n\t\t<ErrorCode>15005</ErrorCode>\n\t\t<DataItemName>More</DataItemName>\n\
         \t\t<EventPayload>{payload}</EventPayload>\n\t</ProcessingErrorData>\n"
    );
    assert!(run("xml").contains(&expected), "{}", run("xml"));
    assert!(run("tracerpt-csv").ends_with(&format!(", 0x{payload}\n")), "{}", run("tracerpt-csv"));
    let short = schema.replace(" More u64\n", "").replace(" Text utf16\n", "");
    std::fs::write(folder.path().join("long.schema"), short).unwrap();
    let comment = format!("<!-- bytes after the last field: {} -->", &payload[8..]);
    assert!(
        run("xml").contains("<Data Name=\"Number\">      19</Data>\n") && run("xml").contains(&comment),
        "{}",
        run("xml")
    );
}

#[test]
fn the_kernel_has_the_names_of_its_own_classes() {
    let Some(corpus) = etwkit_corpus::folder() else { return };
    let arguments = ["dump", "-q", "sawbuck/process_data_64_v3.etl", "--format", "xml", "--first", "3"];
    let text = String::from_utf8(etwkit(&corpus, &arguments).stdout).unwrap();
    let event = text.rsplit("<Event ").next().unwrap();
    let names: Vec<&str> =
        event.lines().filter_map(|line| line.trim().strip_prefix("<Data Name=\"")?.split('"').next()).collect();
    let expected = [
        "UniqueProcessKey",
        "ProcessId",
        "ParentId",
        "SessionId",
        "ExitStatus",
        "DirectoryTableBase",
        "UserSID",
        "ImageFileName",
        "CommandLine",
    ];
    assert_eq!(names, expected, "{event}");
    for part in [
        "<Data Name=\"ProcessId\">0x4</Data>",
        "<Data Name=\"ExitStatus\">     259</Data>",
        "<Opcode>DCStart</Opcode>\n\t\t<Provider>MSNT_SystemTrace</Provider>\n",
        ">Process</EventName>",
        "<EventGuid>{3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}</EventGuid>",
        "<Provider Guid=\"{9e814aad-3204-11d2-9a82-006008a86939}\" />",
    ] {
        assert!(event.contains(part), "{part}: {event}");
    }
}

#[test]
fn messages_have_their_number_and_their_text() {
    let Some(corpus) = etwkit_corpus::folder() else { return };
    let arguments = ["dump", "-q", "wpp/wppenum-sample.etl", "--symbols", "wpp/tmf", "--format", "xml", "--last", "1"];
    let text = String::from_utf8(etwkit(&corpus, &arguments).stdout).unwrap();
    let expected = "\t\t<MessageNumber>11</MessageNumber>\n\t\t<FormattedString>set=[1,3]</FormattedString>\n";
    assert!(text.contains(expected), "{text}");
    assert!(!text.contains("<RenderingInfo"), "{text}");
}

#[test]
fn what_would_do_nothing_is_refused() {
    let (folder, _) = fixtures();
    let file = "hello.etl";
    for (arguments, part) in [
        (&["--format", "xml", "--fields", "time"][..], "--fields"),
        (&["--format", "tracerpt-csv", "--time-zone", "local"], "--time-zone"),
        (&["--format", "text", "--prefix", "x"], "--prefix"),
        (&["--time-zone", "Middle/Earth"], "Europe/Paris"),
        (&["--format", "xml", "-o", "out/"], "folder"),
        (&["--format", "csv", "-o", "out/", "--fields", "time"], "--fields"),
    ] {
        let output = etwkit(folder.path(), &[&["dump", file], arguments].concat());
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
}

#[test]
fn content_cannot_break_a_document_or_command_a_terminal() {
    let header = etwkit_synth::LogfileHeader {
        session_name: etwkit_synth::HeaderText::Whole("<a>&\"\u{1b}]0;evil\u{7}\u{FFFE}\r\n,b".into()),
        ..etwkit_synth::LogfileHeader::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let bytes = etwkit_synth::TraceBuilder::new(header).build().bytes;
    std::fs::write(folder.path().join("evil.etl"), bytes).unwrap();
    let run = |format: &str| {
        String::from_utf8(etwkit(folder.path(), &["dump", "-q", "--format", format, "evil.etl"]).stdout).unwrap()
    };
    let xml = run("xml");
    let name = "&lt;a&gt;&amp;&quot;\u{241b}]0;evil\u{2407}\u{FFFD}&#13;\n,b";
    assert!(xml.contains(&format!("<Data Name=\"SessionNameString\">{name}</Data>")), "{xml}");
    assert_eq!(super::grammar::check(xml.as_bytes(), "evil"), 1);
    for format in ["text", "tracerpt-csv", "tracefmt"] {
        assert!(!run(format).contains('\x1b'), "{format}");
    }
    assert!(run("tracerpt-csv").contains("\"<a>&\"\"\\u{1b}]0;evil"), "{}", run("tracerpt-csv"));
    let table = run("csv");
    let rows: Vec<_> = csv::Reader::from_reader(table.as_bytes()).records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 1);
    let with_colors =
        etwkit(folder.path(), &["dump", "-q", "--format", "text", "--color", "always", "evil.etl"]).stdout;
    assert!(!String::from_utf8(with_colors).unwrap().contains("\u{1b}]0"));
}
