#!/usr/bin/env python3
"""Makes views/*.view from the facts about TraceEvent (names, types, order of fields; no code).

usage: views.py FACTS_DIR VIEWS_DIR [SCHEMA_DIR...]

Run once; the result is reviewed and kept. Computed fields are named in SOURCES below.
"""
import json, os, re, sys

# Parsers that TraceLog registers by itself: only their templates show in a baseline.
PARSERS = ("kernel threadpool_heap_critsec symbol clr gcdynamic clr_rundown clr_stress clr_private tpl jscript jsdumpheap "
           "aspnet iis kernel_file_manifest sampleprofiler applicationserver wpf interop").split()
NOT_REGISTERED = {"ThreadPoolTraceEventParser", "CritSecTraceEventParser", "ThreadPool", "CritSecTraceProvider"}

# (class, field) -> expression; class "*" for all.
SOURCES = {
    ("ProcessTraceData", "ImageFileName"): "@path ImageFileName",
    ("ThreadTraceData", "ParentThreadID"): "@parent_thread",
    ("ThreadTraceData", "ParentProcessID"): "@parent_process",
    ("CSwitchTraceData", "OldProcessID"): "@process_of OldThreadID",
    ("CSwitchTraceData", "OldProcessName"): "@process_name_of OldThreadID",
    ("DispatcherReadyThreadTraceData", "AwakenedProcessID"): "@process_of AwakenedThreadID",
    ("DequeueTraceData", "FirstEntry"): "@element Entry 0",
    ("DiskIOTraceData", "Priority"): "@bits IrpFlags 17 0x7",
    ("DiskIOTraceData", "IrpFlags"): "@bits IrpFlags 0 0xfff1ffff",
    ("DiskIOFlushBuffersTraceData", "IrpFlags"): "@bits IrpFlags 0 0xfff1ffff",
    ("DiskIOTraceData", "ElapsedTimeMSec"): "@milliseconds HighResResponseTime",
    ("DiskIOTraceData", "DiskServiceTimeMSec"): "@disk_service HighResResponseTime DiskNumber",
    ("SystemConfigIRQTraceData", "IRQNum"): "@defect_halves IRQGroup Reserved",
    ("SystemConfigPnPTraceData", "PdoName"): "@defect_before 4",
    ("SystemConfigPnPTraceData", "ServiceName"): "@defect_before 4",
    ("DiskIOFlushBuffersTraceData", "ElapsedTimeMSec"): "@milliseconds HighResResponseTime",
    ("DiskIOTraceData", "FileName"): "@file FileKey",
    ("RegistryTraceData", "ElapsedTimeMSec"): "@since InitialTime",
    ("RegistryTraceData", "Status"): "0",
    ("RegistryTraceData", "Index"): "0",
    ("RegistryValueTraceData", "ElapsedTimeMSec"): "@since InitialTime",
    ("RegistryValueTraceData", "Status"): "0",
    ("RegistryValueTraceData", "Index"): "0",
    ("RegistryValueTraceData", "KeyName"): "@none",
    ("CSwitchTraceData", "OldThreadWaitIdealProcessor"): "@bits OldThreadWaitIdealProcessor 0 0xff",
    ("EventTraceHeaderTraceData", "LogFileName"): "LogFileNameString",
    ("MapFileTraceData", "FileName"): "@file FileKey",
    ("FileIONameTraceData", "FileName"): "@path FileName",
    ("FileIOCreateTraceData", "FileName"): "@path FileName",
    # As the provider's own schema calls them.
    ("FileIOCreateTraceData", "IrpPtr"): "Irp",
    ("FileIOCreateTraceData", "FileAttributes"): "CreateAttributes",
    ("FileIOCreateTraceData", "CreateOptions"): "@bits CreateOptions 0 0xffffff",
    ("FileIOCreateTraceData", "CreateDisposition"): "@bits CreateOptions 24 0xff",
    ("FileIOSimpleOpTraceData", "FileName"): "@file FileKey FileObject",
    ("FileIOReadWriteTraceData", "FileName"): "@file FileKey FileObject",
    ("FileIOInfoTraceData", "FileName"): "@file FileKey FileObject",
    ("FileIODirEnumTraceData", "DirectoryName"): "@file FileKey FileObject",
    ("ImageLoadTraceData", "FileName"): "@path FileName",
    ("*", "BuildTime"): "@unix_time TimeDateStamp",
    ("MemoryHardFaultTraceData", "ElapsedTimeMSec"): "@since InitialTime",
    ("MemoryHardFaultTraceData", "FileName"): "@file FileKey",
    ("MemoryImageLoadBackedTraceData", "FileName"): "@file FileKey",
    ("MemoryPageAccessTraceData", "FileName"): "@file FileKey",
    ("*", "PageKind"): "@bits Identity 0 0xf",
    ("*", "PageList"): "@bits Identity 4 0x7",
    ("LastBranchRecordTraceData", "NumBranches"): "@count Branches",
    ("ISRTraceData", "ElapsedTimeMSec"): "@since InitialTime",
    ("DPCTraceData", "ElapsedTimeMSec"): "@since InitialTime",
    ("SampledProfileTraceData", "Priority"): "@bits Flags 3 0x1f",
    ("SampledProfileTraceData", "ExecutingDPC"): "@bits Flags 0 0x1",
    ("SampledProfileTraceData", "ExecutingISR"): "@bits Flags 1 0x1",
    ("VirtualAllocTraceData", "LengthHex"): "Length",
    ("VirtualAllocTraceData", "EndAddr"): "@sum BaseAddr Length",
    ("ObjectHandleTraceData", "ObjectName"): "@object Object",
    ("ObjectDuplicateHandleTraceData", "ObjectName"): "@object Object",
    ("StackWalkStackTraceData", "FrameCount"): "@count Stack",
    ("StackWalkDefTraceData", "FrameCount"): "@count Stack",
    ("ImageIDTraceData", "ProcessID"): "0",
    ("UdpIpTraceData", "context"): "@defect_join PID size",
    ("GCHeapStatsTraceData", "TotalHeapSize"): "@sum GenerationSize0 GenerationSize1 GenerationSize2 GenerationSize3 GenerationSize4",
    ("GCHeapStatsTraceData", "TotalPromoted"): "@sum TotalPromotedSize0 TotalPromotedSize1 TotalPromotedSize2 TotalPromotedSize3 TotalPromotedSize4",
    ("GCHeapStatsTraceData", "Depth"): "@depth TotalPromotedSize1 TotalPromotedSize2",
    ("GCBulkTypeTraceData", "TypeID_0"): "@element Values 0 TypeID",
    ("GCBulkTypeTraceData", "TypeName_0"): "@element Values 0 TypeName",
    ("FinalizeObjectTraceData", "TypeName"): "@type_name TypeID",
    ("*", "MethodFlags"): "@bits MethodFlags 0 0x0ffffc7f",
    ("*", "OptimizationTier"): "@tier MethodFlags",
    ("*", "ModuleILFileName"): "@file_name ModuleILPath",
    ("*", "CompactMechanisms"): "@top_bit CompactMechanisms",
    ("*", "ExpandMechanisms"): "@top_bit ExpandMechanisms",
    ("*", "ConcurrentCompactMechanisms"): "@top_bit ConcurrentCompactMechanisms",
    ("ClrThreadStackWalkTraceData", "FrameCount"): "@count Stack",
}
# Fields that older releases of TraceEvent do not show (class prefix, field): the first month that has them.
# Count: the baselines of net.4.0 lack it and have CondemnReasons1, so it came later; with generation 4, as far as known.
SINCE = {
    ("MethodLoadUnload", "OptimizationTier"): "2019-05",
    ("GCAllocationTickTraceData", "ObjectSize"): "2021-01",
    ("GCGlobalHeapHistoryTraceData", "CondemnReasons0"): "2020-03",
    ("GCGlobalHeapHistoryTraceData", "CondemnReasons1"): "2020-03",
    ("GCGlobalHeapHistoryTraceData", "Count"): "2020-10",
    ("GCHeapStatsTraceData", "GenerationSize4"): "2020-10",
    ("GCHeapStatsTraceData", "TotalPromotedSize4"): "2020-10",
}
# Enumerations of .NET itself (public documentation).
DOTNET = {
    "FileShare": (True, "0 None,1 Read,2 Write,3 ReadWrite,4 Delete,16 Inheritable"),
    "FileAttributes": (True, "1 ReadOnly,2 Hidden,4 System,16 Directory,32 Archive,64 Device,128 Normal,256 Temporary,512 SparseFile,"
                       "1024 ReparsePoint,2048 Compressed,4096 Offline,8192 NotContentIndexed,16384 Encrypted,32768 IntegrityStream,"
                       "131072 NoScrubData"),
    "ThreadState": (False, "0 Initialized,1 Ready,2 Running,3 Standby,4 Terminated,5 Wait,6 Transition,7 Unknown"),
    "ThreadWaitReason": (False, "0 Executive,1 FreePage,2 PageIn,3 SystemAllocation,4 ExecutionDelay,5 Suspended,6 UserRequest,"
                         "7 EventPairHigh,8 EventPairLow,9 LpcReceive,10 LpcReply,11 VirtualMemory,12 PageOut,13 Unknown"),
}
SHARED = {"EmptyTraceData": [], "StringTraceData": [{"name": "Value", "type": "string"}]}
VALUE_OPCODES = (14, 15, 16, 18, 19)
CONSTANTS = {"byte.MaxValue": 255}
HEADER = {"ProcessID": "@pid", "ThreadID": "@tid", "ProcessorNumber": "@cpu", "ProcessName": "@process_name"}

