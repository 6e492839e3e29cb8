//! `cargo +nightly fuzz run executor fuzz/corpus/executor fuzz/seeds/executor`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(executor);
