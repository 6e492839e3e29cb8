//! Traces of many events of a few kinds: for measuring what an event costs.

use crate::{Buffer, Guid, LogfileHeader, MessageEvent, ModernEvent, Payload, PointerSize, TraceBuilder, kernel};

/// The definition of the messages of [`messages`], as a TMF file has it.
pub const MESSAGES_TMF: &str = "2363c985-9b6e-3283-34a7-e8c27a60b889 made // SRC=made.c MJ= MN=\n\
    #typev made_c1 10 \"%0 [%!FUNC!] <-- Exit <DmfModule=0x%10!p! [%11!s!] n=%12!d! ntStatus=%13!s!>\" // LEVEL=L FUNC=f\n\
    {\np, ItemPtr -- 10\ns, ItemString -- 11\nn, ItemLong -- 12\nt, ItemNTSTATUS -- 13\n}\n";

fn builder() -> (LogfileHeader, TraceBuilder) {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    (header.clone(), TraceBuilder::new(header))
}

/// Samples, stacks, images and processes of the kernel.
pub fn kernel_events(count: u32) -> Vec<u8> {
    let (header, mut builder) = builder();
    let size = PointerSize::Eight;
    builder = builder.buffer(Buffer::on(0));
    for n in 0..count {
        let at = header.after(i64::from(n) * 10);
        let frames = [0xffff_f800_0100_2000, 0x7ff6_1a00_1234, 0x7ff6_1a00_0010];
        let event = match n % 4 {
            0 => kernel::sampled_profile(size, 0x7ff6_1a00_1234, 44),
            1 => kernel::stack_walk(size, header.after(i64::from(n - 1) * 10), 40, 44, &frames),
            2 => kernel::image(size, 0x1403, 0x7ff6_1a00_0000, 0x2_4000, 40, r"\Device\HarddiskVolume3\synth\app.exe"),
            _ => kernel::process(size, 0x0303, 40, "app.exe", r#""C:\synth\app.exe" --run"#),
        };
        builder = builder.log((n % 2) as u16, event.at(at).by(40, 44));
    }
    builder.build().bytes
}

/// Collections, allocations and `GCDynamic` events of the .NET runtime.
pub fn runtime_events(count: u32) -> Vec<u8> {
    let (header, mut builder) = builder();
    let runtime = Guid::new(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4);
    for n in 0..count {
        let event = |id, version| ModernEvent::new(runtime).id(id).version(version);
        let event = match n % 3 {
            0 => event(1, 2).opcode(1).payload(Payload::new().u32(n).u32(1).u32(0).u32(0).u16(7).u64(0)),
            1 => event(10, 3).opcode(10).payload(allocation_tick(n)),
            _ => event(39, 0).payload(committed_usage()),
        };
        builder = builder.log((n % 2) as u16, event.at(header.after(i64::from(n) * 10)).by(40, 44));
    }
    builder.build().bytes
}

fn allocation_tick(n: u32) -> Payload {
    let start = Payload::new().u32(n).u32(0).u16(7).u64(u64::from(n)).u64(0x7ff6_0000_1000);
    start.utf16z("System.String[]").u32(0).u64(0x1234_5678)
}

fn committed_usage() -> Payload {
    let data = Payload::new().u16(1).u64(1).u64(2).u64(3).u64(4).u64(5).into_bytes();
    Payload::new().utf16z("CommittedUsage").u32(42).bytes(&data).u16(7)
}

/// Messages of WPP with a pointer, a text, a number and a status, as [`MESSAGES_TMF`] defines them.
pub fn messages(count: u32) -> Vec<u8> {
    let (header, mut builder) = builder();
    let guid = Guid::new(0x2363_c985_9b6e_3283_34a7_e8c2_7a60_b889);
    for n in 0..count {
        let payload = Payload::new().ptr(PointerSize::Eight, 0xffff_a08d_1000_0080).ansi_z("Dmf_BufferPool");
        let event = MessageEvent::new(guid, 10).at(header.after(i64::from(n))).by(4, 8);
        builder = builder.log(0, event.payload(payload.u32(n).u32(0xc000_0022)));
    }
    builder.build().bytes
}
