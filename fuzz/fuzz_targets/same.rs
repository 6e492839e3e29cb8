//! `cargo +nightly fuzz run same fuzz/corpus/same fuzz/seeds/same`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(same);
