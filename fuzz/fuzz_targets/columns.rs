//! `cargo +nightly fuzz run columns fuzz/corpus/columns fuzz/seeds/columns`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(columns);
