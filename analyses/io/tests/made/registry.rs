//! Operations on the registry.

use etwkit_io_analyses::{RegistryByKey, RegistryEach};
use etwkit_synth::Payload;

use super::{EIGHT, Made, PID, found, is_near};

const NOT_FOUND: u32 = 0xc000_0034;
const NO_MORE_ENTRIES: u32 = 0x8000_001a;

impl Made {
    /// Adds an operation that ends at some microseconds and took others.
    fn registry(self, at: i64, took: i64, opcode: u16, (block, status): (u64, u32), name: &str) -> Self {
        let began = self.header.after(10 * (at - took));
        let payload = Payload::new().i64(began).u32(status).u32(0).ptr(EIGHT, block).utf16z(name);
        self.kernel(at, 0x0900 | opcode, 2, payload)
    }
}

fn made() -> Made {
    Made::new()
        .registry(100, 20, 11, (0x10, 0), r"Software\Tool")
        .registry(110, 0, 22, (0x20, 0), r"\REGISTRY\USER\S-1\Software\Tool")
        .registry(200, 5, 16, (0x20, 0), "Colour")
        .registry(300, 7, 16, (0x20, NOT_FOUND), "Size")
        .registry(400, 1, 18, (0x20, NO_MORE_ENTRIES), "")
        .registry(500, 3, 14, (0x20, 0), "Colour")
        .registry(600, 2, 27, (0x20, 0), "")
        // The address is used again.
        .registry(700, 0, 22, (0x20, 0), r"\REGISTRY\MACHINE\Other")
        .registry(800, 9, 13, (0x20, 0), "")
        .registry(900, 4, 11, (0, NOT_FOUND), r"\Registry\Machine\None")
        // A rundown at the end names what was there before.
        .registry(1_000, 0, 25, (0x10, 0), r"\REGISTRY\USER\S-1")
}

#[test]
fn keys_are_named_by_their_control_blocks() {
    let rows = found::<RegistryByKey>(&made().trace());
    let keys: Vec<_> = rows.iter().map(|row| (row.key.as_deref().unwrap(), row.operations, row.failures)).collect();
    let expected = [
        (r"\REGISTRY\USER\S-1\Software\Tool", 6, 1),
        (r"\REGISTRY\MACHINE\Other", 1, 0),
        (r"\Registry\Machine\None", 1, 1),
    ];
    assert_eq!(keys, expected);
    let tool = rows.first().unwrap();
    assert_eq!((tool.pid, tool.process.as_deref()), (Some(PID), Some("tool.exe")));
    assert_eq!((tool.opens, tool.closes, tool.value_queries, tool.enumerations, tool.value_sets), (1, 1, 2, 1, 1));
    assert!(is_near(tool.elapsed_ms_sum.unwrap(), 0.020 + 0.005 + 0.007 + 0.001 + 0.003 + 0.002), "{tool:?}");
    assert!(is_near(tool.elapsed_ms_max.unwrap(), 0.020));
}

#[test]
fn names_of_values_are_apart() {
    let rows = found::<RegistryEach>(&made().trace());
    let values: Vec<_> = rows.iter().filter_map(|row| Some((row.operation, row.value.as_deref()?))).collect();
    assert_eq!(values, [("query_value", "Colour"), ("query_value", "Size"), ("set_value", "Colour")]);
    assert_eq!(rows.iter().filter(|row| row.status == Some(NOT_FOUND)).count(), 2);
}
