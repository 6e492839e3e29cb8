//! What is unpacked of archives, and what is refused.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::io::{Cursor, Write};

use etwkit_archive::{Archive, Error, Limits, MemberKind, Packing, Result, Unpacked, Unpacker, first_bytes};
use zip::write::SimpleFileOptions;

fn trace() -> Vec<u8> {
    etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == "hello.etl").unwrap().bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Unpacks all members.
fn members(packed: &[u8], limits: Limits) -> Vec<Result<Unpacked>> {
    let mut unpacker = Unpacker::new(limits);
    unpacker.begin(packed.len() as u64);
    let mut archive = Archive::open(Cursor::new(packed)).unwrap();
    let all = archive.members().to_vec();
    all.iter().map(|member| unpacker.member(member.name(), &mut archive, member)).collect()
}

fn places(bytes: &[u8], pattern: &[u8]) -> Vec<usize> {
    (0..bytes.len().saturating_sub(pattern.len())).filter(|at| bytes[*at..].starts_with(pattern)).collect()
}

#[test]
fn traces_come_back() {
    let trace = trace();
    let found = members(&zip(&[("a.etl", &trace), ("b/c.etl", &trace)]), Limits::default());
    assert_eq!(found.len(), 2);
    assert!(found.into_iter().all(|one| one.is_ok_and(|one| one.bytes == trace && one.broken_off.is_none())));
    let packed = gzip(&trace);
    assert_eq!(Packing::of(&first_bytes(&mut &*packed).unwrap()), Packing::Gzip);
    let mut unpacker = Unpacker::new(Limits::default());
    assert_eq!(unpacker.gzip("a", &*packed).unwrap().bytes, trace);
    // What breaks off is delivered up to there.
    let cut = unpacker.gzip("a", &packed[..packed.len() - 20]).unwrap();
    assert!(cut.broken_off.is_some() && !cut.bytes.is_empty() && trace.starts_with(&cut.bytes));
}

#[test]
fn archives_within_archives_are_refused() {
    let trace = trace();
    let inner = zip(&[("x.etl", &trace)]);
    let packed = zip(&[("a.etl", &gzip(&trace)), ("b.etl", &inner), ("c.txt", b"text"), ("d", &trace)]);
    let found = members(&packed, Limits::default());
    let refused = found.iter().filter(|one| matches!(one, Err(Error::NotATrace(_)))).count();
    assert_eq!((refused, found.last().unwrap().is_ok()), (3, true));
    let mut archive = Archive::open(Cursor::new(&packed)).unwrap();
    let kinds: Vec<MemberKind> = archive.members().to_vec().iter().map(|member| archive.kind(member)).collect();
    assert_eq!(kinds, [MemberKind::Packed, MemberKind::Packed, MemberKind::Other, MemberKind::Trace]);
}

#[test]
fn sizes_that_lie_do_not_lift_the_limits() {
    let large = [trace(), vec![0; 4 << 20]].concat();
    let mut packed = zip(&[("a.etl", &large)]);
    let limits = Limits::default().base(1 << 20);
    assert!(packed.len() < 32 << 10, "the limit is that of the expansion");
    assert!(matches!(&members(&packed, limits)[..], [Err(Error::ExpandsTooMuch { .. })]));
    // The directory states that it is small.
    for at in places(&packed, b"PK\x01\x02") {
        packed[at + 24..at + 28].copy_from_slice(&4096_u32.to_le_bytes());
    }
    for limits in [limits, Limits::total_only(1 << 20)] {
        assert!(members(&packed, limits).iter().all(|one| {
            matches!(one, Err(Error::ExpandsTooMuch { .. } | Error::TooLarge { .. } | Error::Corrupt(_)))
                || one.as_ref().is_ok_and(|one| one.bytes.len() <= 1 << 20)
        }));
    }
}

#[test]
fn members_that_share_bytes_or_names_are_refused() {
    let trace = trace();
    let mut packed = zip(&[("a.etl", &trace), ("b.etl", &trace)]);
    let entries = places(&packed, b"PK\x01\x02");
    let second = *entries.last().unwrap();
    let mut shared = packed.clone();
    shared[second + 42..second + 46].fill(0);
    assert!(matches!(Archive::open(Cursor::new(shared)), Err(Error::Overlap)));
    // The name in the directory counts.
    packed[second + 46] = b'a';
    assert!(matches!(Archive::open(Cursor::new(packed)), Err(Error::SameNames)));
}

#[test]
fn what_is_kept_counts_together() {
    let trace = trace();
    let packed = gzip(&trace);
    let most = trace.len() as u64 * 2;
    let mut unpacker = Unpacker::new(Limits::total_only(most)).keep(true);
    for _ in 0..2 {
        assert!(unpacker.gzip("a", &*packed).is_ok());
    }
    let refused = unpacker.gzip("a", &*packed).unwrap_err();
    assert!(matches!(refused, Error::TooLarge { limit, is_together: true } if limit == most), "{refused}");
}
