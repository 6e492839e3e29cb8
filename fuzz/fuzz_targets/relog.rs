//! `cargo +nightly fuzz run relog fuzz/corpus/relog fuzz/seeds/relog`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(relog);
