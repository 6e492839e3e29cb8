//! Which of several sorted runs is next.

/// A heap of runs by the keys of their heads; equal keys by number. As long as the head of the first one stays before all
/// others, it is compared only with the best of these: events of one processor often come many in a row.
#[derive(Debug)]
pub(super) struct RunHeap {
    /// No head is before that of its parent, half as far from the start. The number is odd, so that all have two children
    /// or none; that of the first is of no interest.
    heads: Vec<Head>,
    /// The first.
    winner: Head,
    /// The best of the others.
    second: Head,
}

impl Default for RunHeap {
    fn default() -> Self {
        Self { heads: Vec::new(), winner: Head::END, second: Head::END }
    }
}

/// The head of a run: its key above the number of the run, so that one comparison does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Head(u128);

impl Head {
    /// Stands for a run that has ended.
    const END: Self = Self(u128::MAX);

    #[inline]
    fn of(run: usize, key: Option<i64>) -> Self {
        // The least key is 0.
        key.map_or(Self::END, |key| Self(u128::from(key.cast_unsigned() ^ SIGN) << 64 | run as u128))
    }

    #[inline]
    const fn run(self) -> u32 {
        self.0 as u32
    }

    #[inline]
    const fn key(self) -> i64 {
        ((self.0 >> 64) as u64 ^ SIGN).cast_signed()
    }
}

const SIGN: u64 = 1 << 63;

impl RunHeap {
    /// Starts with the keys of all runs; `None` for one that has none.
    pub(super) fn start(&mut self, keys: impl Iterator<Item = Option<i64>>) {
        self.heads.clear();
        self.heads.extend(keys.enumerate().map(|(run, key)| Head::of(run, key)));
        self.heads.sort_unstable();
        if self.heads.len().is_multiple_of(2) {
            self.heads.push(Head::END);
        }
        self.settle(self.heads.first().copied().unwrap_or(Head::END));
    }

    /// Returns the run whose head is next; `None` if all have ended.
    #[inline]
    pub(super) const fn winner(&self) -> Option<usize> {
        if self.winner.run() == u32::MAX { None } else { Some(self.winner.run() as usize) }
    }

    /// Returns the greatest key with which the winner stays before all others.
    #[inline]
    pub(super) const fn limit(&self) -> i64 {
        let key = self.second.key();
        if self.winner.run() < self.second.run() { key } else { key.saturating_sub(1) }
    }

    /// Gives the winner a new head, `None` at its end.
    #[inline]
    pub(super) fn next(&mut self, key: Option<i64>) {
        let head = Head::of(self.winner.run() as usize, key);
        if key.is_none() || head > self.second {
            self.replace(head);
        }
    }

    /// Puts a head in the place of the winner's, and then down to where it belongs.
    #[inline(never)]
    fn replace(&mut self, head: Head) {
        let heads = self.heads.as_mut_slice();
        // Kept, because to read what was just written in two halves waits for all that was written before.
        let mut first = head;
        let mut at = 0;
        while let Some([left, right]) = heads.get(2 * at + 1..).and_then(<[Head]>::first_chunk) {
            let is_right = right < left;
            let child = if is_right { *right } else { *left };
            if head <= child {
                break;
            }
            if at == 0 {
                first = child;
            }
            if let Some(place) = heads.get_mut(at) {
                *place = child;
            }
            at = 2 * at + 1 + usize::from(is_right);
        }
        if let Some(place) = heads.get_mut(at) {
            *place = head;
        }
        self.settle(first);
    }

    /// Notes the best two, of which the first is given.
    fn settle(&mut self, first: Head) {
        self.winner = first;
        self.second = match *self.heads {
            [_, left, right, ..] => left.min(right),
            _ => Head::END,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merges runs, and returns the numbers of the runs in the order of their heads.
    fn merged(runs: &[Vec<i64>]) -> Vec<(i64, usize)> {
        let mut heap = RunHeap::default();
        heap.start(runs.iter().map(|run| run.first().copied()));
        let (mut places, mut order) = (vec![0; runs.len()], Vec::new());
        while let Some(run) = heap.winner() {
            order.push((runs[run][places[run]], run));
            places[run] += 1;
            heap.next(runs[run].get(places[run]).copied());
        }
        order
    }

    #[test]
    fn runs_are_merged_and_ties_go_to_the_first() {
        let mut state = 1_u64;
        let mut random = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % most
        };
        for count in 0..20 {
            let mut run = |_| {
                let mut keys: Vec<i64> = (0..random(30)).map(|_| random(40).cast_signed()).collect();
                keys.sort_unstable();
                keys
            };
            let runs: Vec<Vec<i64>> = (0..count).map(&mut run).collect();
            let keys = |(run, keys): (usize, &Vec<i64>)| keys.iter().map(|key| (*key, run)).collect::<Vec<_>>();
            let mut expected: Vec<(i64, usize)> = runs.iter().enumerate().flat_map(keys).collect();
            expected.sort_unstable();
            assert_eq!(merged(&runs), expected);
        }
    }

    #[test]
    fn the_greatest_key_is_not_the_end() {
        let runs = [vec![1, i64::MAX, i64::MAX], vec![i64::MAX], vec![i64::MIN, i64::MAX]];
        let order: Vec<usize> = merged(&runs).into_iter().map(|(_, run)| run).collect();
        assert_eq!(order, [2, 0, 0, 0, 1, 2]);
    }
}
