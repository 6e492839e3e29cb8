//! `cargo +nightly fuzz run selectors fuzz/corpus/selectors fuzz/seeds/selectors`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(selectors);
