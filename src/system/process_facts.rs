//! What events state about processes.

use std::sync::Arc;

use crate::time::FileTime;

/// Facts about a process from an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessFacts {
    /// Process id.
    pub pid: u32,
    /// Process id of the parent.
    pub parent: Option<u32>,
    /// Terminal session.
    pub session: Option<u32>,
    /// Address of the kernel's process object.
    pub key: Option<u64>,
    /// When it was created, if the event states so: with the id it identifies the process.
    pub created: Option<FileTime>,
    /// Exit status, if it ended.
    pub exit_status: Option<i32>,
    /// File name of its image as in the event: with or without directory.
    pub image: Arc<str>,
    /// Command line.
    pub command_line: Arc<str>,
    /// Full name of its application package.
    pub package: Arc<str>,
    /// User, as SID text.
    pub user: Arc<str>,
}

impl ProcessFacts {
    /// Makes a process of which nothing but the id is known.
    pub fn new(pid: u32) -> Self {
        Self { pid, ..Self::default() }
    }

    /// Takes over what is not known yet. Names are not replaced, so that memory stays counted.
    pub(super) fn fill(&mut self, other: &Self) {
        self.parent = self.parent.or(other.parent);
        self.session = self.session.or(other.session);
        self.key = self.key.or(other.key);
        self.created = self.created.or(other.created);
    }

    /// Returns whether both state that the process was created at the same time.
    pub(super) fn is_creation_of(&self, other: &Self) -> bool {
        self.created.is_some() && self.created == other.created
    }

    /// Returns whether the kernel has one object for both, which it may give to a later process.
    pub(super) fn is_object_of(&self, other: &Self) -> bool {
        self.key.is_some_and(|key| key != 0) && self.key == other.key && !self.is_other_than(other)
    }

    /// Returns whether the two cannot be of one process: they were created at different times, or the kernel has different
    /// objects for them.
    pub(super) fn is_other_than(&self, other: &Self) -> bool {
        let objects = || self.key.zip(other.key).filter(|(own, other)| *own != 0 && *other != 0);
        match self.created.zip(other.created) {
            Some((own, other)) => own != other,
            None => objects().is_some_and(|(own, other)| own != other),
        }
    }

    /// Bytes of all its names.
    pub(super) fn names_len(&self) -> usize {
        self.image.len() + self.command_line.len() + self.package.len() + self.user.len()
    }

    /// The names that processes have in common.
    pub(super) fn names_mut(&mut self) -> [&mut Arc<str>; 4] {
        [&mut self.image, &mut self.command_line, &mut self.package, &mut self.user]
    }
}
