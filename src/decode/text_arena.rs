//! Texts that are made while one event is looked at, so that callers can borrow them.
//!
//! Most texts in a payload are UTF-16 and cannot be lent as `&str`. A text is converted when it is first asked for, kept
//! beside the event, and freed when the next event takes its place. An event that nobody asks for texts costs nothing.

use std::sync::OnceLock;

/// A list that only grows while it is shared. Each text stands for one key, so an event holds each of its texts once.
#[derive(Debug, Default)]
pub(super) struct TextArena {
    first: OnceLock<Box<Node>>,
}

#[derive(Debug)]
struct Node {
    key: u32,
    text: String,
    next: OnceLock<Box<Node>>,
}

impl TextArena {
    /// Key of the event's name, where its schema has none.
    pub(super) const NAME: u32 = u32::MAX;
    /// Key of the provider's GUID as text.
    pub(super) const PROVIDER: u32 = u32::MAX - 1;

    /// Returns the text of a key; makes it if it is not there yet.
    pub(super) fn get_or_insert(&self, key: u32, make: impl FnOnce() -> String) -> &str {
        let mut slot = &self.first;
        while let Some(node) = slot.get() {
            if node.key == key {
                return &node.text;
            }
            slot = &node.next;
        }
        &slot.get_or_init(|| Box::new(Node { key, text: make(), next: OnceLock::new() })).text
    }

    /// Frees all texts.
    #[inline]
    pub(super) fn clear(&mut self) {
        if self.first.get().is_some() {
            self.free();
        }
    }

    /// One node after the other: dropping a long list as a whole would recurse.
    #[cold]
    fn free(&mut self) {
        let mut next = self.first.take();
        while let Some(mut node) = next {
            next = node.next.take();
        }
    }
}

impl Drop for TextArena {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_made_once_a_key() {
        let mut arena = TextArena::default();
        let first = arena.get_or_insert(3, || "three".to_owned());
        let again = arena.get_or_insert(3, || panic!("it is there"));
        assert_eq!((first, arena.get_or_insert(4, || "four".to_owned())), (again, "four"));
        arena.clear();
        assert_eq!(arena.get_or_insert(3, || "new".to_owned()), "new");
    }

    #[test]
    #[cfg_attr(miri, ignore = "so long a list takes hours")]
    fn a_long_list_is_freed_without_recursion() {
        let arena = TextArena::default();
        let mut slot = &arena.first;
        for key in 0..200_000 {
            slot = &slot.get_or_init(|| Box::new(Node { key, text: String::new(), next: OnceLock::new() })).next;
        }
        drop(arena);
    }
}
