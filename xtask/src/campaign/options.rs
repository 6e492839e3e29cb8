//! What was typed.

use std::path::PathBuf;
use std::time::Duration;

use crate::Done;
use crate::done::root;

/// Options of a campaign.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) files: u64,
    pub(super) seed: u64,
    /// The only case to run, with its damaged file kept.
    pub(super) only: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) corpus: Option<PathBuf>,
    pub(super) program: PathBuf,
}

impl Options {
    /// Reads `--name value` pairs.
    pub(super) fn parse(arguments: &[String]) -> Done<Self> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
        let program = target.join("release").join(format!("etwkit{}", std::env::consts::EXE_SUFFIX));
        let mut options =
            Self { files: 1000, seed: 1, only: None, time: None, corpus: etwkit_corpus::folder(), program };
        for pair in arguments.chunks(2) {
            let [name, value] = pair else { return Err(format!("{} needs a value", pair.concat()).into()) };
            match name.as_str() {
                "--files" => options.files = value.parse()?,
                "--seed" => options.seed = value.parse()?,
                "--only" => options.only = Some(value.parse()?),
                "--minutes" => options.time = Some(Duration::from_secs(60 * value.parse::<u64>()?)),
                "--corpus" => options.corpus = Some(value.into()),
                "--program" => options.program = value.into(),
                _ => return Err(format!("no option {name}").into()),
            }
        }
        if !options.program.is_file() {
            let built = "cargo build --release -p etwkit-cli";
            return Err(format!("{}: not there; `{built}` makes it", options.program.display()).into());
        }
        Ok(options)
    }
}
