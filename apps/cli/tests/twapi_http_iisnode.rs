//! What documents of TWAPI, HTTP.sys and iisnode print: a session, a dissected event, a report.
//! What these documents print is retyped here as facts; the pages of `docs/` are run unchanged.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};
use std::process::Command;

use quick_xml::events::Event;
use quick_xml::reader::Reader;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The output of a run that must succeed, from the folder of the project.
fn etwkit(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_etwkit")).current_dir(root()).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The lines of the document, in its order.
const TWAPI_LINES: [&str; 13] = [
    "130410917799024641,0,ExecutionTrace,Operation enter Command {{http::geturl http://www.google.com}} Code {{}} Result {{}} Context {{}}",
    "130410917799024641,0,ExecutionTrace,Operation enterstep Command {{variable http}} Code {{}} Result {{}} Context {{http::geturl http://www.google.com}}",
    "130410917800274686,KERNEL_NETWORK_TASK_TCPIP,Connection attempted.,PID 6780 size 0 daddr 74.125.236.80 saddr 192.168.1.128 dport 80 sport 17371 mss 1430 sackopt 1 tsopt 0 wsopt 1 rcvwin 65780 rcvwinscale 8 sndwinscale 6 seqnum 0 connid 0",
    "130410917801055852,0,ExecutionTrace,Operation leavestep Command {{info exists state(status)}} Code 0 Result 1 Context {{wait ::http::1}}",
    "130410917801055852,0,ExecutionTrace,Operation enterstep Command {{vwait ::http::1(status)}} Code {{}} Result {{}} Context {{wait ::http::1}}",
    "130410917801368380,KERNEL_NETWORK_TASK_TCPIP,Data sent.,PID 6780 size 187 daddr 74.125.236.80 saddr 192.168.1.128 dport 80 sport 17371 startime 1015872 endtime 1015872 seqnum 0 connid 0",
    "130410917801368380,KERNEL_NETWORK_TASK_TCPIP,Data received.,PID 6780 size 542 daddr 74.125.236.80 saddr 192.168.1.128 dport 80 sport 17371 seqnum 0 connid 0",
    "130410917801368380,0,ExecutionTrace,Operation leavestep Command {{tkcon_tcl_gets sock756 state(http)}} Code 0 Result 18 Context {{http::Event sock756 ::http::1}}",
    "130410917801368380,0,ExecutionTrace,Operation leavestep Command {{uplevel 1 tkcon_tcl_gets {sock756 state(http)}}} Code 0 Result 18 Context {{::tkcon_gets sock756 state(http)}}",
    "130410917802149649,0,ExecutionTrace,Operation enterstep Command {{return ::http::1}} Code {{}} Result {{}} Context {{http::geturl http://www.google.com}}",
    "130410917802149649,0,ExecutionTrace,Operation leavestep Command {{return ::http::1}} Code 2 Result ::http::1 Context {{http::geturl http://www.google.com}}",
    "130410917802149649,0,ExecutionTrace,Operation leave Command {{http::geturl http://www.google.com}} Code 0 Result ::http::1 Context {{}}",
    "130410917802462189,KERNEL_NETWORK_TASK_TCPIP,Disconnect issued.,PID 6780 size 0 daddr 74.125.236.80 saddr 192.168.1.128 dport 80 sport 17371 seqnum 0 connid 0",
];

#[test]
fn twapi_prints_the_lines_of_the_document() {
    for fields in ["-timecreated -taskname -opcodename -properties", "timecreated,taskname,opcodename,properties"] {
        let out = etwkit(&["dump", "fixtures/twapi.etl", "--format", "twapi", "--fields", fields]);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], "-timecreated,-taskname,-opcodename,-properties");
        assert!(lines[1].contains(",EventTrace,Header,BufferSize 65536 "), "{}", lines[1]);
        assert_eq!(lines[2..], TWAPI_LINES);
    }
}

