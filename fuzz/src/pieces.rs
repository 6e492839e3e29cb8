//! Input in pieces: a byte that states what a piece is, its length in two bytes, the piece.

/// Takes pieces from the data until `most` are taken, one states that it is the last, or nothing is left. Returns them
/// with their kinds, and what follows: the payload.
pub(crate) fn pieces(mut data: &[u8], most: usize) -> (Vec<(u8, &[u8])>, &[u8]) {
    let mut found = Vec::new();
    while found.len() < most
        && let Some(([kind, low, high], rest)) = data.split_first_chunk()
    {
        if *kind == LAST {
            return (found, rest);
        }
        let len = usize::from(u16::from_le_bytes([*low, *high]));
        let (piece, rest) = rest.split_at_checked(len).unwrap_or((rest, &[]));
        found.push((*kind, piece));
        data = rest;
    }
    (found, data)
}

/// The kind that ends the pieces.
const LAST: u8 = 0xFF;
