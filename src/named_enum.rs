//! Enums whose variants have a name in output.

/// Declares an enum of plain variants with their names in output, each written once: the type, the list of all
/// variants, and a method that returns the name.
macro_rules! named_enum {
    (
        $(#[$about:meta])+
        pub enum $enum:ident {
            $($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$about])+
        pub enum $enum {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl $enum {
            /// All of them, in the order of their declaration.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Returns its name in output, which does not change between versions.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}
