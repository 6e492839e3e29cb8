//! Makes a trace of any size from a small one, for benchmarks.

use byteorder::{ByteOrder, LittleEndian as LE};
use std::io::{self, Write};

/// Unpacks a compressed body to the given length; `None` if it cannot.
pub type Decompress<'a> = &'a dyn Fn(&[u8], usize) -> Option<Vec<u8>>;

/// Repeats the buffers of `trace` after its header buffer `times` times.
///
/// ```no_run
/// # let trace = Vec::new();
/// let mut file = std::io::BufWriter::new(std::fs::File::create("big.etl")?);
/// let written = etwkit_synth::repeat(&trace, 1_000).write_to(&mut file)?;
/// println!("{} events", written.events);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn repeat(trace: &[u8], times: u32) -> Repeat<'_> {
    Repeat { trace, times, decompress: None }
}

/// A repetition to be written.
#[derive(Clone, Copy)]
pub struct Repeat<'a> {
    trace: &'a [u8],
    times: u32,
    decompress: Option<Decompress<'a>>,
}

impl std::fmt::Debug for Repeat<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repeat").field("bytes", &self.trace.len()).field("times", &self.times).finish_non_exhaustive()
    }
}

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Bytes.
    pub bytes: u64,
    /// Buffers with the header's.
    pub buffers: u64,
    /// Events with those of the header buffer.
    pub events: u64,
    /// Compressed buffers of the input that were left out since nothing could unpack them.
    pub left_out: u64,
}

impl<'a> Repeat<'a> {
    /// How to unpack compressed buffers. They are written unpacked; without this they are left out.
    #[must_use]
    pub fn decompressor(self, decompress: Decompress<'a>) -> Self {
        Self { decompress: Some(decompress), ..self }
    }

    /// Writes the big trace. Each round shifts raw times by the span of the trace plus one tick, also those
    /// inside stack events and context switch batches, and sequence numbers by the highest one.
    ///
    /// # Errors
    /// If `trace` is not a well-formed Vista or later trace, or writing fails.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<Written> {
        let mut written = Written::default();
        let (mut header, mut buffers) = self.split(&mut written)?;
        let clock = ClockShift::of(&header, &buffers)?;
        let count = 1 + buffers.len() as u64 * u64::from(self.times);
        header.finalise(count, clock.in_100_ns(self.times.saturating_sub(1)))?;
        written.add(&header, out)?;
        for round in 0..self.times {
            for buffer in &mut buffers {
                if round > 0 {
                    buffer.shift(&clock);
                }
                written.add(buffer, out)?;
            }
        }
        Ok(written)
    }

    fn split(&self, written: &mut Written) -> io::Result<(Piece, Vec<Piece>)> {
        let header = Piece::plain(self.trace).ok_or_else(|| bad("no header buffer"))?;
        if LE::read_u32(field(&header.bytes, 72 + 32 + 4, 4)?) & 0xff < 6 {
            return Err(bad("a trace from before Vista"));
        }
        let session_size = LE::read_u32(field(&header.bytes, 72 + 32, 4)?) as usize;
        let mut rest = self.trace.get(header.bytes.len()..).unwrap_or_default();
        let mut pieces = Vec::new();
        while rest.len() >= 72 && LE::read_u32(rest) != 0 {
            let size = LE::read_u32(rest) as usize;
            let piece = rest.get(..size).filter(|_| size >= 72).ok_or_else(|| bad("a cut buffer"))?;
            match self.piece(piece, session_size) {
                Some(piece) => pieces.push(piece),
                None => written.left_out += 1,
            }
            rest = &rest[size..];
        }
        Ok((header, pieces))
    }

    fn piece(&self, bytes: &[u8], session_size: usize) -> Option<Piece> {
        if LE::read_u16(&bytes[0x34..]) & COMPRESSED == 0 {
            return Piece::plain(bytes);
        }
        let used = LE::read_u32(&bytes[0x30..]) as usize;
        let area = (self.decompress?)(&bytes[72..], used.checked_sub(72)?)?;
        let size = session_size.max(used);
        let mut plain = bytes[..72].to_vec();
        plain.extend_from_slice(&area);
        plain.resize(size, 0xff);
        LE::write_u32(&mut plain, u32::try_from(size).ok()?);
        let flags = LE::read_u16(&plain[0x34..]) & !COMPRESSED;
        LE::write_u16(&mut plain[0x34..], flags);
        Piece::plain(&plain)
    }
}

impl Written {
    fn add(&mut self, piece: &Piece, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&piece.bytes)?;
        self.bytes += piece.bytes.len() as u64;
        self.buffers += 1;
        self.events += piece.events;
        Ok(())
    }
}

/// A plain buffer and the places of its raw times.
struct Piece {
    bytes: Vec<u8>,
    stamps: Vec<usize>,
    linked: Vec<usize>,
    events: u64,
}

impl Piece {
    fn plain(bytes: &[u8]) -> Option<Self> {
        let size = LE::read_u32(bytes.get(..72)?) as usize;
        let used = LE::read_u32(&bytes[0x30..]) as usize;
        let bytes = bytes.get(..size)?.to_vec();
        let mut piece = Self { stamps: Vec::new(), linked: Vec::new(), events: 0, bytes };
        let mut at = 72;
        while at + 8 <= used.min(size) {
            let len = piece.note_event(at)?;
            at += len.max(8).div_ceil(8) * 8;
        }
        Some(piece)
    }

