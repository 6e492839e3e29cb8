//! Traces whose names, texts and numbers of things would break a page that is not careful.

use etwkit_synth::schema::{Metadata, Traits, in_type, manifest_events};
use etwkit_synth::{
    Buffer, Event, ExtendedItem, Guid, HeaderText, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder,
    kernel,
};

/// Ends an element, runs if it is taken for markup, turns the direction of text, and commands a terminal.
const NAME: &str = "</script><img src=x onerror=document.title='taken'>\u{202e}gpj\u{1b}[31m\u{2028}<!--";
const SIZE: PointerSize = PointerSize::Eight;

/// A trace all of whose names are hostile: provider, event, field, session, process, command line, image, mark; with
/// texts of 60,000 characters, and a message of 10 MB in a manifest.
pub(crate) fn names() -> Vec<u8> {
    let header = LogfileHeader {
        session_name: HeaderText::Whole(NAME.into()),
        buffer_size: 128 << 10,
        ..LogfileHeader::default()
    };
    let mut buffers = TraceBuilder::new(header.clone());
    for event in kernel_events(&header) {
        buffers = buffers.log(0, event);
    }
    for (place, event) in (0..).zip(long_message()) {
        buffers = buffers.buffer(Buffer::on(0).event(event.at(header.after(1_000 + place)).by(44, 48)));
    }
    for place in 0..200 {
        let event = named_event(place).at(header.after(100_000 + i64::from(place) * 1_000)).by(44, 48);
        buffers = buffers.buffer(Buffer::on(0).event(event));
    }
    buffers.build().bytes
}

fn kernel_events(header: &LogfileHeader) -> [Event; 4] {
    let at = |place: i64| header.after(place);
    [
        kernel::process(SIZE, 0x0301, 44, NAME, NAME).at(at(10)).by(4, 8).into(),
        kernel::image(SIZE, 0x140a, 0x7ff6_1a00_0000, 0x2_4000, 44, NAME).at(at(20)).by(44, 48).into(),
        kernel::sampled_profile(SIZE, 0x7ff6_1a00_1234, 48).at(at(30)).by(44, 48).into(),
        etwkit_synth::scheduling::mark(SIZE, NAME).at(at(40)).by(44, 48).into(),
    ]
}

/// An event of `TraceLogging`, an error every tenth time, with a text as long as a payload allows.
fn named_event(place: u32) -> ModernEvent {
    let schema = Metadata::event(NAME).field(NAME, in_type::UTF16, 0).field("n", in_type::UINT32, 0);
    let text = if place.is_multiple_of(50) { NAME.repeat(380) } else { NAME.to_owned() };
    ModernEvent::new(Guid::new(7))
        .channel(11)
        .level(if place.is_multiple_of(10) { 2 } else { 4 })
        .item(ExtendedItem::provider_traits(Traits::new(NAME)))
        .item(ExtendedItem::schema_tl(schema))
        .payload(Payload::new().utf16z(&text).u32(place))
}

/// A manifest whose only event has a message of 10 MB, and that event.
fn long_message() -> Vec<ModernEvent> {
    let source = Guid::new(0x10_0000);
    let message = "long &lt;/script&gt; ".repeat(10_000_000 / 21);
    let xml = format!(
        r#"<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>
<provider name="Long-Message" guid="{{00000000-0000-0000-0000-000000100000}}" symbol="Long">
<events><event value="1" version="0" level="win:Informational" message="$(string.long)" symbol="LongEvent"/></events>
</provider></events></instrumentation><localization><resources culture="en-US"><stringTable>
<string id="long" value="{message}"/></stringTable></resources></localization></instrumentationManifest>"#
    );
    let mut events = manifest_events(source, &xml, 0xff00);
    events.extend((0..10).map(|_| ModernEvent::new(source).id(1).level(4)));
    events
}

/// A trace of 100,000 processes, each of which starts and ends.
pub(crate) fn processes() -> Vec<u8> {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let mut trace = TraceBuilder::new(header.clone()).buffer(Buffer::on(0));
    for number in 0..100_000_u32 {
        let (pid, at) = (number * 4 + 1_000, header.after(i64::from(number) * 1_000));
        let name = format!("p{number}.exe");
        trace = trace.log(0, kernel::process(SIZE, 0x0301, pid, &name, "").at(at).by(4, 8));
        trace = trace.log(0, kernel::process(SIZE, 0x0302, pid, &name, "").at(at + 700).by(4, 8));
    }
    trace.build().bytes
}
