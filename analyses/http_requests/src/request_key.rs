//! What the events of a request have in common.

use etwkit::bytes::Guid;
use etwkit::event::Place;

/// What the events of a request have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RequestKey {
    /// The request's id in HTTP.sys.
    Request(u64),
    /// An activity of another kind.
    Activity(Guid),
    /// A line of an IIS log that names no request, by the place of its event: a request of its own.
    LogLine(Place),
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

    /// Returns the key of a log line: the request that its activity names, or the line itself.
    pub(crate) fn of_log_line(activity: Option<Guid>, place: Place) -> Self {
        match activity.map(Self::of) {
            Some(request @ Self::Request(_)) => request,
            // A thread may have an activity that it got from elsewhere and shares with other requests.
            _ => Self::LogLine(place),
        }
    }

    /// Returns the activity, with zero where the id does not contain it.
    pub(crate) fn activity(self) -> Guid {
        match self {
            Self::Activity(activity) => activity,
            Self::LogLine(_) => Guid::default(),
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
    use etwkit::FileId;

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

    #[test]
    fn a_log_line_without_a_request_is_one_of_its_own() {
        let guid = |text: &str| text.parse::<Guid>().unwrap();
        let place = Place { file: FileId::FIRST, buffer: 1, offset: 72 };
        let of = |activity| RequestKey::of_log_line(activity, place);
        let request = guid("8000060d-0000-ff00-b63f-84710c7967bb");
        assert_eq!(of(Some(request)), RequestKey::Request(0xff00_0000_8000_060d));
        assert_eq!(of(None), RequestKey::LogLine(place));
        assert_eq!(of(Some(guid("00000100-0000-0003-193d-42fb30bbcb01"))), RequestKey::LogLine(place));
        assert!(RequestKey::LogLine(place).activity().is_null());
    }
}
