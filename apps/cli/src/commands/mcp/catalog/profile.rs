//! Tools for profiles and the symbols of their frames.

use crate::commands::mcp::tools::{Action, Form, Kind, Place, Property, Tool};

use super::shared::{FILTERS, PAGE, ROWS, SCHEMAS, TRACE};

pub(super) const PROFILE: Tool = Tool {
    name: "profile",
    about: "Return where CPU time, allocations, exceptions, disk and file time or other weights went, by call stack: \
            functions with exclusive and inclusive weights, modules, processes, threads, callers and callees, call tree.",
    action: Action::Run(&["profile"], Form::Rows),
    properties: &[&[TRACE], WHAT, FRAMES, SCHEMAS, ROWS, FILTERS, PAGE],
};

const WHAT: &[Property] = &[
    Property::option("by", Kind::Values, "--by", "What is weighed; CPU samples unless given"),
    Property::option("counter", Kind::Text, "--counter", "With by pmc: the hardware counter, if there are several"),
    Property::option("unit", Kind::Values, "--unit", "What weights are counted in; what is usual for by unless given"),
    Property::new(
        "format",
        Kind::Choice(&["json", "tree", "folded"]),
        Place::Form,
        "json, unless given, has the rows of `rows`; tree is the call tree, folded a line for each path, both as text",
    ),
    Property::option("rows", Kind::Values, "--rows", "What a row is; a function unless given"),
    Property::option("of", Kind::Text, "--of", "With rows callers or callees: the function, with * and ?"),
];

const FRAMES: &[Property] = &[
    Property::option("thread", Kind::Texts, "--thread", "Only samples of threads with this id or name, with * and ?"),
    Property::option("include", Kind::Texts, "--include", "Only samples with one of these frames: '*!*Parse*'"),
    Property::option("exclude", Kind::Texts, "--exclude", "No samples with one of these frames"),
    Property::option("group", Kind::Values, "--group", "Makes frames that call each other one frame"),
    Property::option("fold", Kind::Decimal, "--fold", "Folds frames with less than this per cent of the weight"),
];

pub(super) const SYMBOLS: Tool = Tool {
    name: "symbols",
    about: "Return the modules with native code in stacks, the PDB files that they want, and whether `symbols` has them; \
            nothing is fetched.",
    action: Action::Run(&["symbols"], Form::Rows),
    properties: &[
        &[
            TRACE,
            Property::new(
                "format",
                Kind::Choice(&["json", "manifest", "urls"]),
                Place::Form,
                "json, unless given: a row for each module; manifest (for `symchk /im`) and urls: a line of text for \
                 each PDB file that was not found",
            ),
            Property::option(
                "server",
                Kind::Text,
                "--server",
                "With urls: the symbol server that addresses begin with",
            ),
        ],
        SCHEMAS,
        ROWS,
        FILTERS,
        PAGE,
    ],
};
