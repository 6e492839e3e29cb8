//! `cargo +nightly fuzz run parts fuzz/corpus/parts fuzz/seeds/parts`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(parts);
