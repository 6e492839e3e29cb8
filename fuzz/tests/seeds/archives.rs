//! Packed traces.

use std::io::Write;

use super::Seeds;

/// A piece: what a member is, and its bytes.
fn piece(kind: u8, bytes: &[u8]) -> Vec<u8> {
    [&[kind], &u16::try_from(bytes.len()).unwrap().to_le_bytes()[..], bytes].concat()
}

impl Seeds {
    pub(super) fn archives(&mut self) {
        let fixture = etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == "hello.etl").unwrap();
        let trace = fixture.bytes.get(..8 << 10).unwrap_or(&fixture.bytes);
        let packed = gzip(trace);
        self.add("archives", "plain", &[&[1], trace].concat());
        self.add("archives", "gzip", &[&[1], &*packed].concat());
        self.add("archives", "gzip-cut", &[&[1], &packed[..packed.len() / 2]].concat());
        self.add("archives", "zip", &[&[1], &*zip(&[("a.etl", trace), ("logs/b.etl", trace)])].concat());
        // An archive of three members, changed in each way; then names, archives within, zeros, gzip data.
        for how in 0..7 {
            let members = [piece(0, trace), piece(1, trace), piece(0x20, trace)].concat();
            self.add("archives", &format!("changed-{how}"), &[&[0, how << 1, 1], &*members].concat());
        }
        let names: Vec<u8> = (0..8).flat_map(|name| piece(name, trace)).collect();
        self.add("archives", "names", &[&[0, 0x10, 0], &*names].concat());
        let nested = [piece(0x08, trace), piece(0x10, trace), piece(0, trace)].concat();
        self.add("archives", "nested", &[&[0, 0, 0], &*nested].concat());
        let twice = [piece(0x80, trace), piece(0x80, trace)].concat();
        self.add("archives", "same-names", &[&[0, 0, 0], &*twice].concat());
        self.add("archives", "gzips", &[&[0, 1, 0], &*[piece(0, trace), piece(0x28, b"")].concat()].concat());
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}
