//! Values of an event by name: fields of its header and fields of its payload.
//!
//! A [`Selector`] is a name as users type it. It refers to a [`HeaderField`] or to a `Path` into the payload.
//! [`HeaderField`] is the one list of header fields, and its values come from one place (`header_lookup`): JSON lines
//! print all of them, tables print chosen ones, queries compare them and tallies group by them.
//!
//! `docs/where.md` has the rules for names.

mod derived;
mod descend;
mod field_text;
mod header_field;
mod header_lookup;
mod header_value;
mod letter_case;
mod name;
mod path;
mod path_walk;
mod pick;
mod rare_field;
mod schema_paths;
mod selected;
mod selector;
mod syntax;
mod tokens;

pub(crate) use derived::{Placed, PlacedFacts, Role, derived_fields, derived_in_text, derived_value_of};
pub(crate) use descend::{Descent, exists, only, visit};
pub use header_field::{HeaderField, level_from_name};
pub(crate) use header_lookup::Settled;
pub use header_value::{HeaderValue, ProviderGuids};
pub use letter_case::same;
pub(crate) use letter_case::{fold, fold_letters};
pub(crate) use name::{Name, Place};
pub(crate) use path::Path;
pub(crate) use rare_field::task_guid;
pub use rare_field::{level_of, message_level};
pub(crate) use schema_paths::{is_all_of, leads_to};
pub(crate) use selected::Selected;
pub use selector::Selector;
pub use syntax::{SyntaxError, SyntaxReason};
pub(crate) use tokens::{Token, TokenKind, tokens, write_quoted};
