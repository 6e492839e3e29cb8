//! How parsers add facts. Each fact comes with the event that states it, so that its time cannot be of a wrong unit.

use std::sync::Arc;

use crate::bytes::Guid;
use crate::event::RawEvent;
use crate::time::FileTime;

use super::{Image, MachineFacts, MethodCode, ProcessFacts, StackOwner, StackPart, System};

/// What [observers](crate::parser::Observer) add. Facts beyond the caps are not kept but counted in [`System::budget`].
impl System {
    /// Adds what an event states about the machine; what was stated before counts.
    pub fn add_machine_facts(&mut self, facts: MachineFacts) {
        self.machine_facts.complete(facts);
    }

    /// Adds a mapping of a volume: paths that begin with `kernel` begin with `user` for users.
    pub fn add_volume(&mut self, kernel: &str, user: &str) {
        self.volumes.add_mapping(kernel, user, &mut self.budget);
    }

    /// Sets the directories of the system and of Windows.
    pub fn set_system_paths(&mut self, system: &str, windows: &str) {
        self.volumes.set_system_paths(system, windows, &mut self.budget);
    }

    /// Adds the start of a process.
    pub fn add_process_start(&mut self, event: &RawEvent<'_>, facts: ProcessFacts) {
        self.processes.start(self.timeline.moment(event), facts, &mut self.budget);
    }

    /// Adds the end of a process.
    pub fn add_process_end(&mut self, event: &RawEvent<'_>, facts: ProcessFacts) {
        self.processes.stop(self.timeline.rundown(event), facts, &mut self.budget);
    }

    /// Returns whether [`System::add_process_rundown`] and [`System::add_process_end`] change what is known of a
    /// process and take no names from the event, because the process is there: they need not be read.
    pub fn has_process(&self, facts: &ProcessFacts) -> bool {
        self.processes.has_open(facts)
    }

    /// Adds a process of a rundown at the beginning or the end of a session.
    pub fn add_process_rundown(&mut self, event: &RawEvent<'_>, facts: ProcessFacts) {
        self.processes.exists(self.timeline.rundown(event), facts, &mut self.budget);
    }

    /// Adds a process that ended before the event, and when, if the event states that. It changes nothing of a process
    /// that is known.
    pub fn add_process_defunct(&mut self, event: &RawEvent<'_>, facts: ProcessFacts, ended: Option<FileTime>) {
        self.processes.defunct(self.timeline.moment(event), facts, ended, &mut self.budget);
    }

    /// Adds the start of a thread.
    pub fn add_thread_start(&mut self, event: &RawEvent<'_>, tid: u32, pid: u32) {
        self.threads.start(self.timeline.of(event), tid, pid, &mut self.budget);
    }

    /// Adds the end of a thread.
    pub fn add_thread_end(&mut self, event: &RawEvent<'_>, tid: u32, pid: u32) {
        self.threads.stop(self.timeline.rundown(event), tid, pid, &mut self.budget);
    }

    /// Adds a thread of a rundown.
    pub fn add_thread_rundown(&mut self, event: &RawEvent<'_>, tid: u32, pid: u32) {
        self.threads.exists(self.timeline.rundown(event), tid, pid, &mut self.budget);
    }

    /// Adds a name that a thread has from the event on.
    pub fn add_thread_name(&mut self, event: &RawEvent<'_>, tid: u32, name: &str) {
        self.threads.name(self.timeline.of(event), tid, name, &mut self.budget);
    }

    /// Adds the load of an image; its time is that of the event.
    pub fn add_image_load(&mut self, event: &RawEvent<'_>, image: Image) {
        let owners = self.processes.owners(image.pid);
        self.images.load(self.timeline.moment(event), owners, image, &mut self.budget);
    }

    /// Adds the unload of an image; its time is that of the event.
    pub fn add_image_unload(&mut self, event: &RawEvent<'_>, image: Image) {
        let owners = self.processes.owners(image.pid);
        self.images.unload(self.timeline.moment(event), owners, image, &mut self.budget);
    }

    /// Returns whether [`System::add_image_unload`] ends an image that is there at an address of a process: the event's name
    /// need not be read.
    pub fn has_image(&self, pid: u32, base: u64) -> bool {
        self.images.is_open(self.processes.owners(pid), base)
    }

