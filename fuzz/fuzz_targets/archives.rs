//! `cargo +nightly fuzz run archives fuzz/corpus/archives fuzz/seeds/archives`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(archives);
