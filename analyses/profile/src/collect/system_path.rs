//! Which images belong to Windows and to the .NET runtime.

/// Returns whether a path, in the kernel's form or the user's, is in the folder of Windows or in one of the .NET runtime.
pub(super) fn is_system(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let mut parts = path.split(['\\', '/']).filter(|part| !part.is_empty() && *part != "??" && *part != "?");
    let first = parts.next().unwrap_or_default();
    let folder = match first {
        "device" => {
            parts.next();
            parts.next()
        }
        drive if drive.ends_with(':') => parts.next(),
        other => Some(other),
    };
    match folder {
        Some("windows" | "winnt" | "systemroot") => true,
        _ => path.contains("\\dotnet\\shared\\") || path.contains("/dotnet/shared/"),
    }
}

#[cfg(test)]
mod tests {
    use super::is_system;

    #[test]
    fn folders_of_windows_and_of_the_runtime_are_the_systems() {
        let system = [
            r"\Device\HarddiskVolume2\Windows\System32\ntdll.dll",
            r"C:\WINDOWS\assembly\NativeImages_v4.0.30319_64\mscorlib\mscorlib.ni.dll",
            r"\SystemRoot\system32\ntoskrnl.exe",
            r"\??\C:\Windows\system32\drivers\disk.sys",
            r"C:\Program Files\dotnet\shared\Microsoft.NETCore.App\8.0.1\coreclr.dll",
            r"\Windows\System32\kernel32.dll",
        ];
        assert!(system.iter().all(|path| is_system(path)));
        let own = [r"C:\app\windows\app.exe", r"\Device\HarddiskVolume2\app\app.dll", "app", ""];
        assert!(!own.iter().any(|path| is_system(path)));
    }
}
