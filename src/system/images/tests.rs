//! Which image was at an address when, and what its file is.

use super::*;
use crate::time::FileTime;

const fn at(tick: i64) -> Moment {
    Moment { tick, time: Some(FileTime(tick)) }
}

fn image(pid: u32, base: u64, size: u64, path: &str) -> Image {
    Image::new(pid, base, size, path)
}

#[test]
fn an_address_belongs_to_an_image_for_a_time() {
    let (mut all, mut budget) = (Images::default(), StateBudget::default());
    all.exists(None, 0.into(), image(0, 0xffff_0000, 0x1000, r"\SystemRoot\nt.exe"), &mut budget);
    all.exists(None, 7.into(), image(7, 0x1000, 0x1000, r"\a.dll"), &mut budget);
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
    let (mut listed, mut unloaded) = (first.clone(), first);
    listed.exists(None, 7.into(), made("b"), &mut budget);
    unloaded.unload(at(20), 7.into(), made("b"), &mut budget);
    for all in [&mut listed, &mut unloaded] {
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
        let names = [9, 10, 20, from - 1, from, 40].map(|tick| all.at(7, 0x1000, Ticks::one(tick)).map(Image::file_name));
        assert_eq!(names, [None, Some("a"), Some("a"), before, Some("b"), Some("b")], "{from}");
    }
    // An image whose beginning no event of the kernel states is not there before another one ended.
    let (mut all, mut others) = (Images::default(), Images::default());
    all.exists(None, 7.into(), made("c"), &mut budget);
    others.load(at(1), 7.into(), made("b"), &mut budget);
    others.unload(at(5), 7.into(), made("b"), &mut budget);
    all.freeze(others);
    let names = [0, 1, 5, 6].map(|tick| all.at(7, 0x1000, Ticks::one(tick)).map(Image::file_name));
    assert_eq!(names, [None, Some("b"), Some("b"), Some("c")]);
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
    all.exists(None, 7.into(), image(7, 0x1000, 0x1000, "fifth"), &mut other);
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
        all.exists(None, pid.into(), image(pid, 0x1000, 0x1000, "a.dll"), &mut budget);
    }
    all.freeze(Images::default());
    let pdbs: Vec<_> = all.list().iter().filter_map(|image| image.pdb.clone()).collect();
    assert!(pdbs.len() == 3 && pdbs.iter().all(|pdb| Arc::ptr_eq(pdb, &pdbs[0])));
}
