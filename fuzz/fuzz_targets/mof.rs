//! `cargo +nightly fuzz run mof fuzz/corpus/mof fuzz/seeds/mof`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(mof);
