//! `cargo +nightly fuzz run redact fuzz/corpus/redact fuzz/seeds/redact`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(redact);
