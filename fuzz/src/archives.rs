//! Packed traces.

mod made;

use std::io::Cursor;

use etwkit_archive::{Archive, Error, Limits, Member, Packing, Unpacker};

use made::Made;

/// Bytes that small inputs may unpack to here: few, so that inputs of the fuzzer reach the limit.
const BASE: u64 = 64 << 10;
/// Bytes that are held here.
const TOTAL: u64 = 1 << 20;

/// Unpacks bytes as they are after an odd first byte, and an archive that is made of pieces (see `Made`) after an even
/// one. What is delivered stays within the limits, is the same each time, and has names that lead nowhere else; archives
/// whose members share bytes deliver nothing. A trace that is packed comes back as it was.
pub fn archives(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else { return };
    if kind & 1 == 1 {
        within_limits(rest);
        round_trip(rest);
        return;
    }
    let Some(made) = Made::of(rest) else { return };
    let delivered = within_limits(&made.bytes);
    assert!(!made.overlaps || delivered.is_empty(), "members that share bytes are delivered");
}

/// Unpacks with limits that are soon reached, twice, and with those of the program. Returns what the latter deliver.
fn within_limits(packed: &[u8]) -> Vec<Delivered> {
    let tight = Limits::default().base(BASE).total(TOTAL);
    for limits in [tight, Limits::total_only(TOTAL)] {
        let first = unpacked(packed, limits);
        let sum: u64 = first.iter().map(|one| one.bytes.len() as u64).sum();
        assert!(sum <= TOTAL.min(limits.of_packed(packed.len() as u64)), "{sum} bytes are beyond a limit");
        assert!(first == unpacked(packed, limits), "another run delivers something else");
    }
    unpacked(packed, Limits::default())
}

/// A trace that was delivered.
#[derive(PartialEq, Eq)]
struct Delivered {
    name: String,
    bytes: Vec<u8>,
    is_broken: bool,
}

/// Unpacks all that is in the bytes, which is kept.
fn unpacked(packed: &[u8], limits: Limits) -> Vec<Delivered> {
    let mut unpacker = Unpacker::new(limits).keep(true);
    let mut delivered = Vec::new();
    let mut take = |name: &str, unpacked: Result<etwkit_archive::Unpacked, Error>| match unpacked {
        Ok(one) => {
            delivered.push(Delivered { name: name.to_owned(), bytes: one.bytes, is_broken: one.broken_off.is_some() });
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    };
    unpacker.begin(0);
    match Packing::of(packed) {
        Packing::Zip => {
            let Ok(mut archive) = Archive::open(Cursor::new(packed)) else { return delivered };
            unpacker.begin(packed.len() as u64);
            for member in archive.members().to_vec() {
                let _ = archive.kind(&member);
                let unpacked = unpacker.member(member.name(), &mut archive, &member);
                assert!(unpacked.is_err() || is_inside(&member), "{:?} leads out", member.name());
                take(member.name(), unpacked);
            }
        }
        Packing::Gzip => take("", unpacker.gzip("", unpacker.counted(packed))),
        _ => take("", unpacker.stream("", unpacker.counted(packed))),
    }
    delivered
}

/// Returns whether a name stays below the folder that it is appended to, by another way than that of the library.
fn is_inside(member: &Member) -> bool {
    let name = member.name().replace('\\', "/");
    let mut depth = 0_i64;
    let stays = name.split('/').all(|part| {
        depth += match part {
            ".." => -1,
            "." | "" => 0,
            _ => 1,
        };
        depth >= 0
    });
    stays && !name.starts_with('/') && name.as_bytes().get(1) != Some(&b':') && !name.contains('\0')
}

/// Packs a trace in every way: the same bytes come back.
fn round_trip(bytes: &[u8]) {
    let mut unpacker = Unpacker::new(Limits::default());
    let Ok(plain) = unpacker.stream("", bytes) else { return };
    assert!(plain.bytes == bytes, "a trace that is not packed changes");
    for packed in [made::gzip(bytes), made::zip(&[("a/b.etl", bytes)], true), made::zip(&[("a.etl", bytes)], false)] {
        let found = unpacked(&packed, Limits::default());
        assert!(found.len() == 1 && found.iter().all(|one| one.bytes == bytes && !one.is_broken), "a trace is lost");
    }
}
