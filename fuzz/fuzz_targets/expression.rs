//! `cargo +nightly fuzz run expression fuzz/corpus/expression fuzz/seeds/expression`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(expression);
