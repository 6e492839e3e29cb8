//! Which of several sorted runs is next.

/// A tournament of runs by the keys of their heads; equal keys by number. As long as the head of the winner stays before
/// all others, nothing is compared but with the best of these: events of one processor often come many in a row.
#[derive(Debug, Default)]
pub(super) struct LoserTree {
    /// The loser of each match, from the final at 1 on; 0 is unused.
    losers: Vec<Head>,
    winner: Head,
    /// The best of the others.
    second: Head,
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

impl Default for Head {
    fn default() -> Self {
        Self::END
    }
}

impl LoserTree {
    /// Starts with the keys of all runs; `None` for one that has none.
    pub(super) fn start(&mut self, keys: impl ExactSizeIterator<Item = Option<i64>>) {
        let runs = keys.len();
        // The winners of all matches; the leaves are at `runs` and after.
        let mut winners = vec![Head::END; runs];
        winners.extend(keys.enumerate().map(|(run, key)| Head::of(run, key)));
        self.losers.clear();
        self.losers.resize(runs, Head::END);
        for node in (1..runs).rev() {
            let [a, b] = [2 * node, 2 * node + 1].map(|child| winners.get(child).copied().unwrap_or_default());
            if let (Some(winner), Some(loser)) = (winners.get_mut(node), self.losers.get_mut(node)) {
                (*winner, *loser) = (a.min(b), a.max(b));
            }
        }
        self.winner = winners.get(1).copied().unwrap_or_default();
        self.second = self.best_loser();
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
            self.replay(head);
        }
    }

    #[inline(never)]
    fn replay(&mut self, mut head: Head) {
        let losers = self.losers.as_mut_slice();
        let mut node = losers.len().wrapping_add(self.winner.run() as usize) / 2;
        while node > 0 {
            let Some(loser) = losers.get_mut(node) else { break };
            (*loser, head) = (head.max(*loser), head.min(*loser));
            node /= 2;
        }
        self.winner = head;
        self.second = self.best_loser();
    }

    /// Returns the best of the runs that lost: it lost to the winner.
    #[inline]
    fn best_loser(&self) -> Head {
        let losers = self.losers.as_slice();
        let mut best = Head::END;
        let mut node = losers.len().wrapping_add(self.winner.run() as usize) / 2;
        while node > 0 {
            let Some(loser) = losers.get(node) else { break };
            best = best.min(*loser);
            node /= 2;
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merges runs, and returns the numbers of the runs in the order of their heads.
    fn merged(runs: &[Vec<i64>]) -> Vec<(i64, usize)> {
        let mut tree = LoserTree::default();
        tree.start(runs.iter().map(|run| run.first().copied()));
        let (mut places, mut order) = (vec![0; runs.len()], Vec::new());
        while let Some(run) = tree.winner() {
            order.push((runs[run][places[run]], run));
            places[run] += 1;
            tree.next(runs[run].get(places[run]).copied());
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
