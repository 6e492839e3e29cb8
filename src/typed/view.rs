//! What all views have in common.

use std::fmt::{self, Debug};

use crate::decode::{Event, FieldView, FromField};

use super::EventId;

/// An event that has a view. [`crate::typed_events!`] implements it for views.
///
/// It is implemented for a view of any lifetime, so that the name of the view identifies the event, as in
/// `Dispatcher::on::<ProcessStart>`.
pub trait TypedEvent {
    /// The view of an event.
    type View<'a>: Copy + Debug;

    /// The event's name, `Task/Opcode`.
    const NAME: &'static str;

    /// The ids of the event. The header must have one of them.
    const IDS: &'static [EventId];

    /// The accessors, each with the names that its field may have.
    const ACCESSORS: &'static [(&'static str, &'static [&'static str])];

    /// Returns the view of an event; `None` if it is another event, or one without a schema.
    fn view<'a>(event: &'a Event<'_>) -> Option<Self::View<'a>>;

    /// Calls every accessor and hands its name and its result to `visit`, in the order of [`TypedEvent::ACCESSORS`].
    fn each(view: &Self::View<'_>, visit: &mut dyn FnMut(&'static str, &dyn Debug));
}

/// The event behind a view.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(&'a Event<'a>);

impl<'a> Fields<'a> {
    /// Returns the fields of an event if it is the event `E` and has a schema.
    #[inline]
    pub fn of<E: TypedEvent>(event: &'a Event<'_>) -> Option<Self> {
        let schema = event.schema()?;
        let is_meant = |id: &EventId| id.is_of(event.raw()) && (!id.is_by_name() || schema.name() == Some(E::NAME));
        E::IDS.iter().any(is_meant).then_some(Self(event))
    }

    /// Returns the event.
    #[inline]
    pub const fn event(self) -> &'a Event<'a> {
        self.0
    }

    /// Returns the value of the first readable field of one of these names. `None` if this version of the event has no
    /// such field, the payload ends before it, or its value is not a `T`.
    #[inline]
    pub fn get<T: FromField<'a>>(self, names: &[&str]) -> Option<T> {
        T::from_field(&find(self.0, names)?).ok()
    }
}

/// Returns the first readable field that has one of these names. The accessors of all views go through here.
#[inline]
fn find<'a>(event: &'a Event<'a>, names: &[&str]) -> Option<FieldView<'a>> {
    names.iter().find_map(|name| event.own_field(name))
}

/// Hands each field of an event to a function by name; `false` if the event is of another type.
type EachField = fn(&Event<'_>, &mut dyn FnMut(&'static str, &dyn Debug)) -> bool;

/// A view, for code that handles views by name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ViewInfo {
    /// The event's name, `Task/Opcode`.
    pub name: &'static str,
    /// The ids of the event.
    pub ids: &'static [EventId],
    /// The accessors, each with the names that its field may have.
    pub accessors: &'static [(&'static str, &'static [&'static str])],
    each: EachField,
}

impl ViewInfo {
    /// Returns the view of `E`.
    pub const fn of<E: TypedEvent>() -> Self {
        Self { name: E::NAME, ids: E::IDS, accessors: E::ACCESSORS, each: each::<E> }
    }

    /// Hands the name and the result of every accessor to `visit`; `false` if it is another event.
    pub fn each(&self, event: &Event<'_>, visit: &mut dyn FnMut(&'static str, &dyn Debug)) -> bool {
        (self.each)(event, visit)
    }
}

fn each<E: TypedEvent>(event: &Event<'_>, visit: &mut dyn FnMut(&'static str, &dyn Debug)) -> bool {
    E::view(event).map(|view| E::each(&view, visit)).is_some()
}

/// Writes a view with the results of its accessors, as [`crate::typed_events!`] implements [`Debug`].
#[doc(hidden)]
pub fn debug<E: TypedEvent>(name: &str, view: &E::View<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut out = f.debug_struct(name);
    E::each(view, &mut |accessor, value| {
        out.field(accessor, value);
    });
    out.finish()
}
