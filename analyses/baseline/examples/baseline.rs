//! Prints a trace's baseline: `cargo run --example baseline -- [--compat] FILE`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = etwkit_baseline::Options::default();
    for argument in std::env::args().skip(1) {
        if argument == "--compat" {
            options.compat = true;
            continue;
        }
        let trace = etwkit::trace::Trace::open(&argument, etwkit_parsers::standard())?;
        etwkit_baseline::write_baseline(&trace, &options, &mut std::io::stdout().lock())?;
    }
    Ok(())
}
