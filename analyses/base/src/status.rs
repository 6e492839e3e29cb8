//! Status codes of the kernel.

/// Returns whether an `NTSTATUS` has the severity of an error (`NT_ERROR` of `ntdef.h`): warnings, such as the end of a
/// listing, are not failures.
pub const fn is_error(status: u32) -> bool {
    status >> 30 == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_no_errors() {
        // STATUS_SUCCESS, STATUS_PENDING, STATUS_NO_MORE_FILES, STATUS_OBJECT_NAME_NOT_FOUND
        assert_eq!([0, 0x103, 0x8000_0006, 0xc000_0034].map(is_error), [false, false, false, true]);
    }
}