def source(cls, field):
    name = field["name"]
    for key in ((cls["class"], name), ("*", name)):
        if key in SOURCES:
            return SOURCES[key]
    for alt in field["alts"] if "alts" in field else []:
        if "header" in alt:
            return HEADER.get(alt["header"], "@unknown " + alt["header"])
    if field.get("same_as") in HEADER or any(a.get("same_as") in HEADER for a in field.get("alts", [])):
        return HEADER[next(a["same_as"] for a in field["alts"] if "same_as" in a)]
    for alt in field.get("alts", []):
        if "op" in alt or "test" in alt and alt.get("read") not in ("i32", "u8"):
            print(f"   look at {cls['class']}.{name}: {alt}", file=sys.stderr)
    return None

def default(field):
    if "null_unless" in field:
        return "null"
    for alt in field.get("alts", []):
        if "const" in alt and "ver" in alt.get("when", "") :
            return {"int.MinValue": "-2147483648", "long.MinValue": "-9223372036854775808"}.get(alt["const"], alt["const"])
    return None

def plain_type(field):
    kind = field.get("type") or "?"
    if kind in ("?", "None", "object"):
        return "any"
    return {"System.Net.IPAddress": "ip", "ulong": "Address"}.get(kind, re.sub(r"[^A-Za-z0-9_\[\]]", "_", kind))

