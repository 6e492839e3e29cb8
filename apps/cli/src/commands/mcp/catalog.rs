//! The tools.

use super::tools::{Action, Form, Kind, Place, Property, Tool};

/// All tools, in the order in which they are listed.
pub(super) static TOOLS: &[Tool] = &[
    Tool {
        name: "open",
        about: "Open a Windows trace log (.etl), or several as one trace, and return a name for it, with a summary: \
                system, duration, events, losses, and which analyses it can answer. Call this first.",
        action: Action::Open,
        properties: &[&[
            Property::new("paths", Kind::Texts, Place::Paths, "Files, folders or ARCHIVE!MEMBER").required()
        ]],
    },
    Tool { name: "close", about: "Forget a trace.", action: Action::Close, properties: &[&[TRACE]] },
    Tool {
        name: "info",
        about: "Return all that is known of a trace as a whole: session, machine, clock, providers, losses, damage, what \
                cannot be decoded.",
        action: Action::Run(&["info", "--together", "--format=jsonl"], Form::Object),
        properties: &[&[TRACE, SCHEMAS]],
    },
    Tool {
        name: "count",
        about: "Count events in groups, the largest first: by provider and event unless group_by says otherwise.",
        action: Action::Run(&["count", "--format=jsonl"], Form::Rows),
        properties: &[
            &[
                TRACE,
                Property::option(
                    "group_by",
                    Kind::Texts,
                    "--group-by",
                    "Keys: provider, event, process, pid, tid, \
                    level, fields of the payload ...",
                ),
                Property::option("by_time", Kind::Text, "--by-time", "Count each span of time apart: 1s, 200ms"),
                Property::option("top", Kind::Number, "--top", "Only the N largest groups"),
                SCHEMAS,
            ],
            FILTERS,
            PAGE,
        ],
    },
    Tool {
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
                    "Only these: time, provider, event, process, pid, \
                    message, fields of the payload ...",
                ),
                Property::option("stacks", Kind::Flag, "--stacks", "With call stacks"),
                SCHEMAS,
            ],
            FILTERS,
            PAGE,
        ],
    },
    Tool {
        name: "processes",
        about: "Return the processes of a trace: ids, parents, command lines, times, exit status, users.",
        action: Action::Run(&["analyze", "--format=jsonl", "--", "processes"], Form::Rows),
        properties: &[
            &[TRACE, Property::option("where", Kind::Text, "--where", "Condition on the columns: process ~ 'svchost'")],
            SORT,
            PAGE,
        ],
    },
    Tool {
        name: "analyze",
        about: "Answer a question with a table: cpu, gc, jit, disk, waits and others. Without a name, list the analyses \
                and what to record for those that the trace cannot answer.",
        action: Action::Run(&["analyze", "--format=jsonl"], Form::Rows),
        properties: &[
            &[
                TRACE,
                Property::new("name", Kind::Text, Place::Word, "The analysis"),
                Property::option("each", Kind::Flag, "--each", "A row for each thing that the rows add up"),
            ],
            SORT,
            FILTERS,
            PAGE,
        ],
    },
    Tool {
        name: "profile",
        about: "Return where CPU time went: functions with exclusive and inclusive weights, or stacks.",
        action: Action::Run(&["profile"], Form::Rows),
        properties: &[
            &[
                TRACE,
                Property::option(
                    "form",
                    Kind::Choice(&["json", "folded"]),
                    "--format",
                    "json: a row a function; \
                    folded: a line a stack, with its weight",
                )
                .required(),
                Property::option("unit", Kind::Choice(&["samples", "ms"]), "--unit", "What weights are counted in"),
            ],
            SORT,
            FILTERS,
            PAGE,
        ],
    },
    Tool {
        name: "diff",
        about: "Compare two traces: numbers of events, schemas, tables of analyses, functions. The largest changes come \
                first.",
        action: Action::Run(&["diff", "--format=json"], Form::Rows),
        properties: &[
            &[
                Property::new("before", Kind::Text, Place::Trace, "Name of the first trace").required(),
                Property::new("after", Kind::Text, Place::Trace, "Name of the second trace").required(),
                Property::option(
                    "only",
                    Kind::Texts,
                    "--only",
                    "Tables: events, schemas, functions, names of analyses",
                ),
                Property::option("min_percent", Kind::Number, "--min-percent", "Leave out smaller changes"),
                Property::option("most", Kind::Number, "--most", "Most changes of each table"),
            ],
            FILTERS,
            PAGE,
        ],
    },
    Tool {
        name: "schema",
        about: "Return the schemas of a trace's events as text: names, types and meanings of their fields.",
        action: Action::Run(&["schema"], Form::Lines),
        properties: &[&[TRACE, SCHEMAS], PAGE],
    },
];

const TRACE: Property =
    Property::new("trace", Kind::Text, Place::Trace, "Name of the trace, as `open` returned it").required();

const SCHEMAS: Property = Property::new(
    "schemas",
    Kind::Texts,
    Place::PathOption("--schemas"),
    "Files or folders with schemas: manifests, .tmf, .pdb, .mof, DLLs",
);

const PAGE: &[Property] = &[
    Property::new("limit", Kind::Number, Place::Limit, "Most rows of the answer; 50 unless given, 1000 at most"),
    Property::new("cursor", Kind::Text, Place::Cursor, "The next_cursor of the answer before, to go on there"),
];

const SORT: &[Property] =
    &[Property::option("sort", Kind::Texts, "--sort", "Columns to sort by; with a minus sign the largest come first")];

const FILTERS: &[Property] = &[
    Property::option("provider", Kind::Texts, "--provider", "Names or GUIDs, with * and ?"),
    Property::option("event", Kind::Texts, "--event", "Names Task/Opcode, with * and ?"),
    Property::option("process", Kind::Texts, "--process", "File names of images, with * and ?"),
    Property::option("pid", Kind::Texts, "--pid", "Process ids"),
    Property::option("tid", Kind::Texts, "--tid", "Thread ids"),
    Property::option("level", Kind::Text, "--level", "Most verbose level: critical, error, warning, info, verbose"),
    Property::option("since", Kind::Text, "--since", "Not before: 2021-09-09T14:59:35Z, or +1.5s from the start"),
    Property::option("until", Kind::Text, "--until", "Not after"),
    Property::option("grep", Kind::Texts, "--grep", "Text in names, messages or fields"),
    Property::option(
        "where",
        Kind::Text,
        "--where",
        "Condition on header, fields and columns: level <= warning and Size > 4096",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), TOOLS.len());
        for tool in TOOLS {
            let names: BTreeSet<&str> = tool.properties().map(|property| property.name).collect();
            assert_eq!(names.len(), tool.properties().count(), "{}", tool.name);
        }
    }
}
