//! Files of any kind as inputs of the engine.

use std::fs::File;
use std::io::{self, BufReader, Seek as _};
use std::path::Path;

use etwkit::error::IoAction;
use etwkit::input::Input;
use etwkit::{Error, ErrorKind};

use crate::archive::Archive;
use crate::limits::Limits;
use crate::packing::{Packing, first_bytes};
use crate::trace_names::is_trace_name;
use crate::unpacker::{Unpacked, Unpacker};

/// Collects inputs: files as they are, packed ones unpacked into memory. What a file is follows from its first bytes,
/// not from its name. Limits count all files together.
#[derive(Debug)]
pub struct Inputs {
    unpacker: Unpacker,
    opened: Vec<Input>,
    notes: Vec<String>,
}

impl Default for Inputs {
    fn default() -> Self {
        let unpacker = Unpacker::new(Limits::default()).keep(true);
        Self { unpacker, opened: Vec::new(), notes: Vec::new() }
    }
}

impl Inputs {
    /// Adds an input.
    pub fn add(&mut self, input: Input) {
        self.opened.push(input);
    }

    /// Adds a file: of gzip data the trace in it, of a zip archive all members that are called like traces, in the
    /// order of their names.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, exceeds a limit, or holds no trace where it is packed.
    pub fn add_path(&mut self, path: &Path) -> etwkit::Result<()> {
        let name = path.display().to_string();
        let failed = |source| Error::new(ErrorKind::Io { action: IoAction::Open, source }).of_file(&name);
        let mut file = File::open(path).map_err(failed)?;
        let known = file.metadata().map_err(failed)?;
        if known.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        let start = first_bytes(&mut file).map_err(failed)?;
        file.rewind().map_err(failed)?;
        match Packing::of(&start) {
            Packing::Gzip => {
                self.unpacker.begin(0);
                let reader = self.unpacker.counted(file);
                let unpacked = self.unpacker.gzip(&name, reader);
                self.add_unpacked(unpacked, &name)
            }
            Packing::Zip => {
                self.unpacker.begin(known.len());
                self.add_members(file, &name)
            }
            _ => {
                self.opened.push(Input::open(path)?);
                Ok(())
            }
        }
    }

    /// Returns the inputs, and what is missing of packed files, in sentences.
    pub fn into_parts(self) -> (Vec<Input>, Vec<String>) {
        (self.opened, self.notes)
    }

    fn add_members(&mut self, file: File, name: &str) -> etwkit::Result<()> {
        let archive = Archive::open(BufReader::new(file));
        let mut archive = archive.map_err(|error| Error::caller(error).of_file(name))?;
        let mut members: Vec<_> = archive.members().iter().filter(|one| is_trace_name(one.name())).cloned().collect();
        members.sort_by(|a, b| a.name().cmp(b.name()));
        if members.is_empty() {
            return Err(Error::caller("no member of the archive is called like a trace").of_file(name));
        }
        for member in members {
            let full = format!("{name}!{}", member.name());
            let unpacked = self.unpacker.member(&full, &mut archive, &member);
            self.add_unpacked(unpacked, &full)?;
        }
        Ok(())
    }

    fn add_unpacked(&mut self, unpacked: crate::Result<Unpacked>, name: &str) -> etwkit::Result<()> {
        let unpacked = unpacked.map_err(|error| Error::caller(error).of_file(name))?;
        self.notes.extend(unpacked.broken_off.map(|error| format!("{name} is not complete: {error}")));
        self.opened.push(Input::bytes(name, unpacked.bytes));
        Ok(())
    }
}
