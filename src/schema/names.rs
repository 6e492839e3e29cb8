//! The names of an event and its parts.

use std::sync::Arc;

use crate::bytes::{Guid, cut_text};
use crate::limits;

/// Names that a schema gives. A name is absent if the source does not have it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Names {
    /// Provider.
    pub provider: Option<Box<str>>,
    /// The provider's GUID where it is not the one in the event (classic classes).
    pub provider_guid: Option<Guid>,
    /// Task, or event class, or the event's name in TraceLogging.
    pub task: Option<Box<str>>,
    /// Opcode; `None` for 0 (Info) and where there is no name.
    pub opcode: Option<Box<str>>,
    /// Level, when it is not a standard one.
    pub level: Option<Box<str>>,
    /// Channel.
    pub channel: Option<Box<str>>,
    /// Keywords by mask: those of the event's descriptor.
    pub keywords: Box<[(u64, Box<str>)]>,
    /// All keywords of the provider by mask, which its schemas share; empty if they are not known. An event may carry
    /// others than its descriptor.
    pub provider_keywords: Arc<[(u64, Box<str>)]>,
    /// The event's own symbol or name, where it differs from task and opcode.
    pub event: Option<Box<str>>,
    /// The provider's message, a title for people.
    pub provider_message: Option<Box<str>>,
    /// Further properties of the event from the source, by key: function, source file, flags by name.
    pub details: Box<[(Box<str>, Box<str>)]>,
}

/// Keys of the details with the text that Windows shows instead of a name.
const MESSAGES: [&str; 4] =
    [Names::TASK_MESSAGE, Names::OPCODE_MESSAGE, Names::CHANNEL_MESSAGE, Names::KEYWORD_MESSAGES];

impl Names {
    /// Key of the detail with the task's message, if it has one.
    pub const TASK_MESSAGE: &'static str = "task-message";
    /// Key of the detail with the opcode's message, if it has one.
    pub const OPCODE_MESSAGE: &'static str = "opcode-message";
    /// Key of the detail with the channel's message, if it has one.
    pub const CHANNEL_MESSAGE: &'static str = "channel-message";
    /// Key of the detail with the mask, hexadecimal after `0x`, of the keywords whose text is their message.
    pub const KEYWORD_MESSAGES: &'static str = "keyword-messages";

    /// Key of the detail that states what the times of the events count; absent where they are UTC, as nearly all are.
    pub const TIME: &'static str = "time";
    /// The value of [`Names::TIME`] for times that are local to the machine that wrote the event.
    pub const LOCAL: &'static str = "local";

    /// Sets [`Names::provider`](field@Names::provider).
    #[must_use]
    pub fn provider(mut self, provider: impl Into<Box<str>>) -> Self {
        self.provider = Some(provider.into());
        self
    }

    /// Sets [`Names::task`](field@Names::task).
    #[must_use]
    pub fn task(mut self, task: impl Into<Box<str>>) -> Self {
        self.task = Some(task.into());
        self
    }

    /// Sets [`Names::opcode`](field@Names::opcode).
    #[must_use]
    pub fn opcode(mut self, opcode: impl Into<Box<str>>) -> Self {
        self.opcode = Some(opcode.into());
        self
    }

    /// Sets [`Names::event`](field@Names::event).
    #[must_use]
    pub fn event(mut self, event: impl Into<Box<str>>) -> Self {
        self.event = Some(event.into());
        self
    }

    /// Returns whether the times of the events are local to the machine that wrote them, in a time zone that the event
    /// does not record.
    #[inline]
    pub fn is_local_time(&self) -> bool {
        !self.details.is_empty() && self.detail(Self::TIME) == Some(Self::LOCAL)
    }

    /// Returns the details that state more of the event, without the messages of its parts.
    pub fn own_details(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.details.iter().map(|(key, value)| (&**key, &**value));
        all.filter(|(key, _)| !MESSAGES.contains(key))
    }

    /// Returns the names of the keywords that are set in the header of an event, which need not be those of the
    /// schema's other events.
    pub fn keywords_of(&self, header: u64) -> impl Iterator<Item = &str> {
        let is_set = move |(mask, _): &&(u64, Box<str>)| header & mask == *mask && *mask != 0;
        let is_own = |mask: u64| self.keywords.iter().any(|(own, _)| *own == mask);
        let is_shared = |mask: u64| self.provider_keywords.iter().any(|(shared, _)| *shared == mask);
        // The provider's order if the event has keywords that its descriptor lacks.
        let has_others = self.provider_keywords.iter().filter(is_set).any(|(mask, _)| !is_own(*mask));
        let shared: &[_] = if has_others { &self.provider_keywords } else { &[] };
        let own = self.keywords.iter().filter(move |(mask, _)| !has_others || !is_shared(*mask));
        shared.iter().chain(own).filter(is_set).map(|(_, name)| &**name)
    }

    /// Returns a detail by its key.
    pub fn detail(&self, key: &str) -> Option<&str> {
        self.details.iter().find(|(name, _)| &**name == key).map(|(_, value)| &**value)
    }

    /// Bytes of text in it.
    pub(super) fn weight(&self) -> usize {
        let Self { provider, task, opcode, level, channel, event, provider_message, .. } = self;
        let details: usize = self.details.iter().map(|(key, value)| key.len() + value.len()).sum();
        let texts = [provider, task, opcode, level, channel, event, provider_message];
        let keywords: usize = self.keywords.iter().map(|(_, name)| size_of::<(u64, Box<str>)>() + name.len()).sum();
        keywords + details + texts.into_iter().flatten().map(|text| text.len()).sum::<usize>()
    }

