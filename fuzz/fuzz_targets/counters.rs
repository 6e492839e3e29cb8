//! `cargo +nightly fuzz run counters fuzz/corpus/counters fuzz/seeds/counters`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(counters);
