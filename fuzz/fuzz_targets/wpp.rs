//! `cargo +nightly fuzz run wpp fuzz/corpus/wpp fuzz/seeds/wpp`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(wpp);
