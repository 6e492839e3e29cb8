//! What a tool is.

use serde_json::{Map, Value, json};

use crate::analyses::analyses;

/// A tool: a command of this program, and how its arguments are typed.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) action: Action,
    pub(super) properties: &'static [&'static [Property]],
}

/// What a call does.
#[derive(Clone, Copy)]
pub(super) enum Action {
    /// Gives files a name.
    Open,
    /// Forgets a name.
    Close,
    /// Runs a command.
    Run(&'static [&'static str], Form),
}

/// What a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A JSON object per line.
    Rows,
    /// Text.
    Lines,
    /// One JSON object.
    Object,
}

/// An argument.
pub(super) struct Property {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) place: Place,
    pub(super) about: &'static str,
    pub(super) is_required: bool,
}

/// What values an argument has.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    /// A list of texts.
    Texts,
    /// A whole number from 0 on.
    Number,
    /// A number from 0 on.
    Decimal,
    Flag,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// One of the values that the option of the command takes.
    Values,
    /// The name of an analysis.
    Analysis,
}

/// Where an argument is in the command line.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// The value of an option: `--where=...`.
    Option(&'static str),
    /// As [`Place::Option`], and the value is a path that must be allowed.
    PathOption(&'static str),
    /// The value of `--format`. JSON is the first choice and the usual one; all others are lines of text.
    Form,
    /// The name of an analysis, before the files: any other word would be taken for a file.
    Analysis,
    /// The files of a trace that is open, and the options that it was opened with.
    Trace,
    /// As [`Place::Trace`], and the trace is a single file or folder.
    SinglePath,
    /// Files to open.
    Paths,
    /// Which page of the output.
    Limit,
    Cursor,
}

impl Place {
    /// The least number that may be there.
    pub(super) const fn least(self) -> u64 {
        match self {
            Self::Limit => 1,
            _ => 0,
        }
    }
}

impl Tool {
    /// All its arguments.
    pub(super) fn properties(&self) -> impl Iterator<Item = &'static Property> {
        self.properties.iter().copied().flatten()
    }

    /// What the protocol lists. The command line has the values that options take.
    pub(super) fn listed(&self, command_line: &clap::Command) -> Value {
        let command = match self.action {
            Action::Run([name, ..], _) => command_line.find_subcommand(name),
            _ => None,
        };
        let properties: Map<String, Value> =
            self.properties().map(|property| (property.name.to_owned(), property.schema(command))).collect();
        let required: Vec<&str> =
            self.properties().filter(|property| property.is_required).map(|property| property.name).collect();
        json!({
            "name": self.name,
            "description": self.about,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        })
    }
}

impl Property {
    /// An argument that may be left out.
    pub(super) const fn new(name: &'static str, kind: Kind, place: Place, about: &'static str) -> Self {
        Self { name, kind, place, about, is_required: false }
    }

    /// The value of an option.
    pub(super) const fn option(name: &'static str, kind: Kind, option: &'static str, about: &'static str) -> Self {
        Self::new(name, kind, Place::Option(option), about)
    }

    /// An argument that must be there.
    pub(super) const fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    fn schema(&self, command: Option<&clap::Command>) -> Value {
        let mut schema = match self.kind {
            Kind::Text => json!({ "type": "string" }),
            Kind::Values => json!({ "type": "string", "enum": self.values(command) }),
            Kind::Decimal => json!({ "type": "number", "minimum": 0 }),
            Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            Kind::Number => json!({ "type": "integer", "minimum": self.place.least() }),
            Kind::Analysis => {
                json!({ "type": "string", "enum": analyses().map(|entry| entry.name).collect::<Vec<_>>() })
            }
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Choice(choices) => json!({ "type": "string", "enum": choices }),
        };
        if let Some(members) = schema.as_object_mut() {
            members.insert("description".to_owned(), self.about.into());
        }
        schema
    }

    /// The values that the option takes.
    fn values(&self, command: Option<&clap::Command>) -> Vec<String> {
        let Place::Option(option) = self.place else { return Vec::new() };
        let name = option.trim_start_matches('-');
        let argument = command.and_then(|command| command.get_arguments().find(|found| found.get_long() == Some(name)));
        let values = argument.map(clap::Arg::get_possible_values).unwrap_or_default();
        values.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name().to_owned()).collect()
    }
}
