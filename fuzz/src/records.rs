//! The records of a `.btl` file.

use crate::walk::walk;

/// Walks a file of one block, packed without matches: a record without payload, then the bytes.
pub fn records(data: &[u8]) {
    let mut area = first_record().to_vec();
    area.extend_from_slice(data);
    area.resize(area.len().next_multiple_of(16), 0);
    let stream = literally(&area);
    let sizes = [stream.len(), area.len()].map(|size| u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes());
    let mut file = [sizes.concat(), stream].concat();
    file.resize(file.len().next_multiple_of(4), 0);
    walk(&file);
}

/// Identifies the file format.
fn first_record() -> [u8; 112] {
    let mut record = [0; 112];
    for (at, byte) in [(0, 80), (4, 0x40), (16, 9)] {
        if let Some(place) = record.get_mut(at) {
            *place = byte;
        }
    }
    record
}

/// One run of literals. A byte of a number that another one follows counts 128 more.
fn literally(area: &[u8]) -> Vec<u8> {
    let mut stream = vec![0xE0];
    let mut number = area.len() - 7;
    while number >= 128 {
        number -= 128;
        stream.push(0x80 | (number & 0x7F) as u8);
        number >>= 7;
    }
    stream.push(number as u8);
    stream.extend_from_slice(area);
    stream
}