    /// Cuts names of more than [`limits::MAX_NAME`] bytes, and leaves out keywords beyond
    /// [`limits::MAX_KEYWORD_NAMES`], the provider's all together; returns whether there were any.
    pub(super) fn cut(&mut self) -> bool {
        let Self { provider, task, opcode, level, channel, event, provider_message, .. } = self;
        let names = [provider, task, opcode, level, channel, event, provider_message];
        let cut = names.into_iter().flatten().filter(|name| name.len() > limits::MAX_NAME);
        let cut = cut.map(|name| *name = shortened(name).into()).count();
        let has_own = are_long(&self.keywords);
        if has_own {
            self.keywords = within(&self.keywords).collect();
        }
        // Copies of those that may be kept would no longer be shared.
        let has_shared = are_long(&self.provider_keywords);
        if has_shared {
            self.provider_keywords = Arc::default();
        }
        cut > 0 || has_own || has_shared
    }

    /// Returns `Task/Opcode`, as TraceEvent prints it: the task alone if the opcode has no name.
    pub fn full(&self) -> Option<String> {
        let task = self.task.as_deref().or(self.event.as_deref())?;
        Some(match self.opcode.as_deref() {
            Some(opcode) => format!("{task}/{opcode}"),
            None => task.to_owned(),
        })
    }
}

/// Returns the beginning of a name, at most [`limits::MAX_NAME`] bytes.
pub(crate) fn shortened(name: &str) -> &str {
    cut_text(name, limits::MAX_NAME)
}

/// Returns whether a name of a keyword is too long, or all together are.
fn are_long(keywords: &[(u64, Box<str>)]) -> bool {
    let lens = || keywords.iter().map(|(_, name)| name.len());
    lens().any(|len| len > limits::MAX_NAME) || lens().sum::<usize>() > limits::MAX_KEYWORD_NAMES
}

/// Returns the keywords that may be kept, with names that are not too long.
fn within(keywords: &[(u64, Box<str>)]) -> impl Iterator<Item = (u64, Box<str>)> {
    let mut left = limits::MAX_KEYWORD_NAMES;
    keywords.iter().map_while(move |(mask, name)| {
        let name = shortened(name);
        left = left.checked_sub(name.len())?;
        Some((*mask, Box::from(name)))
    })
}

/// Returns the name of a standard opcode (`winmeta.xml`), without its prefix.
pub const fn standard_opcode(opcode: u8) -> Option<&'static str> {
    Some(match opcode {
        0 => "Info",
        1 => "Start",
        2 => "Stop",
        3 => "DCStart",
        4 => "DCStop",
        5 => "Extension",
        6 => "Reply",
        7 => "Resume",
        8 => "Suspend",
        9 => "Send",
        240 => "Receive",
        _ => return None,
    })
}

/// Returns the name of a standard level (`winmeta.xml`).
pub const fn standard_level(level: u8) -> Option<&'static str> {
    Some(match level {
        0 => "LogAlways",
        1 => "Critical",
        2 => "Error",
        3 => "Warning",
        4 => "Information",
        5 => "Verbose",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_has_the_names_of_its_own_keywords() {
        let all = [(1_u64, "One"), (2, "Two"), (4, "Four"), (6, "Both")].map(|(mask, name)| (mask, name.into()));
        let own = [(4, "Four".into()), (1 << 63, "Windows".into())];
        let names = Names { keywords: own.into(), provider_keywords: all.into(), ..Names::default() };
        let of = |header| names.keywords_of(header).collect::<Vec<_>>();
        assert_eq!(of(4), ["Four"]);
        assert_eq!(of(3), ["One", "Two"]);
        assert_eq!(of(1 << 63 | 5), ["One", "Four", "Windows"]);
        assert_eq!(of(6), ["Two", "Four", "Both"]);
        assert!(of(8).is_empty() && of(0).is_empty());
        let alone = Names { provider_keywords: <_>::default(), ..names.clone() };
        assert_eq!(alone.keywords_of(5).collect::<Vec<_>>(), ["Four"]);
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        let long = "ä".repeat(limits::MAX_NAME);
        let mut names = Names::default().provider(&*long).task("short");
        assert!(names.cut() && !names.cut());
        assert_eq!(names.provider.as_deref(), long.get(..limits::MAX_NAME));
        assert_eq!(names.task.as_deref(), Some("short"));
        names.provider = Some(format!("x{long}").into());
        assert!(names.cut());
        assert_eq!(names.provider.map(|name| name.len()), Some(limits::MAX_NAME - 1));
    }

    #[test]
    fn keywords_have_names_of_bounded_length_together() {
        let all = |count: u64, len| (0..count).map(|mask| (mask, "k".repeat(len).into())).collect::<Vec<_>>();
        let mut names =
            Names { keywords: all(8, 1024).into(), provider_keywords: all(9, 1000).into(), ..Names::default() };
        assert!(names.cut() && !names.cut());
        assert_eq!((names.keywords.len(), names.provider_keywords.len()), (8, 0));
        names.keywords = all(9, 1000).into();
        assert!(names.cut());
        assert_eq!(names.keywords.len(), 8);
        names.keywords = all(1, 3_000).into();
        assert!(names.cut());
        assert_eq!(names.keywords.iter().map(|(_, name)| name.len()).collect::<Vec<_>>(), [1024]);
    }
}
