//! Streams of other encoders.

use super::*;

/// `tests/vectors/README.md` states how they are made.
#[test]
fn streams_of_other_encoders_decode() {
    let mut seen = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let Some((format, decompress)) = ALL.iter().find(|(format, _)| name.starts_with(format)) else {
            continue;
        };
        let stream = std::fs::read(&path).unwrap();
        let plain = plain(name);
        let mut output = vec![0xEE; plain.len()];
        let used = decompress(&stream, &mut output).unwrap();
        // As in real traces, a flag word without tokens may follow.
        let spare = *format == "xpress-" && stream[used..] == [0xFF; 4];
        assert!(used == stream.len() || spare, "{name}: {used} of {}", stream.len());
        assert!(output == plain, "{name}");
        every_truncation_fails_with_a_good_prefix(*decompress, &stream, &plain);
        seen += 1;
    }
    assert_eq!(seen, 22);
}

fn every_truncation_fails_with_a_good_prefix(decompress: Decompress, stream: &[u8], plain: &[u8]) {
    let mut output = vec![0; plain.len()];
    for end in (0..stream.len()).step_by(stream.len() / 300 + 1) {
        // What is cut off may be no more than the end symbol and bits read ahead.
        match decompress(&stream[..end], &mut output) {
            Ok(used) => assert!(used <= end && end + 6 >= stream.len() && output == plain),
            Err(corrupt) => {
                // At the end, or at the match which is cut through.
                assert!(corrupt.at <= end && end <= corrupt.at + 1);
                assert!(output[..corrupt.produced] == plain[..corrupt.produced], "{corrupt:?}, cut at {end}");
            }
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

/// What a vector is of, by its name: `format-encoder-size-seed-rarity` or `...-zeros-size`.
fn plain(name: &str) -> Vec<u8> {
    match name.split('-').collect::<Vec<_>>()[2..] {
        ["zeros", size] => vec![0; size.parse().unwrap()],
        [size, seed, rarity] => sample(size.parse().unwrap(), seed.parse().unwrap(), rarity.parse().unwrap()),
        _ => panic!("{name}"),
    }
}

/// Returns the same bytes as `sample` in `tests/vectors/make.py`.
fn sample(size: usize, seed: u32, rarity: usize) -> Vec<u8> {
    let mut x = seed;
    let mut random = || {
        x = x.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        x
    };
    let mut out = Vec::new();
    while out.len() < size {
        let k = (random() >> 16) as usize;
        if k.is_multiple_of(rarity) {
            out.extend((0..16).map(|_| random().to_le_bytes()[3]));
        } else if k % 16 == 1 {
            out.extend(std::iter::repeat_n(k.to_le_bytes()[1], k % 3000));
        } else if k % 16 == 2 && !out.is_empty() {
            let start = out.len() - out.len().min(1 + k * 7 % 60_000);
            out.extend_from_within(start..out.len().min(start + k.min(700)));
        } else {
            out.extend(PHRASES[(k >> 4) % 8]);
        }
    }
    out.truncate(size);
    out
}

const PHRASES: [&[u8]; 8] = [
    b"the quick brown fox ",
    b"jumps over ",
    &[0; 24],
    b"Microsoft-Windows-Kernel-Process\0",
    b"A\0B\0C\0D\0E\0",
    b"\xC0\x13\x02\0",
    b"1234567890",
    b"zz",
];
