//! Big traces: the buffers of small ones, again and again with shifted times.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use etwkit::compress::xpress;
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder, busy, repeat};

use crate::Done;

/// A trace to measure on.
pub(super) struct Big {
    pub(super) name: &'static str,
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
}

/// Makes the traces of at least `megabytes` each, unless they are there already.
pub(super) fn make(megabytes: u64) -> Done<Vec<Big>> {
    made().into_iter().chain(real()).map(|(name, small)| big(name, &small, megabytes)).collect()
}

/// Where the traces are kept from run to run.
fn folder() -> Done<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("target/bench");
    std::fs::create_dir_all(&folder)?;
    Ok(folder.canonicalize()?)
}

/// A small trace and the name of its shape.
pub(super) type Source = (&'static str, Vec<u8>);

/// Returns small traces that are always the same.
pub(super) fn made() -> Vec<Source> {
    vec![
        ("synth", synthetic()),
        ("busy-kernel", busy::kernel_events(20_000)),
        ("runtime", busy::runtime_events(20_000)),
        ("messages", busy::messages(20_000)),
    ]
}

/// Returns small traces of the corpus, if it is there.
pub(super) fn real() -> Vec<Source> {
    let files = [
        ("mixed", "perfview/net.4.5.2.x64.etl"),
        ("rundown", "diaghub/diaghub.user_paged.1.etl"),
        ("kernel", "diaghub/diaghub.kernel.1.etl"),
        ("classic", "diaghub/diaghub.etl"),
    ];
    files.into_iter().filter_map(|(name, file)| Some((name, corpus(file)?))).collect()
}

/// Returns a file of the corpus; reports if it is missing.
pub(super) fn corpus(file: &str) -> Option<Vec<u8>> {
    std::fs::read(etwkit_corpus::path(file)?).ok()
}

/// Repeats `small` in a file of `target/bench` and returns its place.
pub(super) fn big(name: &'static str, small: &[u8], megabytes: u64) -> Done<Big> {
    let path = folder()?.join(format!("{name}-{megabytes}.etl"));
    if !path.is_file() {
        let once = repeat(small, 1).decompressor(&unpack).write_to(&mut std::io::sink())?;
        // The header buffer is written once, so a little more than the quotient.
        let times = (megabytes << 20).div_ceil(once.bytes.max(1)) * 21 / 20 + 1;
        // Renamed when it is whole, so that an interrupted run leaves nothing behind that looks like a trace.
        let part = path.with_extension("part");
        let mut file = BufWriter::with_capacity(1 << 20, std::fs::File::create(&part)?);
        repeat(small, u32::try_from(times)?).decompressor(&unpack).write_to(&mut file)?;
        file.flush()?;
        std::fs::rename(part, &path)?;
    }
    let bytes = path.metadata()?.len();
    Ok(Big { name, path, bytes })
}

fn unpack(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut plain = vec![0; len];
    xpress::decompress(packed, &mut plain).ok()?;
    Some(plain)
}

/// Four processors, 64 buffers of 64 KiB, events of some hundred bytes that overlap in time.
fn synthetic() -> Vec<u8> {
    let header = LogfileHeader { buffer_size: 1 << 16, ..LogfileHeader::default() };
    let provider = Guid::new(0x5e7a_1000_0001_4b1d_9c0d_e7a5_1d0c_0001);
    let buffer = |number: u16| {
        let event = |n: u32| {
            let ticks = i64::from(number / 4) * 400_000 + i64::from(n) * 1_000 + i64::from(number % 4) * 7;
            let text = format!("value {n} of buffer {number}, {}", "x".repeat(n as usize % 60));
            let payload = Payload::new().u32(n).u64(u64::from(n) * 77).utf16z(&text);
            ModernEvent::new(provider).id(100 + number % 5).at(header.after(ticks)).by(400, 404).payload(payload)
        };
        Buffer::on(number % 4).events((0..250).map(event))
    };
    TraceBuilder::new(header.clone()).buffers((0..64).map(buffer)).build().bytes
}
