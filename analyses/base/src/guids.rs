//! GUIDs of the providers and classes that several analyses read, by the names that the parsers have for them.

use etwkit::bytes::Guid;

/// Class of the kernel: disks.
pub const DISK_IO: Guid = Guid::from_u128(0x3d6fa8d4_fe05_11d0_9dda_00c04fd7ba7c);
/// Provider of the event that `etwkit relog` adds to a copy (`etwkit_relog::PROVIDER`).
pub const ETWKIT: Guid = Guid::from_u128(0x6c61_c9e6_3de7_527c_4012_f18b_01d9_a17c);
/// Class of the kernel: the session itself.
pub const EVENT_TRACE: Guid = Guid::from_u128(0x68fdd900_4a3e_11d1_84f4_0000f80464e3);
/// Class of the kernel: files.
pub const FILE_IO: Guid = Guid::from_u128(0x90cbdc39_4a3e_11d1_84f4_0000f80464e3);
/// Class of heaps of processes.
pub const HEAP_TRACE: Guid = Guid::from_u128(0x222962ab_6180_4b88_a825_346b75f2a24a);
/// Class of the kernel: images.
pub const IMAGE: Guid = Guid::from_u128(0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518);
/// Class of what merging adds about images.
pub use etwkit::format::IMAGE_ID;
/// Class of the kernel: memory, page faults among it.
pub const MEMORY: Guid = Guid::from_u128(0x3d6fa8d3_fe05_11d0_9dda_00c04fd7ba7c);
/// Class of the kernel: samples, interrupts, DPCs, marks.
pub const PERF_INFO: Guid = Guid::from_u128(0xce1dbfb4_137e_4da6_87b0_3f59aa102cbc);
/// Class of the kernel: power states.
pub const POWER: Guid = Guid::from_u128(0xe43445e0_0903_48c3_b878_ff0fccebdd04);
/// Class of the kernel: processes.
pub const PROCESS: Guid = Guid::from_u128(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c);
/// Class of the kernel: the registry.
pub const REGISTRY: Guid = Guid::from_u128(0xae53722e_c863_11d2_8659_00c04fa321a1);
/// Class of the kernel: stacks.
pub const STACK_WALK: Guid = Guid::from_u128(0xdef2fe46_7bd6_4b80_bd94_f57fe20d0ce3);
/// Class of the kernel: the machine, when a session ends.
pub const SYSTEM_CONFIG: Guid = Guid::from_u128(0x01853a65_418f_4f36_aefc_dc0f1d2fd235);
/// Class of the kernel: TCP.
pub const TCP_IP: Guid = Guid::from_u128(0x9a280ac0_c8e0_11d1_84e2_00c04fb998a2);
/// Class of the kernel: threads.
pub const THREAD: Guid = Guid::from_u128(0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c);
/// Class of the kernel: UDP.
pub const UDP_IP: Guid = Guid::from_u128(0xbf3a50c5_a9c9_4988_a005_2df0b7c80f80);
/// Class of what merging adds: ratings of the machine.
pub const WIN_SAT: Guid = Guid::from_u128(0xed54dff8_c409_4cf6_bf83_05e1e61a09c4);
/// The runtime of .NET Native.
pub const DOT_NET_NATIVE: Guid = Guid::from_u128(0x47c3ba0c_77f1_4eb0_8d4d_aef447f16a85);
/// `Microsoft-Windows-DotNETRuntime`.
pub const DOT_NET_RUNTIME: Guid = Guid::from_u128(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4);
/// `Microsoft-Windows-DotNETRuntimePrivate`.
pub const DOT_NET_RUNTIME_PRIVATE: Guid = Guid::from_u128(0x763fd754_7086_4dfe_95eb_c01a46faf4ca);
/// `Microsoft-Windows-DotNETRuntimeRundown`.
pub const DOT_NET_RUNTIME_RUNDOWN: Guid = Guid::from_u128(0xa669021c_c450_4609_a035_5af59af4df18);
/// `Microsoft-Windows-Kernel-File`.
pub const KERNEL_FILE: Guid = Guid::from_u128(0xedd08927_9cc4_4e65_b970_c2560fb5c289);
/// `Microsoft-Windows-Kernel-Memory`.
pub const KERNEL_MEMORY: Guid = Guid::from_u128(0xd1d93ef7_e1f2_4f45_9943_03d245fe6c00);
/// `Microsoft-Windows-Kernel-Network`.
pub const KERNEL_NETWORK: Guid = Guid::from_u128(0x7dd42a49_5329_4832_8dfd_43d979153a88);
/// `Microsoft-Windows-Kernel-Process`.
pub const KERNEL_PROCESS: Guid = Guid::from_u128(0x22fb2cd6_0e7b_422b_a0c7_2fad1fd0e716);
/// `System.Threading.Tasks.TplEventSource`.
pub const TPL: Guid = Guid::from_u128(0x2e5dba47_a3d2_4d16_8ee0_6671ffdcd7b5);
