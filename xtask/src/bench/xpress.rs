//! XPRESS against `lz4_flex`, both in safe Rust, on the same bytes.

use std::hint::black_box;
use std::time::{Duration, Instant};

use etwkit::compress::xpress;

use super::traces::corpus;
use crate::Done;

struct Buffer {
    xpress: Vec<u8>,
    lz4: Vec<u8>,
    len: usize,
}

/// Unpacks the compressed buffers of real traces, or of made ones, by both.
pub(super) fn compare() -> Done {
    let buffers = buffers()?;
    let bytes: usize = buffers.iter().map(|buffer| buffer.len).sum();
    let mut out = vec![0; buffers.iter().map(|buffer| buffer.len).max().unwrap_or(0)];
    let (mut best_xpress, mut best_lz4) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        best_xpress =
            best_xpress.min(time(&buffers, &mut out, |buffer, out| xpress::decompress(&buffer.xpress, out).is_ok())?);
        best_lz4 = best_lz4
            .min(time(&buffers, &mut out, |buffer, out| lz4_flex::block::decompress_into(&buffer.lz4, out).is_ok())?);
    }
    #[expect(clippy::cast_precision_loss, reason = "three digits are printed")]
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!("\nunpacking {} buffers, {} MB", buffers.len(), bytes >> 20);
    println!("xpress   {:7.0} MB/s\nlz4_flex {:7.0} MB/s", rate(best_xpress), rate(best_lz4));
    println!("ratio    {:7.2}", rate(best_xpress) / rate(best_lz4));
    Ok(())
}

fn time(buffers: &[Buffer], out: &mut [u8], unpack: impl Fn(&Buffer, &mut [u8]) -> bool) -> Done<Duration> {
    let start = Instant::now();
    for buffer in buffers {
        let room = out.get_mut(..buffer.len).ok_or("a buffer longer than the longest")?;
        if !unpack(black_box(buffer), room) {
            return Err("a buffer does not unpack".into());
        }
        black_box(room);
    }
    Ok(start.elapsed())
}

fn buffers() -> Done<Vec<Buffer>> {
    let real = ["perfview/net.4.5.2.x64.etl", "misc/msbuild-compressed32.etl"].into_iter().filter_map(corpus);
    let made = etwkit_synth::fixtures().into_iter().filter(|f| f.name == "compressed-xpress.etl").map(|f| f.bytes);
    let mut buffers = Vec::new();
    for trace in real.chain(made) {
        split(&trace, &mut buffers)?;
    }
    Ok(buffers)
}

/// Returns the compressed buffers of a trace.
fn split(trace: &[u8], into: &mut Vec<Buffer>) -> Done {
    let mut rest = trace;
    while let Some(header) = rest.first_chunk::<72>() {
        let word = |at: usize| header.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes);
        let (size, used) = (word(0) as usize, word(0x30) as usize);
        let (buffer, next) = rest.split_at_checked(size).filter(|_| size >= 72).ok_or("a cut buffer")?;
        if word(0x34) & 0x40 != 0 {
            let packed = buffer.get(72..).unwrap_or_default();
            let mut plain = vec![0; used.saturating_sub(72)];
            xpress::decompress(packed, &mut plain)?;
            let lz4 = lz4_flex::block::compress(&plain);
            into.push(Buffer { xpress: packed.to_vec(), lz4, len: plain.len() });
        }
        rest = next;
    }
    Ok(())
}

const ROUNDS: u32 = 21;