#[test]
fn twapi_has_23_fields_and_its_defaults() {
    let all = "-eventid -version -channel -level -opcode -task -keywordmask -timecreated -tid -pid -providerguid -usertime \
               -kerneltime -providername -eventguid -channelname -levelname -opcodename -taskname -keywords -properties \
               -message -sid";
    let dump = |more: &[&str]| etwkit(&[&["dump", "fixtures/twapi.etl", "--format", "twapi"], more].concat());
    let out = dump(&["--fields", all, "--first", "3"]);
    assert_eq!(out.lines().next().unwrap().split(',').collect::<Vec<_>>(), all.split_whitespace().collect::<Vec<_>>());
    let row: Vec<&str> = out.lines().nth(2).unwrap().split(',').collect();
    let class = "{D5B52E95-8447-40C1-B316-539894449B36}";
    let provider = "{B358E9D9-4D82-4A82-A129-BAC098C54746}";
    let start = ["0", "0", "0", "0", "3", "0", "0x0", "130410917799024641", "6784", "6780", provider, "0", "0"];
    assert_eq!(row[..13], start);
    assert_eq!(row[13..20], ["TwapiETWProvider", class, "0", "Log Always", "ExecutionTrace", "0", ""]);
    assert_eq!(row[21], format!("Properties: {}", row[20]));
    let usual = "-timecreated,-levelname,-providername,-pid,-taskname,-opcodename,-message";
    assert_eq!(dump(&["--first", "0"]).trim_end(), usual);
    let wrong = Command::new(env!("CARGO_BIN_EXE_etwkit"))
        .args(["dump", "x.etl", "--format", "twapi", "--fields", "-pid,-nothing"])
        .output()
        .unwrap();
    let error = String::from_utf8(wrong.stderr).unwrap();
    assert!(wrong.status.code() == Some(2) && error.contains("-nothing") && error.contains("-eventid"), "{error}");
}

#[test]
fn the_header_report_is_the_part_of_the_documents_that_a_file_holds() {
    let document = r"logfile {C:\src\twapi\twapi\tcl\http.etl} trace_name MyHttpTrace trace_guid {{8B5576C2-BB33-11E3-BEF3-81AE96BEBD84}} buffer_size 64 min_buffers 8 max_buffers 30 max_file_size 1 logfile_mode 4194306 flush_timer 0 enable_flags 0 clock_resolution 2 age_limit 0 buffer_count 9 free_buffers 9 events_lost 0 buffers_written 8 log_buffers_lost 0 real_time_buffers_lost 0 logger_tid 7012";
    let pairs = |text: &str| {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        words.chunks(2).map(|pair| pair.join(" ")).collect::<Vec<_>>()
    };
    let session_only = [
        "trace_guid",
        "min_buffers",
        "max_buffers",
        "flush_timer",
        "enable_flags",
        "age_limit",
        "buffer_count",
        "free_buffers",
        "real_time_buffers_lost",
        "logger_tid",
    ];
    let mut known = pairs(document);
    known.retain(|pair| !session_only.contains(&pair.split(' ').next().unwrap()));
    assert_eq!(pairs(etwkit(&["twapi-header", "fixtures/twapi.etl"]).trim_end()), known);
}

/// Path and trimmed text of each element with a text, and of each attribute, in the order of the text.
fn elements(xml: &str) -> Vec<(String, String)> {
    let mut reader = Reader::from_str(xml);
    let (mut path, mut all) = (Vec::<String>::new(), Vec::new());
    loop {
        let event = reader.read_event().unwrap();
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            path.push(tag.local_name().into_inner().to_owned());
            for attribute in tag.attributes().map(Result::unwrap) {
                let key = format!("{}@{}", path.join("/"), attribute.key.into_inner());
                all.push((key, attribute.value.to_string()));
            }
        }
        match event {
            Event::Text(text) if !text.trim().is_empty() => all.push((path.join("/"), text.trim().to_owned())),
            Event::End(_) | Event::Empty(_) => drop(path.pop()),
            Event::Eof => return all,
            _ => {}
        }
    }
}

