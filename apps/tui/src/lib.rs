#![doc = include_str!("../README.md")]

mod app;
mod completion;
mod detail_pane;
mod draw;
mod facet_pane;
mod host;
mod keys;
mod levels;
mod limits;
mod line_editor;
mod list_row;
mod list_view;
mod members;
mod prompt;
mod save;
mod search;
mod source;
mod terminal;

pub use app::App;
pub use host::{Host, SaveFile};
pub use terminal::{restore, run};
