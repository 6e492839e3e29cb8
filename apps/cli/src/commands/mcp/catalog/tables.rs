//! Tools that answer questions with tables.

use crate::commands::mcp::tools::{Action, Form, Kind, Place, Property, Tool};

use super::shared::{FILTERS, PAGE, ROWS, SCHEMAS, TRACE};

pub(super) const PROCESSES: Tool = Tool {
    name: "processes",
    about: "Return the processes of a trace: ids, parents, command lines, times, exit status, users.",
    action: Action::Run(&["analyze", "--format=jsonl", "--", "processes"], Form::Rows),
    properties: &[
        &[TRACE, Property::option("where", Kind::Text, "--where", "Condition on the columns: process ~ 'svchost'")],
        ROWS,
        PAGE,
    ],
};

pub(super) const ANALYZE: Tool = Tool {
    name: "analyze",
    about: "Answer a question with a table: cpu, gc, jit, disk, waits and others. Without a name, list the analyses and \
            what to record for those that the trace cannot answer.",
    action: Action::Run(&["analyze", "--format=jsonl"], Form::Rows),
    properties: &[
        &[
            TRACE,
            Property::new("name", Kind::Analysis, Place::Analysis, "The analysis"),
            Property::option("each", Kind::Flag, "--each", "One row for each item that the rows sum up"),
        ],
        SCHEMAS,
        ROWS,
        FILTERS,
        PAGE,
    ],
};

pub(super) const SPANS: Tool = Tool {
    name: "spans",
    about: "Return how long spans between start and stop events of any provider took: count, sum and percentiles by \
            provider and task. With list a row for each span, with tree which spans ran within which, across threads.",
    action: Action::Run(&["spans"], Form::Rows),
    properties: &[
        &[
            TRACE,
            Property::option("list", Kind::Flag, "--list", "A row for each span"),
            Property::option("tree", Kind::Flag, "--tree", "A row for each span, below the one that it ran in"),
            Property::option(
                "pair",
                Kind::Texts,
                "--pair",
                "START:STOP, events that are the start and the stop of a span, too: names, or numbers of opcodes",
            ),
            Property::option(
                "activity",
                Kind::Text,
                "--activity",
                "Only spans of this activity, an id or a path //1/2/3; with tree, all that happened within it",
            ),
            Property::new(
                "format",
                Kind::Choice(&["json", "folded"]),
                Place::Form,
                "json, unless given; folded: a line of text for each path of spans, with its exclusive milliseconds",
            ),
        ],
        SCHEMAS,
        ROWS,
        FILTERS,
        PAGE,
    ],
};

pub(super) const DIFF: Tool = Tool {
    name: "diff",
    about: "Compare two traces: numbers of events, schemas, tables of analyses, functions. The largest changes come \
            first.",
    action: Action::Run(&["diff", "--format=json"], Form::Rows),
    properties: &[
        &[
            Property::new("before", Kind::Text, Place::SinglePath, "Name of the first trace").required(),
            Property::new("after", Kind::Text, Place::SinglePath, "Name of the second trace").required(),
            Property::option("only", Kind::Texts, "--only", "Tables: events, schemas, functions, names of analyses"),
            Property::option("min_percent", Kind::Decimal, "--min-percent", "Leave out smaller changes"),
            Property::option("most", Kind::Number, "--most", "Maximum number of changes of each table"),
            Property::option(
                "fail_on",
                Kind::Texts,
                "--fail-on",
                "Limits such as gc.pause.sum>+10%: the notes list those that are exceeded",
            ),
        ],
        SCHEMAS,
        ROWS,
        FILTERS,
        PAGE,
    ],
};
