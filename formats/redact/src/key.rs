//! The key of the pseudonyms.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// The key of the pseudonyms: under the same key, a secret has the same pseudonym in every trace.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// Makes a random key.
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the system provides no random bytes.
    pub fn random() -> Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| Error::Random(error.to_string()))?;
        Ok(Self(bytes))
    }

    /// Makes a key of any bytes, such as those of a file.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns numbers that only the key and the text decide.
    pub(crate) fn numbers(&self, use_: &'static str, text: &[u8], attempt: u32) -> Numbers {
        let mut seed = self.mac();
        for part in [use_.as_bytes(), &[0], &attempt.to_le_bytes(), text] {
            seed.update(part);
        }
        Numbers { key: Self(seed.finalize().into_bytes().into()), block: [0; 32], at: 32, count: 0 }
    }

    fn mac(&self) -> Hmac<Sha256> {
        // HMAC takes keys of any length; the other arm cannot be reached.
        Hmac::new_from_slice(&self.0).unwrap_or_else(|_| Hmac::new(&[0; 64].into()))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// Numbers without an end, by HMAC-SHA-256 in counter mode.
#[derive(Debug)]
pub(crate) struct Numbers {
    key: Key,
    block: [u8; 32],
    at: usize,
    count: u64,
}

impl Numbers {
    /// Returns the next number below `end`. One of 2³² is a little more probable than another, which does not matter.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        if self.at >= self.block.len() {
            let mut mac = self.key.mac();
            mac.update(&self.count.to_le_bytes());
            self.block = mac.finalize().into_bytes().into();
            (self.at, self.count) = (0, self.count + 1);
        }
        let bytes = self.block.get(self.at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
        self.at += 4;
        u32::from_le_bytes(bytes) % end.max(1)
    }

    /// Returns the next number of a range, both ends inclusive.
    pub(crate) fn within(&mut self, first: u32, last: u32) -> u32 {
        first + self.below((last - first).saturating_add(1))
    }
}
