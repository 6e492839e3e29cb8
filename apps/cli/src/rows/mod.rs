//! Tables of commands: one model of columns, by whose names rows are chosen, sorted and shown.
//!
//! A command makes [`Column`]s and hands rows of [`Cell`]s to a [`RowWriter`]. Everything else is here, the same for
//! all commands that print rows.
//!
//! | file | does |
//! |---|---|
//! | `column`, `cell`, `order` | name, kind and alignment of a column; a value and its texts; the order of values |
//! | `files` | the column `file` |
//! | `args` | `--format`, `-o`, `--fields`, `--sort`, `--first`, `--last` |
//! | `names` | finds the column that a name means; parts `--where` into conditions on rows and on events |
//! | `options` | what was typed |
//! | `plan` | what was typed, resolved for the columns |
//! | `watch` | why no row passes, and what looks misspelt in the conditions' values |
//! | `writer` | conditions, order, first and last rows |
//! | `print` | aligned text, CSV, JSON lines, made on any thread; files of typed columns |

mod args;
mod cell;
mod column;
mod files;
mod names;
mod options;
mod order;
mod plan;
mod print;
mod watch;
mod writer;

pub(crate) use args::{RowArgs, RowChoice};
pub(crate) use cell::{Cell, Spare};
pub(crate) use column::{Column, Kind};
pub(crate) use files::Files;
pub(crate) use names::{refuse_condition, split_condition, split_condition_of};
pub(crate) use options::{AnswerFormat, RowFormat, RowOptions};
pub(crate) use plan::RowPlan;
pub(crate) use print::{RowLines, TextCell};
pub(crate) use watch::{Outcome, number_as_text, text_as_number};
pub(crate) use writer::RowWriter;
