//! Kernel event groups and the class GUIDs under which Windows reports them (section 5.10).

use crate::bytes::Guid;

/// `SystemTraceControlGuid`: the "Windows Kernel" provider, to which all kernel event classes belong.
pub const SYSTEM_PROVIDER: Guid = Guid::from_u128(0x9e814aad_3204_11d2_9a82_006008a86939);

/// `EventMetadata`: `TRACE_EVENT_INFO` blobs that merging adds (section 10.1).
pub const EVENT_METADATA: Guid = Guid::from_u128(0xbbccf6c1_6cd1_48c4_80ff_839482e37671);

/// `ImageId`: facts about the file of an image, which merging adds before the event that loads it.
pub const IMAGE_ID: Guid = Guid::from_u128(0xb3e675d7_2554_4f18_830b_2762732560de);

/// The group whose class has image loads.
const IMAGE_LOAD: u8 = 0x14;

const GROUPS: [u128; 0x1F] = [
    0x68fdd900_4a3e_11d1_84f4_0000f80464e3, // 00 EventTrace
    0x3d6fa8d4_fe05_11d0_9dda_00c04fd7ba7c, // 01 DiskIo
    0x3d6fa8d3_fe05_11d0_9dda_00c04fd7ba7c, // 02 PageFault
    0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c, // 03 Process
    0x90cbdc39_4a3e_11d1_84f4_0000f80464e3, // 04 FileIo
    0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c, // 05 Thread
    0x9a280ac0_c8e0_11d1_84e2_00c04fb998a2, // 06 TcpIp
    0x3282fc76_feed_498e_8aa7_e70f459d430e, // 07 Job
    0xbf3a50c5_a9c9_4988_a005_2df0b7c80f80, // 08 UdpIp
    0xae53722e_c863_11d2_8659_00c04fa321a1, // 09 Registry
    0x13976d09_a327_438c_950b_7f03192815c7, // 0A DbgPrint
    0x01853a65_418f_4f36_aefc_dc0f1d2fd235, // 0B SystemConfig
    0x99134383_5248_43fc_834b_529454e75df3, // 0C Spare1 (last branch records)
    0x42695762_ea50_497a_9068_5cbbb35e0b95, // 0D Wnf
    0x0268a8b6_74fd_4302_9dd0_6e8f1795c0cf, // 0E Pool
    0xce1dbfb4_137e_4da6_87b0_3f59aa102cbc, // 0F PerfInfo
    0x222962ab_6180_4b88_a825_346b75f2a24a, // 10 Heap
    0x89497f50_effe_4440_8cf2_ce6b1cdcaca7, // 11 Object
    0xe43445e0_0903_48c3_b878_ff0fccebdd04, // 12 Power
    0xa9152f00_3f58_4bee_92a1_70c7d079d5dd, // 13 ModBound
    0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518, // 14 ImageLoad
    0xb2d14872_7c5b_463d_8419_ee9bf7d23e04, // 15 Dpc
    0x7687a439_f752_45b8_b741_321aec0f8df9, // 16 Cc
    0x3ac66736_cc59_4cff_8115_8df50e39816b, // 17 CritSec
    0xdef2fe46_7bd6_4b80_bd94_f57fe20d0ce3, // 18 StackWalk
    0x9aec974b_5b8e_4118_9b92_3186d8002ce5, // 19 UmsEvent
    0x45d8cccd_539f_4b72_a8b7_5c683142609a, // 1A ALPC
    0xd837ca92_12b9_44a5_ad6a_3a65b3578aa8, // 1B SplitIo
    0xc861d0e2_a2c1_4d36_9f9c_970bab943a12, // 1C ThreadPool
    0x7f2a405c_69b5_4bf9_a1f5_30e8f1afab5e, // 1D Hypervisor
    0x2ce9a149_effe_42f0_a635_a1d39e26c8f2, // 1E HypervisorX
];

/// Returns the class GUID of a kernel event group; null for a group without one.
pub fn group_guid(group: u8) -> Guid {
    GROUPS.get(usize::from(group)).map_or(Guid::NULL, |&guid| Guid::from_u128(guid))
}

/// Returns the class GUID of a hook id. It is the group's, but for hook 0x030A: image loads are logged in the process
/// group.
#[inline]
pub fn hook_guid(hook: u16) -> Guid {
    group_guid(if hook == 0x030A { IMAGE_LOAD } else { (hook >> 8) as u8 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn image_loads_are_logged_in_the_process_group() {
        assert_eq!(hook_guid(0x030A), group_guid(0x14));
        assert_eq!(hook_guid(0x0301).to_string(), "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
        assert_eq!(hook_guid(0xFF01), Guid::NULL);
    }
}
