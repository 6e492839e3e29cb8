//! The macro behind the table of parsers in `lib.rs`.

/// Makes the functions and types of this crate of a table. A row is about one parser, rows are in the order in which
/// the parsers are asked for schemas. A row has the name of a feature, then what applies, in this order:
///
/// * `mod NAME = CRATE`: re-exports the crate as a module
/// * `parser TYPE`: a parser that is always there; `TYPE` has a default
/// * `added FIELD: TYPE => PARSER`, with a doc comment: a parser made from what a user adds; `FIELD` is one of
///   [`Additions`](crate::Additions), `TYPE` is re-exported and has `entries()`, and `PARSER` is made from it by
///   [`From`]
/// * `stacks TYPE`: a parser for [`with_stacks`](crate::with_stacks)
/// * `lists FUNCTION`: the schemas that are built in, for [`built_in`](crate::built_in)
macro_rules! registry {
    ($(
        $feature:literal:
        $(mod $module:ident = $krate:ident;)?
        $(parser $parser:ty;)?
        $($(#[doc = $doc:literal])* added $field:ident: $home:ident::$added:ident => $from:ty;)?
        $(stacks $stacks:ty;)?
        $(lists $lists:path;)?
    )*) => {
        $($(
            #[cfg(feature = $feature)]
            pub use $krate as $module;
        )?)*

        $($(
            #[cfg(feature = $feature)]
            #[doc(no_inline)]
            pub use $home::$added;
        )?)*

        /// The files that a user adds to the built-in parsers.
        #[derive(Debug, Default)]
        #[non_exhaustive]
        pub struct Additions {
            $($(
                $(#[doc = $doc])*
                #[cfg(feature = $feature)]
                pub $field: $added,
            )?)*
        }

        impl Additions {
            /// Returns every schema that was added, in the order in which parsers are asked; an error for each that
            /// cannot be made. Of a symbol store there is nothing, since only a trace names the files that it needs.
            pub fn entries(&self) -> impl Iterator<Item = etwkit::Result<SchemaEntry>> + '_ {
                let all = std::iter::empty();
                $($(
                    #[cfg(feature = $feature)]
                    let all = all.chain(self.$field.entries());
                )?)*
                all
            }
        }

        /// Returns every parser whose feature is on, with what a user adds.
        pub fn with(additions: Additions) -> Parsers {
            // Not used if all features with additions are off.
            let _ = &additions;
            let parsers = Parsers::none();
            $(
                $(
                    #[cfg(feature = $feature)]
                    let parsers = parsers.with(<$parser as Default>::default());
                )?
                $(
                    #[cfg(feature = $feature)]
                    let parsers = parsers.with(<$from as From<_>>::from(additions.$field));
                )?
            )*
            parsers
        }

        /// Returns the same parsers, and those that keep stacks: stacks that come in events of their own, of the kernel
        /// and the runtime, and stacks that any event carries in two parts; and the methods that their addresses lie in.
        pub fn with_stacks(parsers: Parsers) -> Parsers {
            $($(
                #[cfg(feature = $feature)]
                let parsers = parsers.with(<$stacks as Default>::default());
            )?)*
            parsers
        }

        /// Returns every schema that is built in, in lists that are made on demand: all of them together
        /// are large. A list is a table, or a provider of the bundled facts.
        pub fn built_in() -> impl Iterator<Item = Vec<SchemaEntry>> {
            let all = std::iter::empty();
            $($(
                #[cfg(feature = $feature)]
                let all = all.chain(std::iter::once_with($lists).flatten());
            )?)*
            all
        }
    };
}

pub(crate) use registry;
