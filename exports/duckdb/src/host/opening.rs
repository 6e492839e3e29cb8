//! The beginning of a scan.
#![expect(unsafe_code, reason = "calls the host")]

use crate::api::{Api, InitInfo};

/// A scan that begins.
#[derive(Debug)]
pub(crate) struct Opening {
    api: &'static Api,
    info: InitInfo,
}

impl Opening {
    /// # Safety
    ///
    /// `info` is what the host handed to the callback that is running.
    pub(crate) const unsafe fn new(api: &'static Api, info: InitInfo) -> Self {
        Self { api, info }
    }

    /// Returns the numbers of the columns that are asked for, in order. What is not a column of the function, such as
    /// the number of a row, has a number beyond those of all columns.
    pub(crate) fn columns(&self) -> Vec<usize> {
        // SAFETY: `info` is good until the callback returns.
        let count = unsafe { (self.api.init_get_column_count)(self.info) };
        // SAFETY: as above; there are as many columns.
        let column = |place| unsafe { (self.api.init_get_column_index)(self.info, place) };
        (0..count).map(|place| usize::try_from(column(place)).unwrap_or(usize::MAX)).collect()
    }

    /// Says how many threads may ask for rows.
    pub(crate) fn allow_threads(&self, threads: usize) {
        // SAFETY: `info` is good until the callback returns.
        unsafe { (self.api.init_set_max_threads)(self.info, threads as u64) }
    }
}