    fn note_event(&mut self, at: usize) -> Option<usize> {
        let event = self.bytes.get(at..)?;
        let (kind, top) = (event[2], event[3]);
        let system = top == 0xc0 && matches!(kind, 1..=4 | 16 | 17);
        let len = usize::from(LE::read_u16(&event[if system { 4 } else { 0 }..]));
        let stamp = match (top, kind) {
            (0x90, _) => message_stamp(LE::read_u16(&event[6..])),
            (0xc0, 16 | 17) => Some(8),
            (0xc0, _) => Some(16),
            _ => return None,
        };
        let linked = if system { linked_time(event) } else { None };
        let inside = |field: &usize| field + 8 <= len && at + field + 8 <= self.bytes.len();
        self.stamps.extend(stamp.filter(inside).map(|field| at + field));
        self.linked.extend(linked.filter(inside).map(|field| at + field));
        self.events += 1;
        Some(len)
    }

    fn times(&self) -> impl Iterator<Item = i64> {
        self.stamps.iter().map(|&at| LE::read_i64(&self.bytes[at..]))
    }

    fn sequence(&self) -> i64 {
        LE::read_i64(&self.bytes[0x18..])
    }

    fn shift(&mut self, clock: &ClockShift) {
        for &at in self.stamps.iter().chain(&self.linked) {
            add(&mut self.bytes, at, clock.span);
        }
        add(&mut self.bytes, 0x18, clock.sequences);
        if LE::read_i64(&self.bytes[0x10..]) != 0 {
            let by = if clock.relogged { clock.in_100_ns(1) } else { clock.span };
            add(&mut self.bytes, 0x10, by);
        }
    }

    /// `EndTime` and `BuffersWritten` of the log-file header.
    fn finalise(&mut self, buffers: u64, later: i64) -> io::Result<()> {
        let payload = 72 + 32;
        if LE::read_i64(field(&self.bytes, payload + 0x10, 8)?) != 0 {
            add(&mut self.bytes, payload + 0x10, later);
        }
        LE::write_u32(&mut self.bytes[payload + 0x24..], u32::try_from(buffers).unwrap_or(u32::MAX));
        Ok(())
    }
}

/// By how much a round is later than the one before.
struct ClockShift {
    span: i64,
    sequences: i64,
    frequency: i64,
    relogged: bool,
}

impl ClockShift {
    fn of(header: &Piece, buffers: &[Piece]) -> io::Result<Self> {
        let times = || buffers.iter().flat_map(Piece::times);
        let span = times().max().zip(times().min()).map_or(1, |(last, first)| last.saturating_sub(first) + 1);
        let sequences = buffers.iter().map(Piece::sequence).max().unwrap_or(0);
        let payload = header.bytes.get(72 + 32..).unwrap_or_default();
        let narrow = if header.bytes[74] == 1 { 8 } else { 0 };
        let frequency = match LE::read_u32(field(payload, 0x110 - narrow, 4)?) {
            1 => LE::read_i64(field(payload, 0x100 - narrow, 8)?),
            3 => i64::from(LE::read_u32(field(payload, 0x34, 4)?)) * 1_000_000,
            _ => 10_000_000,
        };
        let relogged = LE::read_u32(field(payload, 0x20, 4)?) & 0x1_0000 != 0;
        Ok(Self { span, sequences, frequency: frequency.max(1), relogged })
    }

    fn in_100_ns(&self, rounds: u32) -> i64 {
        let ticks = i128::from(self.span) * i128::from(rounds);
        i64::try_from(ticks * 10_000_000 / i128::from(self.frequency)).unwrap_or(i64::MAX)
    }
}

/// Returns where a message with these option flags has its time.
fn message_stamp(options: u16) -> Option<usize> {
    let sequence = if options & 0x01 != 0 { 4 } else { 0 };
    let identity = if options & 0x04 != 0 { 4 } else { usize::from(options & 0x02) * 8 };
    (options & 0x08 != 0).then_some(8 + sequence + identity)
}

/// Returns where the payload starts with a raw time: stacks (0x1820, 0x1825, 0x1826) and context switch batches
/// (0x0525).
fn linked_time(event: &[u8]) -> Option<usize> {
    let header = match event[2] {
        16 | 17 => 16,
        3 | 4 => 24,
        _ => 32,
    };
    let extra = usize::from(event[1] & 7) * 8 + usize::from(event[1] >> 7) * 8;
    matches!(LE::read_u16(&event[6..]), 0x1820 | 0x1825 | 0x1826 | 0x0525).then_some(header + extra)
}

fn add(bytes: &mut [u8], at: usize, by: i64) {
    let value = LE::read_i64(&bytes[at..]).wrapping_add(by);
    LE::write_i64(&mut bytes[at..], value);
}

fn field(bytes: &[u8], at: usize, len: usize) -> io::Result<&[u8]> {
    bytes.get(at..at + len).ok_or_else(|| bad("a short log-file header"))
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not a trace that can be repeated: {what}"))
}

/// `BufferFlag` of compressed buffers.
const COMPRESSED: u16 = 0x40;
