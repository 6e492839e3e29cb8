//! Which image was at an address when, and what its file is.

use super::*;
use crate::time::FileTime;

const fn at(tick: i64) -> Moment {
    Moment { tick, time: Some(FileTime(tick)) }
}

const fn listed(tick: i64) -> Rundown {
    Rundown { event: at(tick), session: at(0) }
}

fn image(pid: u32, base: u64, size: u64, path: &str) -> Image {
    Image::new(pid, base, size, path)
}

#[test]
fn an_address_belongs_to_an_image_for_a_time() {
    let (mut all, mut budget) = (Images::default(), StateBudget::default());
    all.exists(listed(50), 0.into(), image(0, 0xffff_0000, 0x1000, r"\SystemRoot\nt.exe"), &mut budget);
    all.exists(listed(50), 7.into(), image(7, 0x1000, 0x1000, r"\a.dll"), &mut budget);
    all.unload(at(10), 7.into(), image(7, 0x1000, 0x1000, r"\a.dll"), &mut budget);
    all.load(at(20), 7.into(), image(7, 0x1000, 0x2000, r"\b.dll"), &mut budget);
    all.freeze(Images::default());
    let name = |pid, address, time| all.at(pid, address, Ticks::one(time)).map(Image::file_name);
    assert_eq!(name(7, 0x1fff, 5), Some("a.dll"));
    assert_eq!(name(7, 0x2000, 5), None);
    assert_eq!(name(7, 0x1000, 15), None);
    assert_eq!(name(7, 0x2000, 25), Some("b.dll"));
    assert_eq!(name(7, 0xffff_0123, 25), Some("nt.exe"));
    assert_eq!(name(8, 0x1000, 5), None);
}

#[test]
fn an_image_of_no_known_load_begins_after_what_was_there() {
    let mut budget = StateBudget::default();
    let made = |name: &str| image(7, 0x1000, 0x100, name);
    let mut first = Images::default();
    first.load(at(1), 7.into(), made("a"), &mut budget);
    first.unload(at(5), 7.into(), made("a"), &mut budget);
    let (mut rundown, mut unloaded) = (first.clone(), first);
    rundown.exists(listed(50), 7.into(), made("b"), &mut budget);
    unloaded.unload(at(20), 7.into(), made("b"), &mut budget);
    for all in [&mut rundown, &mut unloaded] {
        all.freeze(Images::default());
        let names = [0, 1, 5, 6, 20].map(|tick| all.at(7, 0x1010, Ticks::one(tick)).map(Image::file_name));
        assert_eq!(names, [None, Some("a"), Some("a"), Some("b"), Some("b")]);
    }
}

#[test]
fn of_images_without_an_unload_the_later_load_counts() {
    let (mut all, mut budget) = (Images::default(), StateBudget::default());
    all.load(at(1), 7.into(), image(7, 0x2000, 0x1000, "a"), &mut budget);
    all.load(at(10), 7.into(), image(7, 0x1000, 0x3000, "b"), &mut budget);
    all.freeze(Images::default());
    let name = |tick| all.at(7, 0x2010, Ticks::one(tick)).map(Image::file_name);
    assert_eq!([name(9), name(10)], [Some("a"), Some("b")]);
}

#[test]
fn an_image_is_there_when_a_rundown_lists_it() {
    let (mut all, mut budget) = (Images::default(), StateBudget::default());
    all.exists(listed(10), 7.into(), image(7, 0x1000, 0x1000, "listed"), &mut budget);
    // Its load was lost.
    all.unload(at(30), 7.into(), image(7, 0x1800, 0x1000, "gone"), &mut budget);
    all.freeze(Images::default());
    let name = |tick| all.at(7, 0x1010, Ticks::one(tick)).map(Image::file_name);
    assert_eq!([name(10), name(30), name(31)], [Some("listed"); 3]);
}

