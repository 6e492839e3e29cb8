//! The fields of an event that TWAPI knows, by its names.

use std::borrow::Cow;

/// A field of TWAPI's event record (`-fields` of its `etw_dump_to_file`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TwapiField {
    /// Event id.
    EventId,
    /// Version.
    Version,
    /// Channel number.
    Channel,
    /// Level number.
    Level,
    /// Opcode number.
    Opcode,
    /// Task number.
    Task,
    /// Keyword mask, hexadecimal.
    KeywordMask,
    /// FILETIME, an integer.
    TimeCreated,
    /// Thread.
    Tid,
    /// Process.
    Pid,
    /// GUID of the provider.
    ProviderGuid,
    /// Time in user mode, 100 ns.
    UserTime,
    /// Time in kernel mode, 100 ns.
    KernelTime,
    /// Name of the provider.
    ProviderName,
    /// GUID of the event class.
    EventGuid,
    /// Name of the channel.
    ChannelName,
    /// Name of the level.
    LevelName,
    /// Name of the opcode.
    OpcodeName,
    /// Name of the task.
    TaskName,
    /// Names of the keywords, a list.
    Keywords,
    /// Names and values of the payload, a dictionary.
    Properties,
    /// The message, or the payload.
    Message,
    /// The user.
    Sid,
}

/// In the order of the record.
const NAMES: [(&str, TwapiField); 23] = [
    ("-eventid", TwapiField::EventId),
    ("-version", TwapiField::Version),
    ("-channel", TwapiField::Channel),
    ("-level", TwapiField::Level),
    ("-opcode", TwapiField::Opcode),
    ("-task", TwapiField::Task),
    ("-keywordmask", TwapiField::KeywordMask),
    ("-timecreated", TwapiField::TimeCreated),
    ("-tid", TwapiField::Tid),
    ("-pid", TwapiField::Pid),
    ("-providerguid", TwapiField::ProviderGuid),
    ("-usertime", TwapiField::UserTime),
    ("-kerneltime", TwapiField::KernelTime),
    ("-providername", TwapiField::ProviderName),
    ("-eventguid", TwapiField::EventGuid),
    ("-channelname", TwapiField::ChannelName),
    ("-levelname", TwapiField::LevelName),
    ("-opcodename", TwapiField::OpcodeName),
    ("-taskname", TwapiField::TaskName),
    ("-keywords", TwapiField::Keywords),
    ("-properties", TwapiField::Properties),
    ("-message", TwapiField::Message),
    ("-sid", TwapiField::Sid),
];

impl TwapiField {
    /// Returns all fields, in the order of the record.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.into_iter().map(|(_, field)| field)
    }

    /// Returns the fields that TWAPI writes by default.
    pub const fn usual() -> [Self; 7] {
        use TwapiField::{LevelName, Message, OpcodeName, Pid, ProviderName, TaskName, TimeCreated};
        [TimeCreated, LevelName, ProviderName, Pid, TaskName, OpcodeName, Message]
    }

    /// Returns the field of that name; the hyphen before it may be missing.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if name.starts_with('-') { Cow::from(name) } else { Cow::from(format!("-{name}")) };
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
    }

    /// Returns its name, with the hyphen.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, field)| *field == self).map_or("", |(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        assert!(TwapiField::all().all(|field| TwapiField::from_name(field.name()) == Some(field)));
        assert_eq!(TwapiField::all().count(), 23);
        assert_eq!(TwapiField::from_name("pid"), Some(TwapiField::Pid));
        assert_eq!(TwapiField::from_name("--pid"), None);
        let usual = TwapiField::usual().map(TwapiField::name).join(" ");
        assert_eq!(usual, "-timecreated -levelname -providername -pid -taskname -opcodename -message");
    }
}
