//! `cargo +nightly fuzz run walk fuzz/corpus/walk fuzz/seeds/walk`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(walk);
