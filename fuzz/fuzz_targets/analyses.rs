//! `cargo +nightly fuzz run analyses fuzz/corpus/analyses fuzz/seeds/analyses`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(analyses);
