//! `cargo +nightly fuzz run packets fuzz/corpus/packets fuzz/seeds/packets`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(packets);