    /// Returns whether [`System::add_image_rundown`] changes nothing for an address of a process, because an event of the
    /// same session stated an image there, of this size and time stamp: the event's name need not be read. `file` returns
    /// them, and is called only if an image is there.
    pub fn has_image_file(
        &self,
        event: &RawEvent<'_>,
        (pid, base): (u32, u64),
        file: impl FnOnce() -> Option<(u64, u32)>,
    ) -> bool {
        let session = self.timeline.session(event);
        self.images.is_stated(session, (self.processes.owners(pid), base), file)
    }

    /// Adds an image of a rundown. Another one at its address is gone since the start of the session, if no event of the
    /// session has stated that one.
    pub fn add_image_rundown(&mut self, event: &RawEvent<'_>, image: Image) {
        let owners = self.processes.owners(image.pid);
        self.images.exists(self.timeline.rundown(event), owners, image, &mut self.budget);
    }

    /// Adds the PDB file, by GUID and age, of the image at an address of a process. The event is directly before or
    /// after the image's; `name` is only called if the file is not known yet.
    pub fn add_image_pdb(
        &mut self,
        event: &RawEvent<'_>,
        (pid, base): (u32, u64),
        pdb: (Guid, u32),
        name: impl FnOnce() -> Arc<str>,
    ) {
        let owners = self.processes.owners(pid);
        self.images.pdb((self.timeline.of(event), (owners, base)), pdb, name, &mut self.budget);
    }

    /// Returns whether [`System::add_image_header`] adds nothing for an address of a process, because the file of the
    /// image that is there has this time stamp and is known: its name need not be read.
    pub fn has_image_header(&self, (pid, base): (u32, u64), time_stamp: u32) -> bool {
        self.images.has_header((self.processes.owners(pid), base), time_stamp)
    }

    /// Adds the time stamp of the PE header and the original file name of the image at an address of a process. The
    /// event is directly before or after the image's.
    pub fn add_image_header(&mut self, event: &RawEvent<'_>, (pid, base): (u32, u64), time_stamp: u32, name: &str) {
        let owners = self.processes.owners(pid);
        self.images.header(self.timeline.of(event), (owners, base), (time_stamp, name), &mut self.budget);
    }

    /// Adds machine code of a method that is there from the event on.
    pub fn add_method_load(&mut self, event: &RawEvent<'_>, code: &MethodCode) {
        self.methods.load(self.timeline.of(event), self.processes.owners(code.pid), code, &mut self.budget);
    }

    /// Adds machine code of a method that is there until the event.
    pub fn add_method_unload(&mut self, event: &RawEvent<'_>, code: &MethodCode) {
        self.methods.unload(self.timeline.of(event), self.processes.owners(code.pid), code, &mut self.budget);
    }

    /// Adds machine code of a rundown, at the beginning or the end of a session. It is taken to be there for all of the
    /// trace in which no other code is at its addresses. Another method's code at its address is gone since the start of the
    /// session, if no event of the session has stated that one.
    pub fn add_method_rundown(&mut self, event: &RawEvent<'_>, code: &MethodCode) {
        self.methods.exists(self.timeline.rundown(event), self.processes.owners(code.pid), code, &mut self.budget);
    }

    /// Returns whether [`System::add_method_rundown`] adds nothing for code at `start` of the method of an id, because
    /// an event of the same session stated that code and it has a name: the event need not be read.
    pub fn has_method_name(&self, event: &RawEvent<'_>, pid: u32, start: u64, id: u64) -> bool {
        self.methods.has_name(self.timeline.session(event), self.processes.owners(pid), start, id)
    }

    /// Adds the path of a module, or the address of a script, by the id that methods have.
    pub fn add_method_module(&mut self, pid: u32, id: u64, path: &str) {
        self.methods.module(self.processes.owners(pid), id, path, &mut self.budget);
    }

    /// Adds a name that a file key or object has from the event on.
    pub fn add_file_name(&mut self, event: &RawEvent<'_>, key: u64, name: &str) {
        self.files.name(self.timeline.of(event), key, name, &mut self.budget);
    }

