//! Security identifiers of accounts.

use crate::key::Key;

/// The sub-authorities of a SID of an account of a machine or domain (`S-1-5-21-…`), or of Entra ID (`S-1-12-1-…`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AccountSid {
    authority: u8,
    subs: Vec<u32>,
}

/// Fewer are not an account's.
const LEAST_SUBS: usize = 2;
/// Relative ids below are the same on all machines, such as 500 of the administrator.
const FIRST_OWN_RID: u32 = 1_000;

impl AccountSid {
    /// Reads a binary SID at the start of `bytes`.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (&[1, count @ 2..=15, 0, 0, 0, 0, 0, authority], rest) = bytes.split_first_chunk::<8>()? else {
            return None;
        };
        let subs = rest.get(..4 * usize::from(count))?.as_chunks().0.iter().copied().map(u32::from_le_bytes).collect();
        Self { authority, subs }.checked()
    }

    /// Reads `S-1-5-21-…`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-').skip(2);
        let authority = parts.next()?.parse().ok()?;
        let subs = parts.map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>()?;
        Self { authority, subs }.checked()
    }

    fn checked(self) -> Option<Self> {
        let is_account = matches!((self.authority, self.subs.first()), (5, Some(21)) | (12, Some(1)));
        (is_account && self.subs.len() >= LEAST_SUBS).then_some(self)
    }

    /// Bytes of its binary form.
    pub(crate) fn len(&self) -> usize {
        8 + 4 * self.subs.len()
    }

    /// Returns the binary form.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![1, self.subs.len() as u8, 0, 0, 0, 0, 0, self.authority];
        bytes.extend(self.subs.iter().flat_map(|sub| sub.to_le_bytes()));
        bytes
    }

    /// Returns the text.
    pub(crate) fn to_text(&self) -> String {
        let subs: Vec<String> = self.subs.iter().map(u32::to_string).collect();
        format!("S-1-{}-{}", self.authority, subs.join("-"))
    }

    /// Returns its pseudonym: every number has as many digits as before. Accounts of one machine or domain have the
    /// same numbers before the last one.
    pub(crate) fn pseudonym(&self, key: &Key, attempt: u32) -> Self {
        let text = self.to_text();
        let (machine, rid) = self.subs.split_at(self.subs.len().min(4));
        let seed: Vec<u8> = machine.iter().flat_map(|sub| sub.to_le_bytes()).collect();
        let mut numbers = key.numbers("machine", &seed, attempt);
        let mut subs: Vec<u32> = machine.iter().map(|sub| of_digits(*sub, |a, b| numbers.within(a, b))).collect();
        if let (Some(new), Some(old)) = (subs.first_mut(), machine.first()) {
            *new = *old;
        }
        let mut numbers = key.numbers("account", text.as_bytes(), attempt);
        subs.extend(rid.iter().map(|rid| match *rid {
            rid if rid < FIRST_OWN_RID => rid,
            rid => of_digits(rid, |a, b| numbers.within(a, b)),
        }));
        Self { authority: self.authority, subs }
    }
}

/// Returns another number of as many digits.
fn of_digits(number: u32, mut within: impl FnMut(u32, u32) -> u32) -> u32 {
    let first = 10_u32.checked_pow(number.checked_ilog10().unwrap_or(0)).unwrap_or(1);
    let last = first.checked_mul(10).map_or(u32::MAX, |end| end - 1);
    within(first, last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn text_and_binary_form_agree(subs in prop::collection::vec(any::<u32>(), 1..10)) {
            let sid = AccountSid { authority: 5, subs: [vec![21], subs].concat() };
            let made = sid.pseudonym(&Key::of(b"key"), 0);
            prop_assert_eq!(AccountSid::read(&made.to_bytes()), Some(made.clone()));
            prop_assert_eq!(AccountSid::parse(&made.to_text()), Some(made.clone()));
            prop_assert_eq!(made.to_text().len(), sid.to_text().len());
            prop_assert_eq!(made.len(), sid.len());
        }
    }

    #[test]
    fn accounts_of_a_machine_stay_together() {
        let made = |text: &str| AccountSid::parse(text).unwrap().pseudonym(&Key::of(b"key"), 0).to_text();
        let (one, two) =
            (made("S-1-5-21-111111111-222222222-333333333-1001"), made("S-1-5-21-111111111-222222222-333333333-500"));
        assert_eq!(one.rsplit_once('-').unwrap().0, two.rsplit_once('-').unwrap().0);
        assert!(two.ends_with("-500") && !one.contains("111111111"));
        assert_eq!(AccountSid::parse("S-1-5-18"), None);
        assert_eq!(AccountSid::read(&[1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0]), None);
    }
}
