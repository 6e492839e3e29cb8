//! Tools that open traces and describe them.

use crate::commands::mcp::tools::{Action, Form, Kind, Place, Property, Tool};

use super::shared::{PAGE, SCHEMAS, TRACE};

pub(super) const OPEN: Tool = Tool {
    name: "open",
    about: "Open a Windows trace log (.etl), or several as one trace, and return a name for it, with a summary: system, \
            duration, events, losses, and which analyses it can answer. All other tools use the schemas and symbols \
            that are given here. Call this first.",
    action: Action::Open,
    properties: &[
        &[Property::new("paths", Kind::Texts, Place::Paths, "Files, folders or ARCHIVE!MEMBER").required()],
        SCHEMAS,
    ],
};

pub(super) const CLOSE: Tool =
    Tool { name: "close", about: "Forget a trace.", action: Action::Close, properties: &[&[TRACE]] };

pub(super) const INFO: Tool = Tool {
    name: "info",
    about: "Return all that is known of a trace as a whole: session, machine, clock, providers, losses, damage, what \
            cannot be decoded; `analyses` are the names of those that the trace can answer, `commands` what else there \
            is.",
    action: Action::Run(&["info", "--together", "--format=jsonl"], Form::Object),
    properties: &[
        &[
            TRACE,
            Property::option(
                "stacks",
                Kind::Flag,
                "--stacks",
                "Say how many call stacks were not joined with their events, and why",
            ),
        ],
        SCHEMAS,
    ],
};

pub(super) const SCHEMA: Tool = Tool {
    name: "schema",
    about: "Return the schemas of a trace's events as text: names, types and meanings of their fields.",
    action: Action::Run(&["schema"], Form::Lines),
    properties: &[
        &[
            TRACE,
            Property::option("provider", Kind::Text, "--provider", "Only of this provider: name or GUID, with * and ?"),
            Property::option("event", Kind::Text, "--event", "Only of these events: Task/Opcode, with * and ?"),
        ],
        SCHEMAS,
        PAGE,
    ],
};
