//! What an event tells of a request.

use std::collections::HashMap;
use std::rc::Rc;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Value};
use etwkit::render::value::{self, ValueContext};

/// Microsoft-Windows-HttpService.
const HTTP: Guid = Guid::from_u128(0xdd5ef90a_6398_47a4_ad34_4dcecdef795f);
/// The trace provider of IIS.
const IIS: Guid = Guid::from_u128(0x3a2a4e84_4c21_4981_ae10_3fda0d9b0f83);
/// iisnode.
const IISNODE: Guid = Guid::from_u128(0x1040dfc4_61db_484a_9530_584b2735f7f7);
/// All of them.
pub(super) const PROVIDERS: [Guid; 3] = [HTTP, IIS, IISNODE];
/// The task of HTTP.sys whose events are of requests.
const REQUEST_TASK: u16 = 1;
/// Level Error; more severe ones are lower.
const ERROR: u8 = 2;
/// Characters of a text of iisnode that stand for a stage.
const STAGE_TEXT: usize = 80;
/// Distinct names of stages that are kept.
const MAX_NAMES: usize = 1 << 16;

/// What the events of a request have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The request's id in HTTP.sys.
    Request(u64),
    /// An activity of another kind.
    Activity(Guid),
}

/// The second half of the activities of HTTP.sys and IIS, or zero.
const TAIL: u64 = 0xb63f_8471_0c79_67bb;

impl Key {
    /// The first half of an activity of HTTP.sys or IIS is the id: a `u32` and two `u16`, least significant first.
    pub(super) fn of(activity: Guid) -> Self {
        let bits = activity.to_u128();
        let (head, tail) = ((bits >> 64) as u64, bits as u64);
        if head != 0 && (tail == 0 || tail == TAIL) {
            return Self::Request(head >> 32 | (head >> 16 & 0xFFFF) << 32 | (head & 0xFFFF) << 48);
        }
        Self::Activity(activity)
    }

    /// The activity, with zero where the id does not tell it.
    pub(super) fn activity(self) -> Guid {
        match self {
            Self::Activity(activity) => activity,
            Self::Request(id) => {
                let head = (id & 0xFFFF_FFFF) << 32 | (id >> 32 & 0xFFFF) << 16 | id >> 48;
                Guid::from_u128(u128::from(head) << 64)
            }
        }
    }
}

/// What an event tells.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) key: Option<Key>,
    pub(super) activity: Option<Guid>,
    pub(super) is_request: bool,
    /// What happened.
    pub(super) stage: String,
    pub(super) client: Option<String>,
    pub(super) verb: Option<String>,
    pub(super) url: Option<String>,
    pub(super) status: Option<String>,
    pub(super) error: Option<String>,
}

/// Names of stages, each once.
#[derive(Debug, Default)]
pub(super) struct Stages {
    names: HashMap<Box<str>, Rc<str>>,
}

impl Stages {
    /// The name; `None` if there is no room for another one.
    pub(super) fn get(&mut self, name: &str) -> Option<Rc<str>> {
        if let Some(known) = self.names.get(name) {
            return Some(Rc::clone(known));
        }
        if self.names.len() >= MAX_NAMES {
            return None;
        }
        let new: Rc<str> = name.into();
        self.names.insert(name.into(), Rc::clone(&new));
        Some(new)
    }
}

impl Facts {
    /// The facts of an event; `None` if it is of none of the three.
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        match event.raw().provider() {
            HTTP => Some(Self::of_http(event)),
            IIS => Some(Self::of_iis(event)),
            IISNODE => Some(Self::of_iisnode(event)),
            _ => None,
        }
    }

    fn of_http(event: &Event<'_>) -> Self {
        let name = short_name(event);
        let number = |field: &str| event.field(field).and_then(|view| view.value()).and_then(|value| value.as_u64());
        let verb = number("HttpVerb").map(verb).or_else(|| text(event, "Verb"));
        let status = number("StatusCode").or_else(|| number("HttpStatus")).filter(|status| *status != 0);
        let is_error = (1..=ERROR).contains(&event.raw().level());
        let reason = || text(event, "Reason").map_or_else(|| name.clone(), |reason| format!("{name}: {reason}"));
        let activity = event.raw().activity();
        let id = number("RequestId").filter(|id| *id != 0).map(Key::Request);
        Self {
            key: id.or_else(|| activity.map(Key::of)),
            activity,
            is_request: event.raw().task() == REQUEST_TASK,
            stage: name.clone(),
            client: text(event, "RemoteAddr"),
            verb,
            url: text(event, "Url"),
            status: status.map(|status| status.to_string()),
            error: is_error.then(reason),
        }
    }

    /// IIS has the activity in the payload.
    fn of_iis(event: &Event<'_>) -> Self {
        let context = match event.field("ContextId").and_then(|view| view.value()) {
            Some(Value::Guid(guid)) => Some(guid).filter(|guid| !guid.is_null()),
            _ => None,
        };
        let name = short_name(event);
        let status = match (text(event, "HttpStatus"), text(event, "HttpSubStatus")) {
            (Some(status), Some(sub)) if sub != "0" => Some(format!("{status}.{sub}")),
            (status, _) => status,
        };
        let is_error = (1..=ERROR).contains(&event.raw().level());
        let activity = context.or_else(|| event.raw().activity());
        Self {
            key: activity.map(Key::of),
            activity,
            is_request: true,
            stage: name.clone(),
            verb: text(event, "RequestVerb"),
            url: text(event, "RequestURL"),
            status: status.filter(|status| status != "0"),
            error: is_error.then_some(name),
            ..Self::default()
        }
    }

    /// iisnode has nothing but a text, which may begin with the activity.
    fn of_iisnode(event: &Event<'_>) -> Self {
        let whole = event.fields().next().and_then(|view| view.value()).map_or_else(String::new, |value| match value {
            Value::Utf16(text) => text.to_string(),
            _ => String::new(),
        });
        let (activity, rest) = activity_prefix(&whole);
        let stage: String = rest.chars().take(STAGE_TEXT).collect();
        let activity = activity.or_else(|| event.raw().activity());
        Self {
            key: activity.map(Key::of),
            activity,
            is_request: true,
            stage,
            error: (1..=ERROR).contains(&event.raw().level()).then(|| rest.to_owned()),
            ..Self::default()
        }
    }
}