#[test]
fn the_parse_event_is_that_of_the_document_element_by_element() {
    const FACTS: [(&str, &str); 31] = [
        ("Event@xmlns", "http://schemas.microsoft.com/win/2004/08/events/event"),
        ("Event/System/Provider@Name", "Microsoft-Windows-HttpService"),
        ("Event/System/Provider@Guid", "{dd5ef90a-6398-47a4-ad34-4dcecdef795f}"),
        ("Event/System/EventID", "2"),
        ("Event/System/Version", "0"),
        ("Event/System/Level", "4"),
        ("Event/System/Task", "1"),
        ("Event/System/Opcode", "12"),
        ("Event/System/Keywords", "0x8000000000000002"),
        ("Event/System/TimeCreated@SystemTime", "2006-09-06T16:59:22.251258100Z"),
        ("Event/System/Correlation@ActivityID", "{80000002-0001-fb00-0000-000000000000}"),
        ("Event/System/Execution@ProcessID", "4"),
        ("Event/System/Execution@ThreadID", "1276"),
        ("Event/System/Execution@ProcessorID", "1"),
        ("Event/System/Execution@KernelTime", "15"),
        ("Event/System/Execution@UserTime", "0"),
        ("Event/System/Channel", "Microsoft-Windows-HttpService/Trace"),
        ("Event/EventData/Data@Name", "RequestObj"),
        ("Event/EventData/Data", "0xFFFFFA8001BB5320"),
        ("Event/EventData/Data@Name", "HttpVerb"),
        ("Event/EventData/Data", "4"),
        ("Event/EventData/Data@Name", "Url"),
        ("Event/EventData/Data", "http://localhost:80/RequestQueueTests/"),
        ("Event/RenderingInfo@Culture", "en-US"),
        ("Event/RenderingInfo/Level", "Information"),
        ("Event/RenderingInfo/Opcode", "Parse"),
        ("Event/RenderingInfo/Keywords/Keyword", "Flagged on all HTTP events dealing with request processing"),
        ("Event/RenderingInfo/Task", "HTTP Request Trace Task"),
        // The document cut the URL here after the host: its message has `http://localhost:80/` where its data has more.
        (
            "Event/RenderingInfo/Message",
            "Parsed request (request pointer 0xFFFFFA8001BB5320, method 4) with URI http://localhost:80/RequestQueueTests/.",
        ),
        ("Event/RenderingInfo/Channel", "HTTP Service Channel"),
        ("Event/RenderingInfo/Provider", "Microsoft-Windows-HttpService"),
    ];
    let facts: Vec<(String, String)> = FACTS.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect();
    let arguments = ["dump", "fixtures/http-sys.etl", "--schemas", "docs/http-sys.man", "--format", "xml"];
    let xml = etwkit(&[&arguments[..], &["--id", "2", "--where", "pid = 4 and tid = 1276"]].concat());
    let event = xml.trim().strip_prefix("<Events>").unwrap().strip_suffix("</Events>").unwrap();
    assert_eq!(elements(event), facts);
    assert!(event.contains("<Computer />"));
    // Without the manifest, too, all but the message and the titles is there.
    let plain = etwkit(&["dump", "fixtures/http-sys.etl", "--format", "xml", "--where", "tid = 1276"]);
    let plain = elements(plain.trim().strip_prefix("<Events>").unwrap().strip_suffix("</Events>").unwrap());
    let numbers = |all: &[(String, String)]| {
        let wanted =
            |(path, _): &&(String, String)| !path.contains("RenderingInfo") && !path.ends_with("System/Channel");
        all.iter().filter(wanted).cloned().collect::<Vec<_>>()
    };
    assert_eq!(numbers(&plain), numbers(&facts));
}

#[test]
fn requests_tables_and_headers_look_like_this() {
    insta::assert_snapshot!("iisnode_xml", etwkit(&["dump", "fixtures/iisnode.etl", "--format", "xml"]));
    insta::assert_snapshot!("iisnode_table", etwkit(&["table", "fixtures/iisnode.etl", "--provider", "iisnode"]));
    insta::assert_snapshot!("iisnode_requests", etwkit(&["requests", "fixtures/iisnode.etl"]));
    insta::assert_snapshot!("http_requests", etwkit(&["requests", "fixtures/http-sys.etl"]));
    insta::assert_snapshot!("http_requests_csv", etwkit(&["requests", "fixtures/http-sys.etl", "--format", "csv"]));
    insta::assert_snapshot!("http_table_csv", etwkit(&["table", "fixtures/http-sys.etl", "--format", "csv"]));
    insta::assert_snapshot!("twapi_usual", etwkit(&["dump", "fixtures/twapi.etl", "--format", "twapi"]));
    let fields = "-kerneltime,-usertime,-providername,-eventguid,-channelname,-levelname,-opcodename,-taskname,-keywords,\
                  -message,-sid";
    for name in
        ["tracelogging-structs", "event-info", "private-logger", "string-only", "headers-all-kinds", "extended-items"]
    {
        let file = format!("fixtures/{name}.etl");
        let out = etwkit(&["dump", &file, "--format", "twapi", "--fields", fields, "--last", "12"]);
        insta::assert_snapshot!(format!("twapi_{name}"), out);
    }
    for command in ["table", "requests", "twapi-header"] {
        insta::assert_snapshot!(format!("help_{command}"), etwkit(&[command, "-h"]));
    }
}

