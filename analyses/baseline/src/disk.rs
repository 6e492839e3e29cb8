//! How long disks took: the time of a transfer since the disk was free for it.

use std::collections::HashMap;

/// When each disk was last done, raw time.
#[derive(Debug, Default)]
pub(crate) struct Disks {
    done: HashMap<u64, i64>,
}

impl Disks {
    /// Ticks that the disk served a transfer which took `elapsed` ticks and ended at `now`: it waited while the disk
    /// was busy with the one before. To be called for every transfer, in time order.
    pub(crate) fn service(&mut self, disk: u64, elapsed: i64, now: i64) -> i64 {
        let since = self.done.insert(disk, now).map_or(elapsed, |done| now.saturating_sub(done));
        elapsed.min(since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_waits_for_the_one_before() {
        let mut disks = Disks::default();
        assert_eq!(disks.service(0, 30, 100), 30);
        assert_eq!(disks.service(1, 30, 110), 30);
        assert_eq!(disks.service(0, 30, 120), 20);
        assert_eq!(disks.service(0, 30, 500), 30);
    }
}
