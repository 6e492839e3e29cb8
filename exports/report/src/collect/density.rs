//! How much there is of something in each interval of time.

use crate::model::Heat;

/// Sums by lane and interval. Intervals are as short as the number of those with something in it allows: they begin at
/// 100 ns and are joined in pairs when there are too many. So a burst after hours of nothing keeps its shape.
#[derive(Clone, Debug)]
pub(crate) struct Density {
    /// An interval has `1 << shift` units.
    shift: u32,
    lanes: Vec<Vec<(i64, f64)>>,
    cells: usize,
    most: usize,
}

impl Density {
    /// Begins with so many lanes.
    pub(crate) fn new(lanes: usize) -> Self {
        Self { shift: 0, lanes: vec![Vec::new(); lanes], cells: 0, most: MOST_CELLS }
    }

    /// Adds something. Times come in order; one that does not counts in the interval of the one before it.
    pub(crate) fn add(&mut self, lane: usize, at: i64, amount: f64) {
        let cell = at.max(0) >> self.shift;
        let Some(lane) = self.lanes.get_mut(lane) else { return };
        match lane.last_mut() {
            Some((last, sum)) if cell <= *last => *sum += amount,
            _ => {
                lane.push((cell, amount));
                self.cells += 1;
            }
        }
        if self.cells > self.most {
            self.coarsen();
        }
    }

    /// Joins intervals until so many are left at most, or each lane has few.
    pub(crate) fn fit(&mut self, most: usize) {
        while self.cells > most && self.lanes.iter().any(|lane| lane.len() > 1) && self.shift < i64::BITS - 2 {
            self.coarsen();
        }
    }

    /// Returns the sum of a lane.
    pub(crate) fn total(&self, lane: usize) -> f64 {
        self.lanes.get(lane).map_or(0.0, |lane| lane.iter().map(|(_, sum)| sum).sum())
    }

    /// Returns the stretches of a lane that have something, in order.
    pub(crate) fn busy(&self, lane: usize) -> Vec<(i64, i64)> {
        let mut busy: Vec<(i64, i64)> = Vec::new();
        for (cell, _) in self.lanes.get(lane).into_iter().flatten() {
            let (start, end) = (cell << self.shift, (cell + 1) << self.shift);
            match busy.last_mut() {
                Some(last) if last.1 == start => last.1 = end,
                _ => busy.push((start, end)),
            }
        }
        busy
    }

    /// Returns the values of a lane.
    pub(crate) fn heat(&self, lane: usize) -> Heat {
        let mut cells = Vec::new();
        let mut before = 0;
        for (cell, sum) in self.lanes.get(lane).into_iter().flatten() {
            cells.extend([(cell - before) as f64, *sum]);
            before = *cell;
        }
        Heat { start: 0, step: 1 << self.shift, cells, full: None }
    }

    fn coarsen(&mut self) {
        self.shift += 1;
        for lane in &mut self.lanes {
            for (cell, _) in lane.iter_mut() {
                *cell >>= 1;
            }
            lane.dedup_by(|next, kept| {
                let is_same = next.0 == kept.0;
                if is_same {
                    kept.1 += next.1;
                }
                is_same
            });
        }
        self.cells = self.lanes.iter().map(Vec::len).sum();
    }
}

/// Intervals with something in them, while a trace is read: 16 MB.
const MOST_CELLS: usize = 1 << 20;

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "counts are whole numbers")]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_joined_and_sums_stay() {
        let mut density = Density { most: 8, ..Density::new(2) };
        for at in 0..1000 {
            density.add(usize::from(at % 3 == 0), at, 1.0);
        }
        assert_eq!(density.total(0) + density.total(1), 1000.0);
        assert!(density.cells <= 8);
        assert_eq!(density.busy(0), [(0, density.heat(0).step * ((999 >> density.shift) + 1))]);
        let heat = density.heat(1);
        assert_eq!(heat.cells.iter().skip(1).step_by(2).sum::<f64>(), density.total(1));
    }

    #[test]
    fn bursts_far_apart_stay_short() {
        let mut density = Density::new(1);
        for at in [0, 1, 2, 36_000_000_000, 36_000_000_001] {
            density.add(0, at, 1.0);
        }
        assert_eq!(density.busy(0), [(0, 3), (36_000_000_000, 36_000_000_002)]);
        assert_eq!(density.heat(0).cells, [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 35_999_999_998.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn times_that_run_back_are_counted() {
        let mut density = Density::new(1);
        for at in [5, 3, -9, 7] {
            density.add(0, at, 1.0);
        }
        assert_eq!((density.total(0), density.busy(0)), (4.0, vec![(5, 6), (7, 8)]));
    }
}
