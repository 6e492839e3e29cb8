//! A produced header buffer against that of a real file, where the corpus is at hand.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test"
)]

#[expect(dead_code, reason = "only one of the decoders is needed here")]
mod unpack;

use etwkit_synth::time::SystemTime;
use etwkit_synth::zone::TimeZone;
use etwkit_synth::{Buffer, Clock, HeaderText, LogfileHeader, Padding, TraceBuilder, kernel};

#[test]
fn a_real_header_buffer_is_reproduced_to_the_byte() {
    let Some(real) = corpus("perfview/primitive-types.etl") else { return };
    let header = LogfileHeader {
        buffer_size: u32_at(&real, 0x68),
        build: u32_at(&real, 0x70),
        processors: u32_at(&real, 0x74),
        start_time: i64_at(&real, 0x170),
        end_time: i64_at(&real, 0x78),
        mode: 0,
        buffers_written: Some(u32_at(&real, 0x8c)),
        cpu_mhz: u32_at(&real, 0x9c),
        logger_name_ptr: 10,
        log_file_name_ptr: 7,
        time_zone: TimeZone {
            bias: -120,
            standard_name: "@tzres.dll,-352".into(),
            standard_date: SystemTime::date(0, 10, 0, 5).at(4, 0, 0, 0),
            standard_bias: 0,
            daylight_name: "@tzres.dll,-351".into(),
            daylight_date: SystemTime::date(0, 3, 0, 5).at(3, 0, 0, 0),
            daylight_bias: -60,
        },
        boot_time: i64_at(&real, 0x160),
        clock: Clock::Qpc(10_000_000),
        session_name: HeaderText::Whole(text_at(&real, 0x180)),
        log_file_name: HeaderText::Whole(text_at(&real, 0x19a)),
        t0: i64_at(&real, 0x58),
        pid: u32_at(&real, 0x54),
        tid: u32_at(&real, 0x50),
        cpu_times: (0, 0),
        ..LogfileHeader::default()
    };
    let partition = kernel::partition_info(header.t0, header.pid, header.tid).version(2);
    let change = |buffer: Buffer| {
        let used = u32_at(&real, 0x30);
        buffer.event(partition).garbage_offsets(used, 0).clock_word(0).logger_id(0x3d).flags(real[0x34].into())
    };
    let made = TraceBuilder::new(header).padding(Padding::Zero).header_buffer(change).build().bytes;
    let differing: Vec<_> = (0..8192).filter(|&at| made[at] != real[at]).collect();
    // CurrentOffset (0x08) is leftover run-time state; the real one is 0 or the used length.
    let unexplained: Vec<_> = differing.iter().filter(|&&at| !(0x08..0x0c).contains(&at)).collect();
    assert!(unexplained.is_empty(), "differs at {unexplained:x?}");
}

#[test]
fn a_32_bit_vista_header_event_is_reproduced() {
    let Some(real) = corpus("sawbuck/test_data_32_v0.etl") else { return };
    let made = etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == "vista.etl").unwrap().bytes;
    for at in [0x28..0x2a, 0x2c..0x30, 0x36..0x38, 0x48..0x4c, 0x6c..0x74, 0x90..0x98] {
        assert_eq!(made[at.clone()], real[at.clone()], "{at:x?}");
    }
    // The names follow at the offset of the 32-bit layout in both.
    assert_eq!(u32_at(&real, 104 + 0x108), 1);
    assert_eq!(u32_at(&made, 104 + 0x108), 1);
    assert_eq!(text_at(&made, 104 + 0x110), "etwkit-synth");
    assert_eq!(text_at(&real, 104 + 0x110), "Make Test Data Session");
}

#[test]
fn the_test_decoder_reads_what_windows_compressed() {
    let Some(real) = corpus("perfview/net.4.5.2.x64.etl") else { return };
    let (mut at, mut packed) = (0, 0);
    while at < real.len() {
        let (size, used) = (u32_at(&real, at) as usize, u32_at(&real, at + 0x30) as usize);
        if real[at + 0x34] & 0x40 != 0 {
            let body = &real[at + 72..at + size];
            let (_, read) = unpack::xpress(body, used - 72).unwrap();
            assert!(read == body.len() || body[read..] == [0xff; 4], "buffer at {at}");
            packed += 1;
        }
        at += size;
    }
    assert!(packed > 300);
}

fn corpus(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(etwkit_corpus::path(name)?).unwrap())
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn i64_at(bytes: &[u8], at: usize) -> i64 {
    i64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn text_at(bytes: &[u8], at: usize) -> String {
    let units = bytes[at..].chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    char::decode_utf16(units.take_while(|&unit| unit != 0)).map(Result::unwrap).collect()
}
