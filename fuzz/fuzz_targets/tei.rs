//! `cargo +nightly fuzz run tei fuzz/corpus/tei fuzz/seeds/tei`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(tei);
