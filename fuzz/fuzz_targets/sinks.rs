//! `cargo +nightly fuzz run sinks fuzz/corpus/sinks fuzz/seeds/sinks`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(sinks);
