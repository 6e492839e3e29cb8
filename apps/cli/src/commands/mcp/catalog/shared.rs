//! Arguments of several tools.

use crate::commands::mcp::tools::{Kind, Place, Property};

pub(super) const TRACE: Property =
    Property::new("trace", Kind::Text, Place::Trace, "Name of the trace, as `open` returned it").required();

/// Files that describe events and addresses.
pub(super) const SCHEMAS: &[Property] = &[
    Property::new(
        "schemas",
        Kind::Texts,
        Place::PathOption("--schemas"),
        "Files or folders with schemas: .schema, manifests, .mof, DLLs",
    ),
    Property::new(
        "symbols",
        Kind::Texts,
        Place::PathOption("--symbols"),
        "Folders, symbol stores or files with .pdb and .tmf: they name native code in stacks, and define WPP messages",
    ),
];

pub(super) const PAGE: &[Property] = &[
    Property::new("limit", Kind::Number, Place::Limit, "Maximum number of rows; 50 unless given, at most 1000"),
    Property::new("cursor", Kind::Text, Place::Cursor, "The next_cursor of the answer before, to go on there"),
];

/// Columns and order of rows.
pub(super) const ROWS: &[Property] = &[
    Property::option("fields", Kind::Texts, "--fields", "Only these columns, in this order"),
    Property::option("sort", Kind::Texts, "--sort", "Columns to sort by; with a minus sign the largest come first"),
];

pub(super) const FILTERS: &[Property] = &[
    Property::option("provider", Kind::Texts, "--provider", "Names or GUIDs, with * and ?"),
    Property::option("event", Kind::Texts, "--event", "Names Task/Opcode, with * and ?"),
    Property::option("id", Kind::Texts, "--id", "Event ids"),
    Property::option("process", Kind::Texts, "--process", "File names of images, with * and ?"),
    Property::option("pid", Kind::Texts, "--pid", "Process ids"),
    Property::option("tid", Kind::Texts, "--tid", "Thread ids"),
    Property::option("level", Kind::Text, "--level", "Most verbose level: critical, error, warning, info, verbose"),
    Property::option("keyword", Kind::Text, "--keyword", "Any of these keyword bits: 16, 0x10"),
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
