//! PDB files that nobody means well with: nothing panics, no more memory is taken than a few times the file's length.

use etwkit_wpp::{PdbSymbols, extract_bytes};

use crate::common::with_group;
use crate::hostile::TEXT;
use crate::made::{Container, container, information, modules, msf, msf_of, streams};
use crate::random::{Random, rounds};

/// Bytes of memory for each byte of a file. A page number in the directory has 4 bytes there and 16 here, in a list
/// that grows and is copied.
const MEMORY_PER_BYTE: u64 = 16;
/// Bytes of memory for any file.
const MEMORY: u64 = 1 << 20;

/// Reads a file; no more memory may be taken for it than its length justifies.
fn read(bytes: Vec<u8>) -> etwkit::error::Result<PdbSymbols> {
    let most = bytes.len() as u64 * MEMORY_PER_BYTE + MEMORY;
    let mut result = None;
    let memory = allocation_counter::measure(|| result = Some(extract_bytes(bytes, "hostile.pdb")));
    assert!(memory.bytes_max <= most, "{} bytes of memory, {most} are the most", memory.bytes_max);
    result.unwrap()
}

fn refusal(bytes: Vec<u8>) -> String {
    read(bytes).unwrap_err().to_string()
}

/// Returns a file with one number changed, which has four bytes.
fn with(bytes: &[u8], at: usize, value: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    bytes
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// Offset of the first page number of the directory, and of the directory.
fn directory(bytes: &[u8]) -> (usize, usize) {
    let page = |at: usize| word(bytes, at) as usize * 4096;
    let map = page(52);
    (map, page(map))
}

/// Numbers that are often taken for granted.
const LIES: [u32; 12] =
    [0, 1, 3, 4, 0xFFFF, 0x1_0000, 0x10_0000, 0x1000_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, u32::MAX];

/// Changes a few numbers of a file, most of them where no zeros are, and sometimes its length.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.next(6) {
        let at = (0..20).map(|_| random.next(bytes.len() / 4 - 1) * 4).find(|at| word(bytes, *at) != 0).unwrap_or(32);
        let value = match random.next(4) {
            0 => word(bytes, random.next(bytes.len() / 4 - 1) * 4),
            1 => word(bytes, at) ^ (1 << random.next(32)),
            2 => word(bytes, at).wrapping_add(1),
            _ => LIES[random.next(LIES.len())],
        };
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    if random.next(16) == 0 {
        bytes.truncate(random.next(bytes.len()).max(100));
    }
}

/// Real PDB files of the corpus, if it is there.
fn real_files() -> Vec<Vec<u8>> {
    let Some(folder) = etwkit_corpus::path("symbols") else { return Vec::new() };
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pdb"));
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn damaged_files() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let good = msf(&with_group(TEXT));
    let mut refused = 0;
    for _ in 0..rounds() * 10 {
        let mut bytes = good.clone();
        if random.next(2) == 0 {
            random.damage(&mut bytes);
        } else {
            mutate(&mut random, &mut bytes);
        }
        refused += usize::from(read(bytes).is_err());
    }
    assert!(refused > rounds(), "{refused} files were refused: the damage does not reach what is read");
    for len in (0..200).chain((200..good.len()).step_by(500)) {
        // The last page has four bytes.
        assert_eq!(read(good[..len].to_vec()).is_err(), len <= good.len() - 4096 + 4, "{len} bytes of {}", good.len());
    }
}

#[test]
fn damaged_real_files() {
    let mut random = Random(0x5851_F42D_4C95_7F2D);
    for good in real_files() {
        let key = read(good.clone()).unwrap().guid;
        assert_ne!(key.to_u128(), 0);
        for _ in 0..rounds() {
            let mut bytes = good.clone();
            mutate(&mut random, &mut bytes);
            // The places of the header, of the directory, of the streams of the key and of the modules.
            let (map, directory) = directory(&good);
            let at = [32, 40, 44, 52, map, directory, directory + 8, directory + 16][random.next(8)];
            if random.next(2) == 0 && at + 4 <= bytes.len() {
                bytes = with(&bytes, at, LIES[random.next(LIES.len())]);
            }
            drop(read(bytes));
        }
    }
}

