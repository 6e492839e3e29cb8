//! The order of elements and attributes in tracerpt's XML, as a small grammar (`docs/xml.md`).

use std::io::BufRead;

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// An element.
#[derive(Debug, Default)]
struct Node {
    name: String,
    attributes: Vec<String>,
    children: Vec<Node>,
}

impl Node {
    fn new(tag: &BytesStart<'_>) -> Self {
        let attributes = tag.attributes().map(|attribute| attribute.unwrap().key.into_inner().to_owned()).collect();
        Self { name: tag.name().into_inner().to_owned(), attributes, children: Vec::new() }
    }

    fn names(&self) -> Vec<&str> {
        self.children.iter().map(|child| child.name.as_str()).collect()
    }

    fn has(&self, attributes: &[&str]) -> bool {
        self.attributes == attributes
    }
}

/// Reads a document and checks each `<Event>` in it; returns how many there are.
pub(crate) fn check(input: impl BufRead, what: &str) -> u64 {
    let mut reader = Reader::from_reader(input);
    let (mut buffer, mut open, mut events, mut documents) = (Vec::new(), Vec::<Node>::new(), 0, 0);
    loop {
        let event = reader.read_event_into(&mut buffer).unwrap_or_else(|error| panic!("{what}: {error}"));
        match event {
            Event::Start(tag) => open.push(Node::new(&tag)),
            Event::Empty(tag) => close(&mut open, Node::new(&tag), what, &mut events),
            Event::End(_) => {
                let node = open.pop().unwrap();
                if open.is_empty() {
                    assert_eq!(node.name, "Events", "{what}");
                    documents += 1;
                } else {
                    close(&mut open, node, what, &mut events);
                }
            }
            Event::Text(text) => {
                let bad = |c: char| c < ' ' && !matches!(c, '\t' | '\n') || matches!(c, '\u{FFFE}' | '\u{FFFF}');
                assert!(!text.xml10_content().contains(bad), "{what}: a character that XML does not have");
            }
            Event::GeneralRef(reference) => {
                let named = ["amp", "lt", "gt", "quot"].contains(&&*reference.clone().into_inner());
                let number = reference.resolve_char_ref().ok().flatten();
                assert!(
                    named || matches!(number, Some('\r' | '\t' | '\n' | '\u{7F}'..='\u{9F}')),
                    "{what}: {reference:?}"
                );
            }
            Event::Eof => break,
            _ => {}
        }
        buffer.clear();
    }
    assert!(open.is_empty() && documents == 1, "{what}: the document is not whole");
    events
}

fn close(open: &mut [Node], node: Node, what: &str, events: &mut u64) {
    let depth = open.len();
    let parent = open.last_mut().unwrap();
    if depth == 1 {
        assert_eq!(parent.name, "Events");
        assert!(is_event(&node), "{what}: {node:#?}");
        *events += 1;
    } else {
        parent.children.push(node);
    }
}

fn is_event(event: &Node) -> bool {
    let mut rest = event.children.iter().peekable();
    let mut parts = event.name == "Event" && event.has(&["xmlns"]) && rest.next().is_some_and(is_system);
    parts &= match rest.next() {
        Some(data) if data.name == "Data" || data.name == "BinaryEventData" => {
            data.attributes.is_empty() && data.children.is_empty()
        }
        Some(data) if data.name == "EventData" => data.children.iter().all(is_data),
        // Its elements are the manifest's.
        Some(data) if data.name == "UserData" => data.children.len() == 1,
        Some(data) => {
            data.name == "ProcessingErrorData" && data.names() == ["ErrorCode", "DataItemName", "EventPayload"]
        }
        None => false,
    };
    if let Some(info) = rest.next_if(|node| node.name == "RenderingInfo") {
        parts &= info.has(&["Culture"]) && is_info(info);
    }
    if let Some(extended) = rest.next_if(|node| node.name == "ExtendedTracingInfo") {
        let all = ["EventGuid", "MessageNumber", "FormattedString"];
        parts &= extended.has(&["xmlns"]) && (1..=3).any(|count| extended.names() == all[..count]);
    }
    parts && rest.next().is_none()
}

fn is_system(system: &Node) -> bool {
    let order = [
        "Provider",
        "EventID",
        "Version",
        "Level",
        "Task",
        "Opcode",
        "Keywords",
        "TimeCreated",
        "Correlation",
        "Execution",
        "Channel",
        "Computer",
    ];
    let allowed: [(usize, &[&[&str]]); 4] = [
        (0, &[&["Name", "Guid"], &["Guid"]]),
        (7, &[&["SystemTime"], &["RawTime"]]),
        (8, &[&["ActivityID"], &["ActivityID", "RelatedActivityID"]]),
        (
            9,
            &[
                &["ProcessID", "ThreadID", "ProcessorID", "KernelTime", "UserTime"],
                &["ProcessID", "ThreadID", "ProcessorID", "ProcessorTime"],
            ],
        ),
    ];
    let has = |(place, choices): &(usize, &[&[&str]])| choices.iter().any(|names| system.children[*place].has(names));
    system.name == "System" && system.names() == order && allowed.iter().all(has)
}

fn is_data(node: &Node) -> bool {
    match node.name.as_str() {
        "Data" => node.has(&["Name"]) && node.children.is_empty(),
        "ComplexData" => node.has(&["Name"]) && node.children.iter().all(is_data),
        _ => false,
    }
}

/// Some of these, in this order, and at least one.
fn is_info(info: &Node) -> bool {
    let order = ["Level", "Opcode", "Keywords", "Task", "Message", "Channel", "Provider", "EventName"];
    let places: Option<Vec<usize>> =
        info.names().iter().map(|name| order.iter().position(|known| known == name)).collect();
    let keywords = info.children.iter().filter(|node| node.name == "Keywords");
    let listed = keywords.flat_map(|keywords| &keywords.children).all(|keyword| keyword.name == "Keyword");
    places.is_some_and(|places| !places.is_empty() && places.is_sorted_by(|a, b| a < b)) && listed
}

#[test]
fn the_grammar_refuses_what_is_wrong() {
    let system = "<System><Provider Guid=''/><EventID/><Version/><Level/><Task/><Opcode/><Keywords/><TimeCreated SystemTime=''/>\
                  <Correlation ActivityID=''/><Execution ProcessID='' ThreadID='' ProcessorID='' KernelTime='' UserTime=''/>\
                  <Channel/><Computer/></System>";
    let data = "<EventData><Data Name='a'/></EventData>";
    let good = |inner: &str| {
        let text = format!("<Events><Event xmlns=''>{inner}</Event></Events>");
        std::panic::catch_unwind(|| check(text.as_bytes(), "test")).is_ok()
    };
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let results = [
        good(&format!("{system}{data}")),
        good(&format!("{data}{system}")),
        good(&format!("{system}{data}<RenderingInfo Culture=''><Task/><Level/></RenderingInfo>")),
        good(&format!("{system}{data}<RenderingInfo Culture=''></RenderingInfo>")),
        good(&format!("{}{data}", system.replace("ThreadID='' ", ""))),
        good(&format!("{}{data}", system.replace("<Task/><Opcode/>", "<Opcode/><Task/>"))),
        good(&format!("{system}<EventData><Data/></EventData>")),
        good(system),
    ];
    std::panic::set_hook(hook);
    assert_eq!(results, [true, false, false, false, false, false, false, false]);
}
