//! `cargo +nightly fuzz run records fuzz/corpus/records fuzz/seeds/records`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(records);