/// Of Kernel-Process, too, whose events are a tick later.
#[test]
fn images_of_two_sources_are_there_once_however_many_there_are() {
    let mut budget = StateBudget::default();
    let of = |delay: i64| {
        let mut all = Images::default();
        for turn in 0..400 {
            let made = || image(7, 0x1000, 0x100, "a");
            all.load(at(turn * 10 + delay), 7.into(), made(), &mut StateBudget::default());
            all.unload(at(turn * 10 + 5 + delay), 7.into(), made(), &mut StateBudget::default());
        }
        all
    };
    let mut all = of(0);
    all.load(at(5000), 7.into(), image(7, 0x1000, 0x100, "last"), &mut budget);
    all.freeze(of(1));
    assert_eq!(all.list().len(), 401);
}

/// The other ones are of Kernel-Process.
#[test]
fn an_image_of_another_source_counts_where_none_is_known_at_the_time() {
    let mut budget = StateBudget::default();
    let made = |name: &str| image(7, 0x1000, 0x100, name);
    let mut kernel = Images::default();
    kernel.load(at(10), 7.into(), made("a"), &mut budget);
    kernel.unload(at(20), 7.into(), made("a"), &mut budget);
    let mut others = Images::default();
    others.load(at(11), 7.into(), made("A"), &mut budget);
    others.unload(at(21), 7.into(), made("A"), &mut budget);
    let (mut loaded, mut unloaded) = (others.clone(), others);
    loaded.load(at(30), 7.into(), made("b"), &mut budget);
    unloaded.unload(at(40), 7.into(), made("b"), &mut budget);
    for (others, from, before) in [(loaded, 30, None), (unloaded, 21, Some("a"))] {
        let mut all = kernel.clone();
        all.freeze(others);
        let names =
            [9, 10, 20, from - 1, from, 40].map(|tick| all.at(7, 0x1000, Ticks::one(tick)).map(Image::file_name));
        assert_eq!(names, [None, Some("a"), Some("a"), before, Some("b"), Some("b")], "{from}");
    }
    // An image whose beginning no event of the kernel states is not there before another one ended.
    let (mut all, mut others) = (Images::default(), Images::default());
    all.exists(listed(50), 7.into(), made("c"), &mut budget);
    others.load(at(1), 7.into(), made("b"), &mut budget);
    others.unload(at(5), 7.into(), made("b"), &mut budget);
    all.freeze(others);
    let names = [0, 1, 5, 6].map(|tick| all.at(7, 0x1000, Ticks::one(tick)).map(Image::file_name));
    assert_eq!(names, [None, Some("b"), Some("b"), Some("c")]);
}

/// The unload of the first one is in no session.
#[test]
fn a_later_session_lists_the_next_image_at_an_address() {
    let made = |size, stamp, name: &str| Image { time_stamp: stamp, ..image(7, 0x1000, size, name) };
    let second = Rundown { event: at(51), session: at(50) };
    for next in [made(0x200, 0, "a"), made(0x100, 2, "a"), made(0x100, 1, "b")] {
        let (mut all, mut budget) = (Images::default(), StateBudget::default());
        all.exists(Rundown { event: at(11), session: at(10) }, 7.into(), made(0x100, 1, "a"), &mut budget);
        // Of the same session, and of the next one.
        assert!(
            all.is_stated(10, (7.into(), 0x1000), || Some((0x100, 1)))
                && !all.is_stated(50, (7.into(), 0x1000), || Some((0x100, 1)))
        );
        assert!(
            !all.is_stated(10, (7.into(), 0x1000), || Some((0x100, 2)))
                && !all.is_stated(10, (7.into(), 0x1000), || Some((1, 1)))
        );
        all.exists(second, 7.into(), next.clone(), &mut budget);
        assert!(all.is_stated(50, (7.into(), 0x1000), || Some((next.size, next.time_stamp))));
        all.exists(listed(5), 7.into(), made(0x300, 3, "earlier"), &mut budget);
        all.freeze(Images::default());
        let found =
            [0, 49, 50, 99].map(|tick| all.at(7, 0x1010, Ticks::one(tick)).map(|image| (image.size, &*image.path)));
        let (first, next) = (Some((0x100, "a")), Some((next.size, &*next.path)));
        assert_eq!(found, [first, first, next, next]);
        assert_eq!(all.list()[0].unload, Some(FileTime(50)));
    }
}

