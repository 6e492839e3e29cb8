//! Whose images and methods are: ids of processes are reused.

/// A process id, and how many processes had it before, as far as events state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Owner {
    pub(super) pid: u32,
    pub(super) instance: u32,
}

/// The owners that an event of a process id may mean. They differ if the last process with the id has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Owners {
    /// Of what begins, or is there now.
    pub(super) now: Owner,
    /// The last process with the id: what ends, or is described later, may be of it.
    pub(super) last: Owner,
}

impl Owners {
    /// Returns what `find` has of the present owner, else of the last one.
    pub(super) fn find<T>(self, find: impl Fn(Owner) -> Option<T>) -> Option<T> {
        find(self.now).or_else(|| if self.now == self.last { None } else { find(self.last) })
    }
}

#[cfg(test)]
impl From<u32> for Owners {
    /// The only process with an id.
    fn from(pid: u32) -> Self {
        let owner = Owner { pid, instance: 0 };
        Self { now: owner, last: owner }
    }
}

#[cfg(test)]
mod tests {
    use crate::system::image::Image;
    use crate::system::images::Images;
    use crate::system::methods::{MethodCode, Methods};
    use crate::system::processes::Processes;
    use crate::system::timeline::{Moment, Rundown, Ticks};
    use crate::system::{ProcessFacts, StateBudget};
    use crate::time::FileTime;

    const fn at(tick: i64) -> Moment {
        Moment { tick, time: Some(FileTime(tick)) }
    }

    const fn listed(tick: i64) -> Rundown {
        Rundown { event: at(tick), session: at(0) }
    }

    fn facts(image: &str) -> ProcessFacts {
        ProcessFacts { image: image.into(), ..ProcessFacts::new(7) }
    }

    #[test]
    fn what_a_process_had_is_not_of_the_next_one_with_its_id() {
        let (mut processes, mut images, mut methods) = (Processes::default(), Images::default(), Methods::default());
        let budget = &mut StateBudget::default();
        let code = |start, name: &str| MethodCode { id: 1, name: name.into(), ..MethodCode::new(7, start, 16) };
        processes.start(at(10), facts("one.exe"), budget);
        images.load(at(11), processes.owners(7), Image::new(7, 0x1000, 0x100, "one.dll"), budget);
        methods.load(12, processes.owners(7), &code(0x100, ""), budget);
        processes.stop(listed(20), facts("one.exe"), budget);
        processes.start(at(30), facts("two.exe"), budget);
        // A rundown at the end.
        images.exists(listed(50), processes.owners(7), Image::new(7, 0x1000, 0x100, "two.dll"), budget);
        methods.exists(listed(50), processes.owners(7), &code(0x200, "Two()"), budget);
        methods.module(processes.owners(7), 0, "two.dll", budget);
        images.end_with_processes(&processes);
        methods.end_with_processes(&processes);
        images.freeze(Images::default());
        methods.freeze();
        let image = |tick| images.at(7, 0x1000, Ticks::one(tick)).map(Image::file_name);
        assert_eq!(
            [10, 11, 20, 30, 99].map(image),
            [None, Some("one.dll"), Some("one.dll"), Some("two.dll"), Some("two.dll")]
        );
        assert_eq!(images.list()[0].unload, Some(FileTime(20)));
        let method =
            |address, tick| methods.at(7, address, Ticks::one(tick)).map(|method| (method.name, method.module));
        assert_eq!([method(0x100, 29), method(0x100, 30)], [Some((None, None)), None]);
        assert_eq!([method(0x200, 20), method(0x200, 21)], [None, Some((Some("Two()"), Some("two.dll")))]);
    }

    #[test]
    fn an_image_is_unloaded_after_the_end_of_its_process() {
        let (mut processes, mut images) = (Processes::default(), Images::default());
        let budget = &mut StateBudget::default();
        processes.start(at(10), facts("one.exe"), budget);
        images.load(at(11), processes.owners(7), Image::new(7, 0x1000, 0x100, "one.dll"), budget);
        processes.stop(listed(20), facts("one.exe"), budget);
        images.unload(at(21), processes.owners(7), Image::new(7, 0x1000, 0x100, "one.dll"), budget);
        processes.start(at(30), facts("two.exe"), budget);
        images.end_with_processes(&processes);
        assert_eq!(images.list().len(), 1);
        assert_eq!((images.list()[0].load, images.list()[0].unload), (Some(FileTime(11)), Some(FileTime(21))));
    }
}
