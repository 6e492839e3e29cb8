//! `cargo +nightly fuzz run wevt fuzz/corpus/wevt fuzz/seeds/wevt`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(wevt);
