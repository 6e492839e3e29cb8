//! Binary SIDs, which are recognised by their first twelve bytes.

use crate::kind::Kind;
use crate::sid::AccountSid;

use super::{Form, Found};

/// Finds binary SIDs of accounts in any bytes.
pub(super) fn find(bytes: &[u8], out: &mut Vec<Found>) {
    for (at, head) in bytes.windows(HEAD).enumerate() {
        let [1, _, 0, 0, 0, 0, 0, 5 | 12] = head else { continue };
        if let Some(sid) = bytes.get(at..).and_then(AccountSid::read) {
            out.push(Found::new(at..at + sid.len(), Kind::Sid, Form::Sid));
        }
    }
}

/// Bytes before the numbers of a SID.
const HEAD: usize = 8;
