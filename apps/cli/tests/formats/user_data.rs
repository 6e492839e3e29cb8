//! `<UserData>` of events whose manifest has a template for it.

use etwkit_synth::{Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

use super::{etwkit, grammar};

const MANIFEST: &str = r#"<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
  <instrumentation><events>
    <provider name="Sample" guid="{00112233-4455-6677-8899-aabbccddeeff}" symbol="S">
      <events>
        <event value="1" template="Plain"/>
        <event value="2" template="Tree"/>
      </events>
      <templates>
        <template tid="Plain"><data name="Path" inType="win:UnicodeString"/></template>
        <template tid="Tree">
          <data name="Path" inType="win:UnicodeString"/>
          <data name="Count" inType="win:UInt16"/>
          <data name="Codes" inType="win:HexInt32" count="Count"/>
          <struct name="Point"><data name="X" inType="win:UInt8"/><data name="Y" inType="win:UInt8"/></struct>
          <data name="Extra" inType="win:AnsiString"/>
          <UserData>
            <Opened xmlns="urn:sample" path="%1">
              <Where> %1 </Where>
              <All of="it"><Code>%3</Code></All>
              <Mixed>%2 of <b>%3</b></Mixed>
              <Point>%4</Point>
              <Nothing/>
            </Opened>
          </UserData>
        </template>
      </templates>
    </provider>
  </events></instrumentation>
</instrumentationManifest>"#;

const EXPECTED: &str = r#"	<UserData>
		<Opened xmlns="urn:sample" path="C:\&lt;a&gt; &quot;b&quot;">
			<Where>C:\&lt;a&gt; &quot;b&quot;</Where>
			<All of="it">
				<Code>0xAB</Code>
				<Code>0xCD</Code>
			</All>
			<Mixed>2 of<b>0xAB</b><b>0xCD</b></Mixed>
			<Point><Data Name="X">3</Data><Data Name="Y">4</Data></Point>
			<Nothing></Nothing>
		</Opened>
		<!-- fields that the template leaves out:
		<Data Name="Extra">&#45;&#45;&gt; x</Data>
		-->
		<!-- bytes after the last field: 07 -->
	</UserData>
"#;

/// The report of events with these ids and payloads.
fn report(format: &str, events: &[(u16, Payload)]) -> String {
    let provider = Guid::new(0x00112233_4455_6677_8899_aabbccddeeff);
    let header = LogfileHeader::default().on_system_time();
    let start = header.start_time;
    let mut builder = TraceBuilder::new(header);
    for ((id, payload), at) in events.iter().zip(1..) {
        builder = builder.log(0, ModernEvent::new(provider).id(*id).at(start + at).payload(payload.clone()));
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("made.etl"), builder.build().bytes).unwrap();
    std::fs::write(folder.path().join("sample.man"), MANIFEST).unwrap();
    let arguments = ["dump", "-q", "--format", format, "made.etl", "--schemas", "sample.man"];
    String::from_utf8(etwkit(folder.path(), &arguments).stdout).unwrap()
}

fn tree() -> Payload {
    let payload = Payload::new().utf16z("C:\\<a> \"b\"").u16(2).u32(0xAB).u32(0xCD).u8(3).u8(4);
    payload.ansi_z("--> x").u8(7)
}

#[test]
fn fields_stand_in_the_elements_of_the_template() {
    let xml = report("xml", &[(1, Payload::new().utf16z("C:\\")), (2, tree())]);
    assert_eq!(grammar::check(xml.as_bytes(), "user data"), 3);
    assert!(xml.contains("\t<EventData>\n\t\t<Data Name=\"Path\">C:\\</Data>\n\t</EventData>\n"), "{xml}");
    let start = xml.find("\t<UserData>").unwrap();
    let end = xml.rfind("</UserData>\n").unwrap() + "</UserData>\n".len();
    assert_eq!(&xml[start..end], EXPECTED);
}

#[test]
fn other_formats_and_events_that_do_not_fit_have_no_such_elements() {
    let short = report("xml", &[(2, Payload::new().utf16z("C:\\").u16(2))]);
    assert!(short.contains("<ErrorCode>15005</ErrorCode>\n\t\t<DataItemName>Codes<"), "{short}");
    assert!(!short.contains("UserData"));
    let csv = report("tracerpt-csv", &[(2, tree())]);
    assert!(csv.ends_with(", 2, 0xAB, 0xCD, 3, 4, \"--> x\", 0x07\n"), "{csv}");
}
