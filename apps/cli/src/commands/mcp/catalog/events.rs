//! Tools that return events and count them.

use crate::commands::mcp::tools::{Action, Form, Kind, Property, Tool};

use super::shared::{FILTERS, PAGE, SCHEMAS, TRACE};

pub(super) const COUNT: Tool = Tool {
    name: "count",
    about: "Count events in groups, the largest first: by provider and event unless group_by names other keys.",
    action: Action::Run(&["count", "--format=jsonl"], Form::Rows),
    properties: &[
        &[
            TRACE,
            Property::option(
                "group_by",
                Kind::Texts,
                "--group-by",
                "Keys: provider, event, process, pid, tid, level, fields of the payload ...",
            ),
            Property::option("by_time", Kind::Text, "--by-time", "Count each span of time apart: 1s, 200ms"),
            Property::option("top", Kind::Number, "--top", "Only the N largest groups"),
        ],
        SCHEMAS,
        FILTERS,
        PAGE,
    ],
};

pub(super) const EVENTS: Tool = Tool {
    name: "events",
    about: "Return events in order of time, with all fields by name.",
    action: Action::Run(&["dump", "--format=jsonl"], Form::Rows),
    properties: &[
        &[
            TRACE,
            Property::option(
                "fields",
                Kind::Texts,
                "--fields",
                "Only these: time, provider, event, process, pid, message, fields of the payload ...",
            ),
            Property::option("stacks", Kind::Flag, "--stacks", "With call stacks"),
        ],
        SCHEMAS,
        FILTERS,
        PAGE,
    ],
};