#[test]
fn requests_of_several_traces_are_joined() {
    let both = etwkit(&["requests", "fixtures/iisnode.etl", "fixtures/http-sys.etl", "--format", "csv"]);
    assert_eq!(csv::Reader::from_reader(both.as_bytes()).records().map(Result::unwrap).count(), 5 + 2);
    // A text of iisnode with the activity of a request joins it, and the row has what each of the two knows.
    let noon = etwkit_synth::time::filetime(2006, 9, 6) + etwkit_synth::time::time_of_day(16, 59, 23);
    // The fixture's server was booted an hour before its session, which began three seconds earlier.
    let boot_time = noon - (3600 + 3) * etwkit_synth::time::TICKS_PER_SECOND;
    let header = etwkit_synth::LogfileHeader { start_time: noon, boot_time, ..<_>::default() }.on_system_time();
    let text = "{80000005-0001-FB00-B63F-84710C7967BB}: iisnode failed";
    let iisnode = etwkit_synth::Guid::new(0x1040_dfc4_61db_484a_9530_584b_2735_f7f7);
    let event = etwkit_synth::ModernEvent::string_only(iisnode, text).level(2).at(noon + 300_000);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("iisnode.etl");
    let rows = |header: etwkit_synth::LogfileHeader| -> Vec<csv::StringRecord> {
        let buffer = etwkit_synth::Buffer::on(0).event(event.clone());
        std::fs::write(&file, etwkit_synth::TraceBuilder::new(header).buffer(buffer).build().bytes).unwrap();
        let both = etwkit(&["requests", file.to_str().unwrap(), "fixtures/http-sys.etl", "--format", "csv"]);
        csv::Reader::from_reader(both.as_bytes()).records().map(Result::unwrap).collect()
    };
    let other = etwkit_synth::LogfileHeader { boot_time: boot_time - 1_000_000_000, ..header.clone() };
    assert_eq!(rows(other).len(), 6, "an activity of another server is another request");
    let rows = rows(header);
    let joined = rows.iter().find(|row| row[8] == *"iisnode failed").unwrap();
    assert_eq!((rows.len(), &joined[4], &joined[6]), (5, "POST", "404"));
    assert!(joined[9].contains("Parse 7.0000; iisnode failed 0.5000; Deliver"), "{}", &joined[9]);
    // The second column names the files of its events in their order, as several are read.
    assert_eq!(joined[1], format!("fixtures/http-sys.etl; {}", file.display()));
    let none = etwkit(&["requests", "fixtures/http-sys.etl", "--id", "65535"]);
    assert_eq!(none.lines().count(), 1, "{none}");
}

/// A filter chooses requests; each is as it is without the filter.
#[test]
fn filters_choose_whole_requests() {
    let rows = |options: &[&str]| {
        let text = etwkit(&[&["requests", "fixtures/http-sys.etl", "--format", "csv"], options].concat());
        csv::Reader::from_reader(text.as_bytes()).records().map(Result::unwrap).collect::<Vec<_>>()
    };
    let all = rows(&[]);
    let with = |column: usize, text: &str| -> Vec<_> {
        let chosen: Vec<_> = all.iter().filter(|row| row[column].contains(text)).cloned().collect();
        assert!(!chosen.is_empty() && chosen.len() < all.len(), "{text}");
        chosen
    };
    assert_eq!(rows(&["--where", "StatusCode == 200"]), with(5, "200"));
    assert_eq!(
        rows(&["--where", "Url ~ 'index|form'", "--threads", "1"]),
        [with(4, "index"), with(4, "form")].concat()
    );
    assert_eq!(rows(&["--event", "*/SrvdFrmCache"]), with(8, "SrvdFrmCache"));
    assert_eq!(rows(&["--pid", "4"]).len(), all.iter().filter(|row| !row[8].is_empty()).count());
    // A window in the midst of a request.
    let window = ["--since", "2006-09-06T16:59:23.052Z", "--until", "2006-09-06T16:59:23.054Z"];
    assert_eq!(rows(&window), with(4, "/form"));
    assert_eq!(rows(&["--where", "StatusCode == 200", "--first", "1"]), with(5, "200")[..1]);
}