/// The activity that a text of iisnode begins with, `{GUID}: `, and the text behind it.
fn activity_prefix(text: &str) -> (Option<Guid>, &str) {
    let split = text.strip_prefix('{').and_then(|text| text.split_once("}: "));
    let found = split.and_then(|(guid, rest)| Some((guid.parse::<Guid>().ok()?, rest)));
    found.map_or((None, text), |(guid, rest)| (Some(guid), rest))
}

/// The event's opcode, which tells events of one task apart; else its whole name or its id.
fn short_name(event: &Event<'_>) -> String {
    let names = event.schema().map(etwkit::schema::Schema::names);
    let opcode = names.and_then(|names| names.opcode.as_deref());
    let full = || names.and_then(etwkit::schema::Names::full);
    opcode.map(str::to_owned).or_else(full).unwrap_or_else(|| format!("EventID({})", event.raw().id()))
}

/// A field as text; `None` if there is none or it is empty.
fn text(event: &Event<'_>, name: &str) -> Option<String> {
    let view = event.field(name)?;
    let text = value::to_string(view.value()?, ValueContext { field: view.field, map: view.map(), clock: None });
    Some(text).filter(|text| !text.is_empty())
}

/// `HTTP_VERB` of `http.h`.
fn verb(number: u64) -> String {
    const VERBS: [&str; 20] = [
        "unparsed",
        "unknown",
        "invalid",
        "OPTIONS",
        "GET",
        "HEAD",
        "POST",
        "PUT",
        "DELETE",
        "TRACE",
        "CONNECT",
        "TRACK",
        "MOVE",
        "COPY",
        "PROPFIND",
        "PROPPATCH",
        "MKCOL",
        "LOCK",
        "UNLOCK",
        "SEARCH",
    ];
    let known = usize::try_from(number).ok().and_then(|number| VERBS.get(number));
    known.map_or_else(|| number.to_string(), |verb| (*verb).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_may_begin_with_an_activity() {
        let guid: Guid = "80000002-0001-fb00-b63f-84710c7967bb".parse().unwrap();
        let text = "{80000002-0001-FB00-B63F-84710C7967BB}: iisnode: {x}: y";
        assert_eq!(activity_prefix(text), (Some(guid), "iisnode: {x}: y"));
        for text in ["", "{", "{}: a", "{not a guid}: a", "iisnode {80000002-0001-FB00-B63F-84710C7967BB}: a"] {
            assert_eq!(activity_prefix(text), (None, text));
        }
    }

    #[test]
    fn an_activity_begins_with_the_request() {
        let guid = |text: &str| text.parse::<Guid>().unwrap();
        let whole = guid("8000060d-0000-ff00-b63f-84710c7967bb");
        let half = guid("8000060d-0000-ff00-0000-000000000000");
        assert_eq!((Key::of(whole), Key::of(half)), (Key::Request(0xff00_0000_8000_060d), Key::of(whole)));
        assert_eq!(Key::of(whole).activity(), half);
        let other = guid("00000100-0000-0003-193d-42fb30bbcb01");
        assert_eq!((Key::of(other), Key::of(other).activity()), (Key::Activity(other), other));
    }

    #[test]
    fn verbs_are_those_of_http_sys() {
        assert_eq!([3, 4, 6, 19, 20].map(verb), ["OPTIONS", "GET", "POST", "SEARCH", "20"]);
    }
}
