//! Writes all fixtures into a folder: `cargo run --example write_fixtures -- fixtures`.

#![expect(clippy::print_stdout, reason = "an example talks to its user")]

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "fixtures".into()));
    std::fs::create_dir_all(&folder)?;
    for fixture in etwkit_synth::fixtures() {
        std::fs::write(folder.join(fixture.name), &fixture.bytes)?;
        println!(
            "{:28} {:6} bytes, {:3} events: {}",
            fixture.name,
            fixture.bytes.len(),
            fixture.expected.events.len(),
            fixture.about
        );
    }
    Ok(())
}
