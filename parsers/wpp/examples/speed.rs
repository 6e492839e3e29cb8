//! How many messages a second one thread formats: `cargo run --release -p etwkit-wpp --example speed -- [ROUNDS]`.

use std::time::Instant;

use etwkit::parser::Parsers;
use etwkit::source::Source;
use etwkit::trace::{RunOptions, Trace};
use etwkit_synth::{Guid, LogfileHeader, MessageEvent, Payload, PointerSize, TraceBuilder};
use etwkit_wpp::{Symbols, TracefmtLines, Wpp};

const TEXT: &str = "2363c985-9b6e-3283-34a7-e8c27a60b889 made // SRC=made.c MJ= MN=\n\
    #typev made_c1 10 \"%0 [%!FUNC!] <-- Exit <DmfModule=0x%10!p! [%11!s!] n=%12!d! ntStatus=%13!s!>\" // LEVEL=L FUNC=f\n\
    {\np, ItemPtr -- 10\ns, ItemString -- 11\nn, ItemLong -- 12\nt, ItemNTSTATUS -- 13\n}\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let guid = Guid::new(0x2363c985_9b6e_3283_34a7_e8c27a60b889);
    let header = LogfileHeader { buffer_size: 1 << 16, ..LogfileHeader::default() };
    let mut builder = TraceBuilder::new(header);
    let count = 1_000_000;
    for n in 0..count {
        let payload = Payload::new().ptr(PointerSize::Eight, 0xFFFF_A08D_1000_0080).ansi_z("Dmf_BufferPool");
        let event = MessageEvent::new(guid, 10).at(722_450_000_000 + i64::from(n)).by(4, 8);
        builder = builder.log(0, event.payload(payload.i32(n).u32(0xC000_0022)));
    }
    let mut symbols = Symbols::default();
    symbols.add_text(TEXT);
    let source = Source::bytes("made", builder.build().bytes);
    let census = Trace::open(source, Parsers::none().with(Wpp::new(symbols)))?.census()?;
    let rounds = std::env::args().nth(1).and_then(|rounds| rounds.parse().ok()).unwrap_or(5);
    for _ in 0..rounds {
        let start = Instant::now();
        let mut sink = TracefmtLines::new(&census, Vec::new());
        let options = RunOptions { threads: 1, ..RunOptions::default() };
        let summary = census.run(&options, &mut sink)?;
        let rate = summary.events as f64 / start.elapsed().as_secs_f64() / 1e6;
        let text = sink.into_inner();
        let first = text.split(|&b| b == b'\n').next().unwrap_or_default();
        #[expect(clippy::print_stdout, reason = "its purpose")]
        {
            println!("{rate:.2} M messages/s, {} MiB: {}", text.len() >> 20, String::from_utf8_lossy(first));
        }
    }
    Ok(())
}
