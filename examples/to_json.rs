//! Prints every event of a trace as a JSON line: `cargo run --example to_json -- FILE...`.

use etwkit::sink::JsonLines;
use etwkit::source::Source;
use etwkit::trace::{RunOptions, Trace};

fn main() -> etwkit::Result<()> {
    let sources = std::env::args().skip(1).map(Source::open).collect::<etwkit::Result<Vec<_>>>()?;
    let census = Trace::open_all(sources, etwkit_parsers::standard())?.census()?;
    let mut sink = JsonLines::new(&census, std::io::stdout().lock());
    let summary = census.run(&RunOptions::default(), &mut sink)?;
    #[expect(clippy::print_stderr, reason = "an example")]
    {
        eprintln!("{summary:?}");
        for problem in census.problems() {
            eprintln!("{problem}");
        }
    }
    Ok(())
}