#[test]
fn a_header_cannot_claim_more_than_the_file_holds() {
    let good = msf(&with_group(TEXT));
    let len = u32::try_from(good.len()).unwrap();
    for (at, value) in [(32, 0), (32, 3000), (32, 256), (32, 1 << 17), (40, u32::MAX), (44, u32::MAX), (44, len + 1)] {
        let error = refusal(with(&good, at, value));
        assert!(error.contains("header claims more"), "{at} {value}: {error}");
    }
}

#[test]
fn pages_outside_of_the_file_are_named() {
    let good = msf(&with_group(TEXT));
    let (map, _) = directory(&good);
    let pages = word(&good, 40);
    let outside = refusal(with(&good, map, pages));
    assert!(outside.contains(&format!("page at offset {:#x} is not in the file", pages * 4096)), "{outside}");
    for page in [0, pages + 1, u32::MAX] {
        let error = refusal(with(&good, map, page));
        assert!(error.contains(&format!("PDB information names page {page}, which")), "{error}");
    }
}

#[test]
fn a_file_without_its_streams_is_refused() {
    let few = refusal(container(&[information(), Vec::new()]));
    assert!(few.contains("stream 3 (list of modules) is missing"), "{few}");
    let short = refusal(container(&[information()[..20].to_vec()]));
    assert!(short.contains("PDB information is cut off"), "{short}");
    let mut list = modules(&[(5, 0)]);
    list.truncate(100);
    let cut = refusal(container(&[information(), Vec::new(), list]));
    assert!(cut.contains("list of modules is cut off"), "{cut}");
}

/// As a compiler leaves the file of the types.
#[test]
fn a_file_without_modules_has_no_definitions() {
    let symbols = read(container(&[information(), Vec::new(), Vec::new()])).unwrap();
    assert_eq!((symbols.age, symbols.files.len()), (4, 0));
}

#[test]
fn a_stream_that_many_modules_name_is_read_once() {
    let pdb = read(msf(&with_group(TEXT))).unwrap();
    let twice = read(msf_of(&with_group(TEXT), 500)).unwrap();
    assert_eq!(pdb.files[0].tmf.entries, twice.files[0].tmf.entries);
    assert!(pdb.files[0].tmf.entries.len() > 2);
}

#[test]
fn streams_cannot_share_their_pages_without_end() {
    let symbols = vec![0; 1 << 18];
    let mut container = Container::new();
    let count = 100;
    let named: Vec<(u16, usize)> = (4..4 + count).map(|stream| (stream, symbols.len())).collect();
    for stream in [information(), Vec::new(), modules(&named)] {
        container.add(&stream);
    }
    let pages = container.add(&symbols);
    for _ in 1..count {
        container.share(symbols.len(), pages.clone());
    }
    let error = refusal(container.finish());
    assert!(error.contains("streams are larger than the file"), "{error}");
}

#[test]
fn a_stream_of_one_page_a_thousand_times_is_not_read() {
    let mut good = streams(&with_group(TEXT), 1);
    good[2] = modules(&[(5, good[4].len()), (7, 4096)]);
    let mut container = Container::new();
    let pages: Vec<u32> = good.iter().flat_map(|stream| container.add(stream)).collect();
    // 600 MiB: half a megabyte of page numbers.
    let count = 600 << 8;
    container.share(count * 4096, vec![pages[0]; count]);
    let symbols = read(container.finish()).unwrap();
    assert_eq!(symbols.files.len(), 1);
}

#[test]
fn streams_without_pages_cannot_be_looked_for_without_end() {
    let mut container = Container::new();
    let named: Vec<(u16, usize)> = (60_000..62_000).map(|stream| (stream, 0)).collect();
    for stream in [information(), Vec::new(), modules(&named)] {
        container.add(&stream);
    }
    for _ in 4..62_000 {
        container.share(0, Vec::new());
    }
    let error = refusal(container.finish());
    assert!(error.contains("more streams than the file holds"), "{error}");
}