def main(facts, views):
    total = 0
    for name in PARSERS:
        data = json.load(open(os.path.join(facts, name + ".json")))
        out, used, enums = [], {}, {}
        for parser in data["parsers"]:
            if parser["parser"] in NOT_REGISTERED or parser.get("provider_name") in NOT_REGISTERED:
                continue
            for event in parser["events"]:
                table = event.get("template_table") or {}
                title = table.get("event_name") or event["event_name"]
                if not event.get("in_template_table", True):
                    continue
                cls = table.get("payload_class") or event["payload_class"]
                facts_of = data["payload_classes"].get(cls)
                if cls == "RegistryTraceData" and event["opcode"] in VALUE_OPCODES:
                    # The one name in the payload is a value's.
                    cls = "RegistryValueTraceData"
                    facts_of = {**facts_of, "class": cls}
                used[cls] = facts_of
                if used[cls] is None:
                    # TraceEvent's shared classes without fields of their own.
                    used[cls] = {"class": cls, "payload": SHARED[cls]}
                provider = event.get("provider_guid") or parser["provider_guid"]
                task = event.get("task_guid")
                if event["lookup"] != "manifest" and task:
                    out.append(("event", f"opcode {event['opcode']} {{{task}}}", cls, title))
                if event["lookup"] != "classic":
                    out.append(("event", f"id {event['event_id']} {{{provider}}}", cls, title))
                total += 1
            out.insert(0, ("provider", parser["provider_name"]))
        text = [f"# Which fields TraceEvent shows of the events of its {name} parser, in which order and as what.",
                f"# Made by tools/views.py from facts/traceevent/{name}.json.", ""]
        for cls in sorted(used):
            body = []
            for field in (used[cls] or {}).get("payload", []):
                kind = plain_type(field)
                if kind in DOTNET:
                    flags, values = DOTNET[kind]
                    enums[kind] = {"flags": flags, "values": {v.split()[1]: v.split()[0] for v in values.split(",")}}
                if kind in data.get("enums", {}):
                    enums[kind] = data["enums"][kind]
                line = f"  {field['name']} {kind}"
                expression, other = source(used[cls], field), default(field)
                line += f" = {expression}" if expression else ""
                line += f" else {other}" if other not in (None, "0", '""') else ""
                for (prefix, since_field), month in SINCE.items():
                    if cls.startswith(prefix) and field["name"] == since_field:
                        line += f" since {month}"
                body.append(line)
            text += [f"view {cls}"] + body + [""]
        for kind in sorted(enums):
            e = enums[kind]
            text.append(f"enum {kind}" + (" flags" if e["flags"] else ""))
            text += [f"  {CONSTANTS.get(value, value)} {label}" for label, value in e["values"].items()] + [""]
        current = None
        for item in out:
            if item[0] == "provider":
                text.append(f"provider {item[1]}")
            else:
                text.append(" ".join(item[:1]) + f" {item[1]} {item[2]} {item[3]}")
        open(os.path.join(views, name + ".view"), "w").write("\n".join(text).rstrip() + "\n")
    print(total, "events", file=sys.stderr)

main(*sys.argv[1:3])
