//! `cargo +nightly fuzz run learning fuzz/corpus/learning fuzz/seeds/learning`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(learning);
