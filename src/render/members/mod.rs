//! Members of an event's object that are not fields of the payload, whatever they are written to: JSON lines, a
//! serializer, or the value of one of them.

mod items;
mod member;
mod rest;
mod stack;

pub(crate) use items::write_items;
#[cfg(feature = "output")]
pub(crate) use member::push_member_value;
pub(crate) use member::{MemberValue, MemberWriter};
pub(crate) use rest::{write_details, write_message_options, write_rest};
#[cfg(feature = "output")]
pub(crate) use stack::{NO_ROOM, bytes_of, frame_value};
pub(crate) use stack::{NameRoom, write_stack};
