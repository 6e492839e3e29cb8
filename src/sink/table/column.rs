//! What a column shows.

/// A column: something of the header, or a field of the payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Column {
    /// Time, RFC 3339.
    Time,
    /// Raw time stamp.
    RawTime,
    /// Provider name.
    Provider,
    /// Provider GUID.
    ProviderGuid,
    /// `Task/Opcode`.
    Event,
    /// Event id; message number for WPP.
    Id,
    /// Version.
    Version,
    /// Level.
    Level,
    /// Opcode.
    Opcode,
    /// Task.
    Task,
    /// Keywords.
    Keywords,
    /// Channel.
    Channel,
    /// The process that the event is about.
    Pid,
    /// The thread that the event is about.
    Tid,
    /// Processor.
    Cpu,
    /// Activity.
    Activity,
    /// Related activity.
    RelatedActivity,
    /// How the event names its schema.
    Kind,
    /// Where its schema came from.
    Schema,
    /// The message with its values.
    Message,
    /// All fields as a JSON object.
    Fields,
    /// Bytes of the payload that no readable field holds, hexadecimal.
    Extra,
    /// The first top-level field of that name.
    Field(Box<str>),
    /// The top-level field at a place of the schema.
    Place(usize),
}

const NAMES: [(&str, Column); 22] = [
    ("time", Column::Time),
    ("raw_time", Column::RawTime),
    ("provider", Column::Provider),
    ("provider_guid", Column::ProviderGuid),
    ("event", Column::Event),
    ("id", Column::Id),
    ("version", Column::Version),
    ("level", Column::Level),
    ("opcode", Column::Opcode),
    ("task", Column::Task),
    ("keywords", Column::Keywords),
    ("channel", Column::Channel),
    ("pid", Column::Pid),
    ("tid", Column::Tid),
    ("cpu", Column::Cpu),
    ("activity", Column::Activity),
    ("related_activity", Column::RelatedActivity),
    ("kind", Column::Kind),
    ("schema", Column::Schema),
    ("message", Column::Message),
    ("fields", Column::Fields),
    ("extra", Column::Extra),
];

impl Column {
    /// The column of that name: one of the header, else the field of the payload. `fields.id` is always a field.
    pub fn from_name(name: &str) -> Self {
        let known = NAMES.iter().find(|(known, _)| *known == name).map(|(_, column)| column.clone());
        known.unwrap_or_else(|| Self::Field(name.strip_prefix("fields.").unwrap_or(name).into()))
    }

    /// Its name; a field that is called like a column of the header is `fields.id`.
    pub fn name(&self) -> String {
        match self {
            Self::Field(name) => field_name(name),
            Self::Place(place) => format!("#{place}"),
            other => NAMES.iter().find(|(_, column)| column == other).map_or("", |(name, _)| name).to_owned(),
        }
    }

    /// The columns of a table of all events.
    pub fn usual() -> Vec<Self> {
        let unusual = [Self::ProviderGuid, Self::Schema];
        NAMES.into_iter().map(|(_, column)| column).filter(|column| !unusual.contains(column)).collect()
    }

    /// The columns of the header in a table of one type of event.
    pub(super) fn header() -> Vec<Self> {
        use Column::{Activity, Cpu, Keywords, Level, Pid, RawTime, RelatedActivity, Tid, Time};
        vec![Time, RawTime, Pid, Tid, Cpu, Level, Keywords, Activity, RelatedActivity]
    }
}

/// A field's name, apart from the names of the header.
pub(super) fn field_name(name: &str) -> String {
    if NAMES.iter().any(|(known, _)| *known == name) { format!("fields.{name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for name in ["time", "extra", "ImageName", "fields.id"] {
            assert_eq!(Column::from_name(name).name(), name);
        }
        assert_eq!(Column::from_name("fields.id"), Column::Field("id".into()));
        assert_eq!(Column::from_name("fields.ImageName"), Column::from_name("ImageName"));
        assert_eq!(Column::usual().len(), 20);
    }
}
