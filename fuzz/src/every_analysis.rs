//! All analyses.

use etwkit_analysis::{Analysis, Interest};

/// Names every analysis to a macro, once.
macro_rules! each {
    ($then:ident) => {
        $then! {
            etwkit_dotnet_analyses::AspNetByProcess, etwkit_dotnet_analyses::AspNetEach, etwkit_dotnet_analyses::ContentionByThread, etwkit_dotnet_analyses::ContentionEach,
            etwkit_dotnet_analyses::ExceptionsByType, etwkit_dotnet_analyses::ExceptionsEach, etwkit_dotnet_analyses::GcByProcess, etwkit_dotnet_analyses::GcEach,
            etwkit_dotnet_analyses::JitByProcess, etwkit_dotnet_analyses::JitEach, etwkit_dotnet_analyses::LoaderByProcess, etwkit_dotnet_analyses::LoaderEach,
            etwkit_dotnet_analyses::TasksByScheduler, etwkit_dotnet_analyses::TasksEach, etwkit_dotnet_analyses::ThreadPoolByProcess, etwkit_dotnet_analyses::ThreadPoolEach,
            etwkit_io_analyses::DiskByFile, etwkit_io_analyses::DiskEach, etwkit_io_analyses::DiskOverTime, etwkit_io_analyses::DnsByName, etwkit_io_analyses::DnsEach, etwkit_io_analyses::FaultsByFile, etwkit_io_analyses::FaultsEach,
            etwkit_io_analyses::FileByFile, etwkit_io_analyses::FileEach, etwkit_io_analyses::MemoryByProcess, etwkit_io_analyses::NetworkByPeer, etwkit_io_analyses::NetworkEach, etwkit_io_analyses::NetworkOverTime,
            etwkit_io_analyses::RegistryByKey, etwkit_io_analyses::RegistryEach,
            etwkit_kernel_analyses::CpuSamples, etwkit_kernel_analyses::CpuUsage, etwkit_kernel_analyses::CriticalPath, etwkit_kernel_analyses::DpcIsrByRoutine, etwkit_kernel_analyses::ImageList,
            etwkit_kernel_analyses::Marks, etwkit_kernel_analyses::Processes, etwkit_kernel_analyses::ReadyPairs, etwkit_kernel_analyses::ThreadList, etwkit_kernel_analyses::WaitsByThread,
            etwkit_kernel_analyses::WaitsEach,
            etwkit_windows_analyses::BootEach, etwkit_windows_analyses::BootPhases, etwkit_windows_analyses::EventTypes, etwkit_windows_analyses::GpuByEngine, etwkit_windows_analyses::GpuEach,
            etwkit_windows_analyses::HttpByUrl, etwkit_windows_analyses::IdleStates, etwkit_windows_analyses::Machine, etwkit_windows_analyses::PresentByProcess,
            etwkit_windows_analyses::ProcessorPower, etwkit_windows_analyses::RpcByProcedure, etwkit_windows_analyses::RpcEach, etwkit_windows_analyses::Summary,
            etwkit_windows_analyses::VSyncByAdapter,
        }
    };
}

pub(crate) use each;

/// Returns the events that each analysis reads.
pub(crate) fn interests() -> impl Iterator<Item = Interest> {
    macro_rules! interests { ($($analysis:path,)*) => { [$(<$analysis>::interest()),*] } }
    each!(interests).into_iter()
}
