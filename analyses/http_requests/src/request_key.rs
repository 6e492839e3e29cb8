//! What the events of a request have in common.

use etwkit::bytes::Guid;

/// What the events of a request have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RequestKey {
    /// The request's id in HTTP.sys.
    Request(u64),
    /// An activity of another kind.
    Activity(Guid),
}

/// The second half of the activities of HTTP.sys and IIS, or zero.
const TAIL: u64 = 0xb63f_8471_0c79_67bb;

impl RequestKey {
    /// The first half of an activity of HTTP.sys or IIS is the id: a `u32` and two `u16`, least significant first.
    pub(crate) fn of(activity: Guid) -> Self {
        let bits = activity.to_u128();
        let (head, tail) = ((bits >> 64) as u64, bits as u64);
        if head != 0 && (tail == 0 || tail == TAIL) {
            return Self::Request(head >> 32 | (head >> 16 & 0xFFFF) << 32 | (head & 0xFFFF) << 48);
        }
        Self::Activity(activity)
    }

    /// The activity, with zero where the id does not contain it.
    pub(crate) fn activity(self) -> Guid {
        match self {
            Self::Activity(activity) => activity,
            Self::Request(id) => {
                let head = (id & 0xFFFF_FFFF) << 32 | (id >> 32 & 0xFFFF) << 16 | id >> 48;
                Guid::from_u128(u128::from(head) << 64)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_activity_begins_with_the_request() {
        let guid = |text: &str| text.parse::<Guid>().unwrap();
        let whole = guid("8000060d-0000-ff00-b63f-84710c7967bb");
        let half = guid("8000060d-0000-ff00-0000-000000000000");
        assert_eq!(
            (RequestKey::of(whole), RequestKey::of(half)),
            (RequestKey::Request(0xff00_0000_8000_060d), RequestKey::of(whole))
        );
        assert_eq!(RequestKey::of(whole).activity(), half);
        let other = guid("00000100-0000-0003-193d-42fb30bbcb01");
        assert_eq!((RequestKey::of(other), RequestKey::of(other).activity()), (RequestKey::Activity(other), other));
    }
}
