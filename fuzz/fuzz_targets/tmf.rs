//! `cargo +nightly fuzz run tmf fuzz/corpus/tmf fuzz/seeds/tmf`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(tmf);
