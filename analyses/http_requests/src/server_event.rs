//! What an event of HTTP.sys, IIS or iisnode states about a request.

use etwkit::FileId;
use etwkit::bytes::Guid;
use etwkit::decode::{Event, Value};
use etwkit::render::value::{self, ValueContext};

use crate::limits::{MAX_LABEL, MAX_STAGE_TEXT};
use crate::request_key::RequestKey;
use crate::verbs::{is_placeholder, verb};

/// The task of HTTP.sys whose events are of requests.
const REQUEST_TASK: u16 = 1;
/// Level Error; more severe ones are lower.
const ERROR: u8 = 2;

/// What an event states about a request.
#[derive(Debug, Default)]
pub(crate) struct ServerEvent {
    /// Index of its file in the trace.
    pub(crate) file: FileId,
    /// Ids are of one machine and boot.
    pub(crate) machine: u16,
    pub(crate) key: Option<RequestKey>,
    pub(crate) activity: Option<Guid>,
    /// Whether it is an event of a request, not of a connection or the like.
    pub(crate) is_request: bool,
    /// What happened.
    pub(crate) stage: String,
    pub(crate) client: Option<String>,
    pub(crate) verb: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) status: Option<String>,
    pub(crate) error: Option<String>,
    /// Milliseconds from the start of the request to this event, where no other event has the start.
    pub(crate) took: Option<u64>,
}

impl ServerEvent {
    /// Returns what identifies its request in the trace; `None` if it names no activity.
    pub(crate) fn request(&self) -> Option<(u16, RequestKey)> {
        self.key.map(|key| (self.machine, key))
    }

    /// Returns the bytes that it takes.
    pub(crate) fn weight(&self) -> usize {
        let texts = [&self.client, &self.verb, &self.url, &self.status, &self.error];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        size_of::<Self>() + self.stage.len() + texts
    }

    /// Reads an event of HTTP.sys.
    pub(crate) fn of_http(event: &Event<'_>) -> Self {
        let name = short_name(event);
        let number = |field: &str| number(event, field);
        let verb = number("HttpVerb").map(verb);
        let verb = match verb {
            Some(verb) if !is_placeholder(&verb) => Some(verb),
            none => text(event, "Verb").or(none),
        };
        let status = number("StatusCode").or_else(|| number("HttpStatus")).filter(|status| *status != 0);
        let is_error = (1..=ERROR).contains(&event.raw().level());
        let reason = || text(event, "Reason").map_or_else(|| name.clone(), |reason| format!("{name}: {reason}"));
        let activity = event.raw().activity_id();
        let id = number("RequestId").filter(|id| *id != 0).map(RequestKey::Request);
        Self {
            file: event.raw().place().file,
            machine: event.system().machine.number,
            key: id.or_else(|| activity.map(RequestKey::of)),
            activity,
            is_request: event.raw().task() == REQUEST_TASK,
            stage: name.clone(),
            client: text(event, "RemoteAddr"),
            verb,
            url: text(event, "Url"),
            status: status.map(|status| status.to_string()),
            error: is_error.then(reason),
            took: None,
        }
    }

    /// Reads an event of IIS, which has the activity in the payload.
    pub(crate) fn of_iis(event: &Event<'_>) -> Self {
        let context = match event.field("ContextId").and_then(|view| view.value()) {
            Some(Value::Guid(guid)) => Some(guid).filter(|guid| !guid.is_null()),
            _ => None,
        };
        let name = short_name(event);
        let status = status(event, "HttpStatus", "HttpSubStatus");
        let is_error = (1..=ERROR).contains(&event.raw().level());
        let activity = context.or_else(|| event.raw().activity_id());
        Self {
            file: event.raw().place().file,
            machine: event.system().machine.number,
            key: activity.map(RequestKey::of),
            activity,
            is_request: true,
            stage: name.clone(),
            verb: text(event, "RequestVerb"),
            url: text(event, "RequestURL"),
            status,
            error: is_error.then_some(name),
            ..Self::default()
        }
    }

    /// Reads an event of iisnode, which has nothing but a text that may begin with the activity.
    pub(crate) fn of_iisnode(event: &Event<'_>) -> Self {
        let whole = event.fields().next().and_then(|view| view.value()).map_or_else(String::new, |value| match value {
            Value::Utf16(text) => text.to_string(),
            _ => String::new(),
        });
        let (activity, rest) = activity_prefix(&whole);
        let stage: String = rest.chars().take(MAX_STAGE_TEXT).collect();
        let activity = activity.or_else(|| event.raw().activity_id());
        Self {
            file: event.raw().place().file,
            machine: event.system().machine.number,
            key: activity.map(RequestKey::of),
            activity,
            is_request: true,
            stage,
            error: (1..=ERROR).contains(&event.raw().level()).then(|| rest.to_owned()),
            ..Self::default()
        }
    }
}

/// Returns the activity that a text of iisnode begins with, `{GUID}: `, and the text after it.
fn activity_prefix(text: &str) -> (Option<Guid>, &str) {
    let split = text.strip_prefix('{').and_then(|text| text.split_once("}: "));
    let found = split.and_then(|(guid, rest)| Some((guid.parse::<Guid>().ok()?, rest)));
    found.map_or((None, text), |(guid, rest)| (Some(guid), rest))
}

/// Returns the event's opcode, which distinguishes events of one task; else its whole name or its id.
pub(crate) fn short_name(event: &Event<'_>) -> String {
    let names = event.schema().map(etwkit::schema::Schema::names);
    let opcode = names.and_then(|names| names.opcode.as_deref());
    let full = || names.and_then(etwkit::schema::Names::full);
    opcode.map(str::to_owned).or_else(full).unwrap_or_else(|| format!("EventID({})", event.raw().id()))
}

/// Returns the status with its substatus, `404.13`; `None` if there is none or it is 0.
pub(crate) fn status(event: &Event<'_>, status: &str, substatus: &str) -> Option<String> {
    let whole = match (text(event, status), text(event, substatus)) {
        (Some(status), Some(sub)) if sub != "0" => Some(format!("{status}.{sub}")),
        (status, _) => status,
    };
    whole.filter(|status| status != "0")
}

/// Returns a field as a number; `None` if there is none.
pub(crate) fn number(event: &Event<'_>, name: &str) -> Option<u64> {
    event.field(name)?.value()?.as_u64()
}

/// Returns a field as text; `None` if there is none or it is empty.
pub(crate) fn text(event: &Event<'_>, name: &str) -> Option<String> {
    let view = event.field(name)?;
    let (value, context) = (view.value()?, ValueContext::new(view.field));
    let mut text = value::to_string(value, context.map(view.map()));
    if view.map().is_some() && text.len() > MAX_LABEL {
        text = value::to_string(value, context);
    }
    Some(text).filter(|text| !text.is_empty())
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
}