#[test]
fn what_a_later_session_lists_again_stays() {
    let (mut all, mut budget) = (Images::default(), StateBudget::default());
    for (tick, session, path) in [(11, 10, "\\a"), (51, 50, "\\Device\\A"), (59, 50, "b")] {
        let at = Rundown { event: at(tick), session: at(session) };
        all.exists(at, 7.into(), image(7, 0x1000, 0x100, path), &mut budget);
    }
    all.freeze(Images::default());
    let names = [0, 50, 58, 59].map(|tick| all.at(7, 0x1010, Ticks::one(tick)).map(Image::file_name));
    assert_eq!(names, [Some("a"), Some("a"), Some("a"), Some("b")]);
}

#[test]
fn an_identity_is_of_the_image_beside_it() {
    let (mut all, mut budget) = (Images::default(), StateBudget::default());
    let guid = |number: u32| Guid::from_u128(number.into());
    let mut add = |all: &mut Images, tick, number: u32| {
        all.pdb((tick, (7.into(), 0x1000)), (guid(number), 1), || format!("{number}.pdb").into(), &mut budget);
        all.header(tick, (7.into(), 0x1000), (number, "x.dll"), &mut budget);
    };
    let mut other = StateBudget::default();
    // Before the load; after the load; of a load that replaces an image without an identity of its own.
    add(&mut all, 10, 1);
    all.load(at(10), 7.into(), image(7, 0x1000, 0x1000, "first"), &mut other);
    all.unload(at(11), 7.into(), image(7, 0x1000, 0x1000, "first"), &mut other);
    all.load(at(20), 7.into(), image(7, 0x1000, 0x1000, "second"), &mut other);
    add(&mut all, 20, 2);
    all.unload(at(21), 7.into(), image(7, 0x1000, 0x1000, "second"), &mut other);
    all.load(at(30), 7.into(), image(7, 0x1000, 0x1000, "third"), &mut other);
    add(&mut all, 35, 4);
    all.load(at(35), 7.into(), image(7, 0x1000, 0x1000, "fourth"), &mut other);
    all.load(at(40), 7.into(), image(7, 0x1000, 0x1000, "fifth"), &mut other);
    // Of a rundown at the end, which lists the image again.
    add(&mut all, 50, 5);
    all.exists(listed(50), 7.into(), image(7, 0x1000, 0x1000, "fifth"), &mut other);
    all.freeze(Images::default());
    let found = |image: &Image| image.pdb.as_ref().map(|pdb| (pdb.guid, pdb.name.to_string(), image.time_stamp));
    let expected = |number: u32| Some((guid(number), format!("{number}.pdb"), number));
    let found: Vec<_> = all.list().iter().map(found).collect();
    assert_eq!(found, [expected(1), expected(2), None, expected(4), expected(5)]);
}

#[test]
fn equal_identities_are_one() {
    let (mut all, mut budget) = (Images::default(), StateBudget::default());
    for pid in 1..4 {
        let mut names = 0;
        let name = || {
            names += 1;
            "a.pdb".into()
        };
        all.pdb((5, (pid.into(), 0x1000)), (Guid::from_u128(7), 2), name, &mut budget);
        assert_eq!(names, u32::from(pid == 1), "the name is read once");
        all.exists(listed(50), pid.into(), image(pid, 0x1000, 0x1000, "a.dll"), &mut budget);
    }
    all.freeze(Images::default());
    let pdbs: Vec<_> = all.list().iter().filter_map(|image| image.pdb.clone()).collect();
    assert!(pdbs.len() == 3 && pdbs.iter().all(|pdb| Arc::ptr_eq(pdb, &pdbs[0])));
}