    /// Returns whether [`System::add_file_rundown`] adds nothing, because an event of the same session stated a name of
    /// the key: it need not be read.
    pub fn has_file_name(&self, event: &RawEvent<'_>, key: u64) -> bool {
        self.files.has(self.timeline.session(event), key)
    }

    /// Adds the end of a file key, whose name is known: the key may have another one in a later rundown.
    pub fn add_file_end(&mut self, event: &RawEvent<'_>, key: u64) {
        self.files.end(self.timeline.of(event), key, &mut self.budget);
    }

    /// Adds the name of a file key from a rundown or from the key's end. It holds from the beginning, or from the end of
    /// the name before; if another one holds, from the start of the session, or from the event if the session has stated
    /// that one.
    pub fn add_file_rundown(&mut self, event: &RawEvent<'_>, key: u64, name: &str) {
        self.files.had(self.timeline.rundown(event), key, name, &mut self.budget);
    }

    /// Adds the name of a kernel object from a rundown or from its end, as [`System::add_file_rundown`] does.
    pub fn add_object_rundown(&mut self, event: &RawEvent<'_>, address: u64, name: &str) {
        self.objects.had(self.timeline.rundown(event), address, name, &mut self.budget);
    }

    /// Adds a stack, or a part of one, that belongs to another event.
    pub fn add_stack(&mut self, owner: StackOwner, part: StackPart, frames: impl Iterator<Item = u64>) {
        let owner = owner.on(&self.timeline);
        self.stacks.add(owner, part, frames);
    }

    /// Adds a stack by its key; `event` is the one that carries the key.
    pub fn add_stack_key(&mut self, event: &RawEvent<'_>, owner: StackOwner, part: StackPart, key: u64) {
        let owner = owner.on(&self.timeline);
        self.stacks.add_key(owner, part, key, self.timeline.of(event));
    }

    /// Adds the definition of a stack's key. It comes when the key is made or given up, or in a rundown.
    pub fn add_stack_definition(&mut self, event: &RawEvent<'_>, key: u64, frames: impl Iterator<Item = u64>) {
        self.stacks.define(self.timeline.of(event), key, frames);
    }
}

/// What [observers](crate::parser::Observer) of other sources add: providers that describe the same processes and
/// images as the kernel's own events. What they state counts only of processes and images at whose id or
/// address the events of the kernel have none at that time, so that none is there twice, in whatever order and file the
/// events are.
impl System {
    /// Adds the start of a process, as a provider other than the kernel states it. It counts only if the
    /// events of the kernel have no process of the id at that time.
    pub fn add_secondary_process_start(&mut self, event: &RawEvent<'_>, facts: ProcessFacts) {
        self.others.processes.start(self.timeline.moment(event), facts, &mut self.budget);
    }

    /// Adds the end of a process, as a provider other than the kernel states it. It counts only if the
    /// events of the kernel have no process of the id at that time.
    pub fn add_secondary_process_end(&mut self, event: &RawEvent<'_>, facts: ProcessFacts) {
        self.others.processes.stop(self.timeline.rundown(event), facts, &mut self.budget);
    }

    /// Adds a process of a rundown by a provider other than the kernel. It counts only if the events of the kernel
    /// have no process of the id at that time.
    pub fn add_secondary_process_rundown(&mut self, event: &RawEvent<'_>, facts: ProcessFacts) {
        self.others.processes.exists(self.timeline.rundown(event), facts, &mut self.budget);
    }

    /// Adds the load of an image, as a provider other than the kernel states it; its time is that of the event. It counts
    /// only if the events of the kernel have no image at the address of the process at that time.
    pub fn add_secondary_image_load(&mut self, event: &RawEvent<'_>, image: Image) {
        let owners = self.others.processes.owners(image.pid);
        self.others.images.load(self.timeline.moment(event), owners, image, &mut self.budget);
    }

    /// Adds the unload of an image, as a provider other than the kernel states it; its time is that of the event. It counts
    /// only if the events of the kernel have no image at the address of the process at that time.
    pub fn add_secondary_image_unload(&mut self, event: &RawEvent<'_>, image: Image) {
        let owners = self.others.processes.owners(image.pid);
        self.others.images.unload(self.timeline.moment(event), owners, image, &mut self.budget);
    }
}
