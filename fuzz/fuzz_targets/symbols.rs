//! `cargo +nightly fuzz run symbols fuzz/corpus/symbols fuzz/seeds/symbols`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(symbols);
