//! `cargo +nightly fuzz run schema_text fuzz/corpus/schema_text fuzz/seeds/schema_text`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(schema_text);
