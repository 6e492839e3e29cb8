//! The part of an event that every header kind knows.

/// Time, origin, CPU times and payload of an event being built.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Common {
    pub(super) time: i64,
    pub(super) pid: u32,
    pub(super) tid: u32,
    pub(super) kernel_time: u32,
    pub(super) user_time: u32,
    pub(super) payload: Vec<u8>,
}

/// The setters of [`Common`], for builders with a field `common`.
macro_rules! common_setters {
    () => {
        /// Raw time stamp in the session's clock.
        #[must_use]
        pub fn at(mut self, time: i64) -> Self {
            self.common.time = time;
            self
        }

        /// Process id and thread id; dropped by kinds whose header has none.
        #[must_use]
        pub fn by(mut self, pid: u32, tid: u32) -> Self {
            (self.common.pid, self.common.tid) = (pid, tid);
            self
        }

        /// Kernel and user time in timer ticks (in private sessions: halves of one u64).
        #[must_use]
        pub fn cpu_times(mut self, kernel: u32, user: u32) -> Self {
            (self.common.kernel_time, self.common.user_time) = (kernel, user);
            self
        }

        /// The payload.
        #[must_use]
        pub fn payload(mut self, payload: impl Into<Vec<u8>>) -> Self {
            self.common.payload = payload.into();
            self
        }
    };
}
pub(super) use common_setters;
