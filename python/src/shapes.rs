//! Shapes of objects: which members they have, and which values of these are the same in many.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;

use crate::tape::{Tape, Token};

/// The shape of an object that has none.
pub(crate) const NO_SHAPE: u32 = u32::MAX;
/// Members of an object that has a shape.
pub(crate) const MOST_MEMBERS: usize = 64;
/// Shapes that are kept: a crafted trace has any number of them.
const MOST_SHAPES: usize = 1 << 12;

/// A member of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Member(u64);

/// Marks an integer.
const INTEGER: u32 = 1 << 31;

impl Member {
    /// Returns a member whose value is a part of the shape, if it may be.
    fn of(key: u32, value: Option<&Token>) -> Self {
        let value = match value {
            Some(Token::Shared(number)) => number.checked_add(1).filter(|value| *value < INTEGER),
            Some(Token::Integer(value)) => {
                u32::try_from(*value).ok().filter(|value| *value < INTEGER).map(|value| value | INTEGER)
            }
            _ => None,
        };
        Self(u64::from(key) << 32 | u64::from(value.unwrap_or(0)))
    }

    /// Returns the number of the name.
    pub(crate) const fn key(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Returns the value, if all objects of the shape have the same.
    pub(crate) fn value(self) -> Option<Token> {
        match self.0 as u32 {
            0 => None,
            value if value & INTEGER != 0 => Some(Token::Integer(i64::from(value & !INTEGER))),
            value => Some(Token::Shared(value - 1)),
        }
    }
}

/// All shapes that the threads of a run have met, by number.
#[derive(Debug, Default)]
pub(crate) struct AllShapes(Mutex<All>);

#[derive(Debug, Default)]
struct All {
    numbers: HashMap<Arc<[Member]>, u32>,
    shapes: Vec<Arc<[Member]>>,
}

impl AllShapes {
    /// Returns how many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).shapes.len()
    }

    /// Returns the shapes from a number on.
    pub(crate) fn since(&self, number: usize) -> Vec<Arc<[Member]>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.shapes.get(number..).unwrap_or_default().to_vec()
    }

    fn number(&self, members: &Arc<[Member]>) -> u32 {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = all.numbers.get(members) {
            return *number;
        }
        let next = all.shapes.len();
        if next == MOST_SHAPES {
            return NO_SHAPE;
        }
        all.numbers.insert(Arc::clone(members), next as u32);
        all.shapes.push(Arc::clone(members));
        next as u32
    }
}

/// The shapes that one thread has met.
#[derive(Debug)]
pub(crate) struct Shapes {
    all: Arc<AllShapes>,
    known: HashMap<Arc<[Member]>, u32>,
    members: Vec<Member>,
}

impl Shapes {
    pub(crate) fn new(all: Arc<AllShapes>) -> Self {
        Self { all, known: HashMap::new(), members: Vec::new() }
    }

    /// Finds the shape of the object at a place. The values of some members are parts of it.
    #[inline]
    pub(crate) fn find(&mut self, tape: &mut Tape, place: usize, is_constant: impl Fn(u32) -> bool) {
        self.members.clear();
        for (key, value) in tape.members(place).take(MOST_MEMBERS + 1) {
            let value = tape.tokens.get(value).filter(|_| is_constant(key));
            self.members.push(Member::of(key, value));
        }
        tape.set_shape(place, self.number());
    }

    #[inline]
    fn number(&mut self) -> u32 {
        if self.members.len() > MOST_MEMBERS {
            return NO_SHAPE;
        }
        match self.known.get(&*self.members) {
            Some(number) => *number,
            None if self.known.len() == MOST_SHAPES => NO_SHAPE,
            None => self.meet(),
        }
    }

    #[cold]
    fn meet(&mut self) -> u32 {
        let members: Arc<[Member]> = self.members.as_slice().into();
        let number = self.all.number(&members);
        self.known.insert(members, number);
        number
    }
}
