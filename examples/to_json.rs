//! Prints every event of a trace as a JSON line: `cargo run --example to_json -- FILE...`.

use etwkit::input::Input;
use etwkit::output::JsonLines;
use etwkit::trace::{RunOptions, Trace};

fn main() -> etwkit::Result<()> {
    let sources = std::env::args().skip(1).map(Input::open).collect::<etwkit::Result<Vec<_>>>()?;
    let trace = Trace::open_all(sources, etwkit_parsers::standard())?;
    let mut sink = JsonLines::new(&trace, std::io::stdout().lock());
    let summary = trace.run(&RunOptions::default(), &mut sink)?;
    #[expect(clippy::print_stderr, reason = "an example")]
    {
        eprintln!("{summary:?}");
        for problem in trace.problems() {
            eprintln!("{problem}");
        }
    }
    Ok(())
}
