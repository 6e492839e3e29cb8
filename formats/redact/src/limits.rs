//! Limits on the memory that a trace can cause.

/// Maximum number of secrets with pseudonyms.
pub(crate) const MOST_SECRETS: usize = 1_000_000;
/// Maximum number of bytes of their texts.
pub(crate) const MOST_SECRET_BYTES: usize = 64 << 20;
/// Maximum number of words that are looked for in all bytes.
pub(crate) const MOST_WORDS: usize = 100_000;
/// Maximum number of bytes of these words. The automaton that finds them takes about a hundred times as much.
pub(crate) const MOST_WORD_BYTES: usize = 1 << 20;
/// Maximum number of bytes of words, in all their forms, up to which the words of a name have cases of their own each.
pub(crate) const MOST_CASE_BYTES: usize = 1 << 20;
/// Maximum number of bytes of arguments of command lines that are looked for in all bytes.
pub(crate) const MOST_ARGUMENT_BYTES: usize = 1 << 20;
/// Number of words from which on no arguments are added to them: room is left for names.
pub(crate) const MOST_ARGUMENTS: usize = MOST_WORDS / 2;
/// Bytes of arguments and names that are one word: longer ones are several.
pub(crate) const LONGEST_PIECE: usize = 256;
/// Maximum number of pairs `X\Y` that are kept until it is known which `X` are domains.
pub(crate) const MOST_PAIRS: usize = 50_000;
/// How often an event is searched again because pseudonyms made up a secret by chance.
pub(crate) const MOST_ROUNDS: usize = 8;
/// How many pseudonyms are tried until one is found that is not a secret itself.
pub(crate) const MOST_ATTEMPTS: u32 = 16;
/// How often the bytes of an event are summed for the checksums of packets that are nested in it.
pub(crate) const MOST_SUMMED: usize = 4;
