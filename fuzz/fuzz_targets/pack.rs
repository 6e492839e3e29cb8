//! `cargo +nightly fuzz run pack fuzz/corpus/pack fuzz/seeds/pack`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(pack);
