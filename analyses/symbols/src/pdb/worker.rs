//! A thread for each open PDB file.
//!
//! The context of `pdb-addr2line` borrows from what it reads, so it lives on a stack, and stays open only as long as
//! the function that made it runs. The thread of its own also has a stack of known size, and a panic on it ends there.

use std::cell::Cell;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

use super::reader;
use crate::caught::caught;
use crate::contents::Contents;
use crate::frame::Found;
use crate::limits::{MAX_PANICS, STACK};
use crate::options::Options;

/// An open PDB file. Dropping it closes the file.
#[derive(Debug)]
pub(crate) struct PdbNames {
    questions: Sender<u32>,
    answers: Receiver<Answer>,
}

/// What the thread sends: once when the file is open, then for each question.
type Answer = Result<Vec<Found>, String>;

impl PdbNames {
    /// Opens a PDB file. The error states what is wrong.
    pub(crate) fn open(contents: Contents, options: Options) -> Result<Self, String> {
        let (questions, received) = channel();
        let (answer, answers) = channel();
        let work = move || work(&contents, options, &received, &answer);
        let thread = Builder::new().name(THREAD.to_owned()).stack_size(STACK).spawn(work);
        thread.map_err(|error| format!("no thread to read it: {error}"))?;
        let opened = answers.recv().unwrap_or_else(|_| Err(super::damaged()));
        opened.map(|_| Self { questions, answers })
    }

    /// Returns the frames at an address, the innermost first; none if the file has no function there.
    pub(crate) fn frames(&self, rva: u32) -> Vec<Found> {
        let sent = self.questions.send(rva);
        sent.ok().and_then(|()| self.answers.recv().ok()?.ok()).unwrap_or_default()
    }
}

/// Answers questions until there are no more. An address at which `pdb-addr2line` panics has no names; the file is
/// opened again for the others, because a panic leaves its caches in any state.
fn work(contents: &Contents, options: Options, questions: &Receiver<u32>, answers: &Sender<Answer>) {
    let mut is_open = false;
    for _ in 0..=MAX_PANICS {
        let asked = Cell::new(false);
        let served = caught(|| {
            reader::serve(contents, options, |frames| {
                if !is_open {
                    is_open = true;
                    let _ = answers.send(Ok(Vec::new()));
                }
                while let Ok(rva) = questions.recv() {
                    asked.set(true);
                    let _ = answers.send(Ok(frames(rva)));
                    asked.set(false);
                }
            })
        });
        match served {
            Some(Ok(())) => return,
            Some(Err(error)) => {
                let _ = answers.send(Err(error));
                return;
            }
            None if asked.get() => drop(answers.send(Ok(Vec::new()))),
            None => break,
        }
    }
    let _ = answers.send(Err(super::damaged()));
}

/// The name of the threads, which the messages of panics have.
const THREAD: &str = "etwkit-symbols";
