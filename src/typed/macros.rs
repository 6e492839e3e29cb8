//! The macro that makes views.

/// Makes views of events: structs that borrow an event and have an accessor for each of its fields.
///
/// All structs of one call have the same fields. Each has a name, the event's name (`Task/Opcode`) and a list of
/// [`EventId`](crate::typed::EventId)s, and an event must have one of these. A field is `accessor: Type = "Name";`, or
/// `= "Name" | "name";` where versions of the event spell it differently. A type is anything that implements
/// [`FromField`](crate::decode::FromField); its lifetime, if any, is `'a`. See [`crate::typed`] for an example.
#[macro_export]
macro_rules! typed_events {
    ($($(#[$about:meta])* pub struct $view:ident = $event:literal [$($id:expr),+ $(,)?];)+ { $($fields:tt)* }) => {
        $crate::typed_events!(@views { $($fields)* } $($(#[$about])* $view $event [$($id),+];)+);
    };
    // The fields are one token here, so that each view can repeat them.
    (@views $fields:tt $($(#[$about:meta])* $view:ident $event:literal [$($id:expr),+];)+) => {
        $($crate::typed_events!(@view $(#[$about])* $view $event [$($id),+] $fields);)+
    };
    (@view $(#[$about:meta])* $view:ident $event:literal [$($id:expr),+] {
        $($(#[$meaning:meta])* $accessor:ident: $type:ty = $($field:literal)|+;)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub struct $view<'a>($crate::typed::Fields<'a>);

        impl<'a> $view<'a> {
            /// Returns the view of an event; `None` if it is another event, or one without a schema.
            #[inline]
            pub fn from_event(event: &'a $crate::decode::Event<'_>) -> Option<Self> {
                $crate::typed::Fields::of::<Self>(event).map(Self)
            }

            /// Returns the event itself.
            #[inline]
            pub const fn event(&self) -> &'a $crate::decode::Event<'a> {
                self.0.event()
            }

            $($(#[$meaning])*
            #[inline]
            pub fn $accessor(&self) -> Option<$type> {
                self.0.get(&[$($field),+])
            })*
        }

        impl $crate::typed::TypedEvent for $view<'_> {
            type View<'a> = $view<'a>;
            const NAME: &'static str = $event;
            const IDS: &'static [$crate::typed::EventId] = &[$($id),+];
            const ACCESSORS: &'static [(&'static str, &'static [&'static str])] =
                &[$((stringify!($accessor), &[$($field),+])),*];

            #[inline]
            fn view<'a>(event: &'a $crate::decode::Event<'_>) -> Option<$view<'a>> {
                $view::from_event(event)
            }

            #[inline]
            fn each(view: &$view<'_>, visit: &mut dyn FnMut(&'static str, &dyn ::core::fmt::Debug)) {
                let _ = (view, &visit);
                $(visit(stringify!($accessor), &view.$accessor());)*
            }
        }

        impl ::core::fmt::Debug for $view<'_> {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::typed::debug::<Self>(stringify!($view), self, f)
            }
        }
    };
}