/// Without the file's header nothing states what its time stamps count.
#[test]
fn requests_without_a_clock_say_so() {
    let bytes = std::fs::read(root().join("fixtures/http-sys.etl")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("headless.etl");
    let buffer = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    std::fs::write(&file, &bytes[buffer..]).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_etwkit")).arg("requests").arg(&file).output().unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("note: no requests: the clock of the trace is not known"), "{said}");
    assert!(!said.contains("filter"), "{said}");
}

#[test]
fn the_first_and_the_last_rows_are_those_of_all() {
    for (command, file) in [("requests", "fixtures/http-sys.etl"), ("table", "fixtures/iisnode.etl")] {
        let rows = |options: &[&str]| {
            let text = etwkit(&[&[command, file, "--format", "csv"], options].concat());
            csv::Reader::from_reader(text.as_bytes()).records().map(Result::unwrap).collect::<Vec<_>>()
        };
        let all = rows(&[]);
        assert!(all.len() > 3, "{command}");
        let same = |some: Vec<csv::StringRecord>, of: &[csv::StringRecord]| {
            // The table has as many columns as its rows need.
            let short = |rows: &[csv::StringRecord]| -> Vec<Vec<String>> {
                let cells =
                    |row: &csv::StringRecord| row.iter().map(str::to_owned).filter(|cell| !cell.is_empty()).collect();
                rows.iter().map(cells).collect()
            };
            assert_eq!(short(&some), short(of), "{command}");
        };
        same(rows(&["--first", "2"]), &all[..2]);
        same(rows(&["--last", "2"]), &all[all.len() - 2..]);
        same(rows(&["--first", "3", "--last", "1"]), &all[2..3]);
        same(rows(&["--first", "999", "--threads", "3"]), &all);
        same(rows(&["--threads", "1"]), &all);
    }
}

#[test]
fn requests_of_iis_have_their_substatus() {
    use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};
    let header = LogfileHeader::default().on_system_time();
    let context = Guid::new(0x8000_0007_0000_ff00_b63f_8471_0c79_67bb);
    let event = |id: u16, ticks: i64, payload: Payload| {
        let iis = ModernEvent::new(Guid::new(0x3a2a_4e84_4c21_4981_ae10_3fda_0d9b_0f83));
        iis.id(id).version(1).level(4).at(header.after(ticks)).payload(payload)
    };
    let begin = Payload::new().guid(context).u32(1).utf16z("Pool").u64(2).u64(3).utf16z("http://a/b").ansi_z("PUT");
    let end = Payload::new().guid(context).u32(10).u32(20).u32(404).u16(3);
    let events = [event(10_000, 1_000, begin), event(10_001, 26_000, end)];
    let trace = TraceBuilder::new(header.clone()).buffer(Buffer::on(0).events(events)).build();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("iis.etl");
    std::fs::write(&file, trace.bytes).unwrap();
    let table = etwkit(&["requests", file.to_str().unwrap(), "--format", "csv"]);
    let row = table.lines().nth(1).unwrap().split(',').collect::<Vec<_>>();
    let id = "{80000007-0000-ff00-b63f-84710c7967bb}";
    assert_eq!(row[1..8], [id, "", "PUT", "http://a/b", "404.3", "2.5000", ""]);
    assert_eq!(row[8], "GENERAL_REQUEST_START 2.5000; GENERAL_REQUEST_END");
    assert_eq!(table.lines().count(), 2);
}

#[test]
fn requests_of_a_real_server_are_whole() {
    let Some(file) = etwkit_corpus::path("tx/HTTP_Server.etl") else { return };
    let table = etwkit(&["requests", file.to_str().unwrap(), "--format", "csv"]);
    let rows: Vec<csv::StringRecord> =
        csv::Reader::from_reader(table.as_bytes()).records().map(Result::unwrap).collect();
    // HTTP.sys states about each request that it parsed one.
    let parsed = etwkit(&["dump", "-q", file.to_str().unwrap(), "--event", "*/Parse"]).lines().count();
    assert_eq!(rows.len(), parsed);
    for row in &rows {
        assert!((1..6).all(|column| !row[column].is_empty()), "{row:?}");
        assert!(row[8].contains("RecvReq ") && row[8].contains("; Parse ") && row[8].contains("; Deliver "), "{row:?}");
    }
}

/// Every `$ etwkit ...` of a page in a `console` block is run unchanged; what it prints is below it.
#[cfg(unix)]
fn check_page(name: &str) {
    let page = std::fs::read_to_string(root().join("docs").join(name)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for shared in ["fixtures", "docs"] {
        std::os::unix::fs::symlink(root().join(shared), folder.path().join(shared)).unwrap();
    }
    let bin = Path::new(env!("CARGO_BIN_EXE_etwkit")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let blocks = page.split("```console\n").skip(1).map(|block| block.split("```").next().unwrap());
    let mut commands = 0;
    for step in blocks.flat_map(|block| block.split("$ ").skip(1)) {
        let (command, printed) = step.split_once('\n').unwrap();
        let mut shell = Command::new("sh");
        let output = shell
            .current_dir(folder.path())
            .env("PATH", &path)
            .args(["-c", &format!("{command} 2>&1")])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), printed, "{name}: {command}");
        commands += 1;
    }
    assert!(commands > 2, "{name} has no commands");
}

#[cfg(unix)]
#[test]
fn pages_print_what_they_say() {
    ["twapi.md", "http-sys.md", "iisnode.md"].into_iter().for_each(check_page);
}
