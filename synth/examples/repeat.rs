//! Makes a big trace: `cargo run --release --example repeat -- small.etl big.etl 1000`.

#![expect(clippy::print_stdout, reason = "an example talks to its user")]

use std::io::{BufWriter, Error, ErrorKind, Write};

fn main() -> std::io::Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [from, to, times] = arguments.as_slice() else {
        return Err(Error::new(ErrorKind::InvalidInput, "usage: repeat SMALL BIG TIMES"));
    };
    let times = times.parse().map_err(|error| Error::new(ErrorKind::InvalidInput, error))?;
    let trace = std::fs::read(from)?;
    let mut file = BufWriter::with_capacity(1 << 20, std::fs::File::create(to)?);
    let written = etwkit_synth::repeat(&trace, times).write_to(&mut file)?;
    file.flush()?;
    println!("{written:?}");
    Ok(())
}
