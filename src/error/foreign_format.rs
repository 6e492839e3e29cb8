//! The kinds of files that are not traces.

use std::fmt;

macro_rules! formats {
    (
        $(#[$about:meta])+
        pub enum ForeignFormat {
            $($(#[doc = $doc:literal])* $variant:ident => $text:literal $(, name $name:literal)?;)*
        }
    ) => {
        $(#[$about])+
        pub enum ForeignFormat {
            $($(#[doc = $doc])* $variant,)*
        }

        impl ForeignFormat {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the format's name with its article, such as `a PDB file`; `None` for text, XML, and files that
            /// are not a whole file of any format.
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$variant => formats!(@name $($name)?),)*
                }
            }

            const fn text(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }
    };
    (@name) => { None };
    (@name $name:literal) => { Some($name) };
}

formats! {
    /// The kind of a file that is not a trace, by its first bytes.
    ///
    /// Its `Display` is a phrase that follows "not an .etl trace:", such as `a cabinet archive: unpack it first`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum ForeignFormat {
        /// The text that Git keeps in place of a large file.
        GitLfsPointer => "a Git LFS pointer file: fetch the real file with `git lfs pull`", name "a Git LFS pointer file";
        /// A zip archive with members.
        Zip => "a zip archive: its members may be traces", name "a zip archive";
        /// A zip archive without members.
        EmptyZip => "an empty zip archive", name "an empty zip archive";
        /// gzip data.
        Gzip => "gzip data: unpack it first";
        /// An event log of Vista and later.
        Evtx => "an .evtx event log", name "an .evtx event log";
        /// An event log of before Vista.
        Evt => "an .evt event log", name "an .evt event log";
        /// A cabinet archive.
        Cabinet => "a cabinet archive: unpack it first", name "a cabinet archive";
        /// A 7z archive.
        SevenZip => "a 7z archive: unpack it first", name "a 7z archive";
        /// A RAR archive.
        Rar => "a RAR archive: unpack it first", name "a RAR archive";
        /// A tar archive.
        Tar => "a tar archive: unpack it first", name "a tar archive";
        /// Zstandard data.
        Zstd => "zstd data: unpack it first";
        /// xz data.
        Xz => "xz data: unpack it first";
        /// bzip2 data.
        Bzip2 => "bzip2 data: unpack it first";
        /// A Windows image.
        Wim => "a WIM image: unpack it first", name "a WIM image";
        /// Symbols in the MSF format.
        Pdb => "a PDB file", name "a PDB file";
        /// A program or library in the PE format.
        WindowsProgram => "a Windows program", name "a Windows program";
        /// A program or library in the ELF format.
        ElfProgram => "an ELF program", name "an ELF program";
        /// Packets in the pcapng format.
        Pcapng => "a pcapng capture", name "a pcapng capture";
        /// Packets in the pcap format.
        Pcap => "a pcap capture", name "a pcap capture";
        /// Packets in the format of Microsoft's Network Monitor.
        NetworkMonitor => "a Network Monitor capture", name "a Network Monitor capture";
        /// Events of .NET in the `EventPipe` format.
        NetTrace => "an EventPipe .nettrace file", name "an EventPipe .nettrace file";
        /// The format that PerfView converts traces to, or the older format of `EventPipe`.
        FastSerialization => "a file that PerfView makes of a trace (.etlx, .gcdump) or .netperf", name "a file that PerfView makes of a trace";
        /// Memory of a process.
        Minidump => "a minidump", name "a minidump";
        /// Memory of a whole system.
        MemoryDump => "a Windows memory dump", name "a Windows memory dump";
        /// A hive of the registry.
        RegistryHive => "a registry hive", name "a registry hive";
        /// The output of Linux' `perf record`.
        PerfData => "a perf.data file of Linux", name "a perf.data file of Linux";
        /// A database of `SQLite`.
        Sqlite => "an SQLite database", name "an SQLite database";
        /// A PDF document.
        Pdf => "a PDF document", name "a PDF document";
        /// A PNG picture.
        Png => "a picture", name "a picture";
        /// A compound document of OLE.
        CompoundDocument => "a compound document (.msi, .doc)", name "a compound document";
        /// XML in UTF-16, little-endian.
        Utf16Xml => "it is XML in UTF-16";
        /// Text in UTF-16, little-endian.
        Utf16Text => "it is text in UTF-16";
        /// XML in UTF-8 or an ANSI code page.
        Xml => "it is XML";
        /// Text in UTF-8 or an ANSI code page.
        Text => "it is text";
        /// An empty file.
        Empty => "the file is empty";
        /// Nothing but zeros.
        OnlyZeros => "only zeros: preallocated and never written?";
        /// Fewer bytes than the header of a buffer.
        TooShort => "shorter than one buffer header";
        /// A trace that was cut off before its first event ends.
        CutHeader => "the file ends inside the trace's header, before the first event";
        /// None of the above, and no buffer of a trace.
        Unknown => "it does not begin with a trace buffer";
    }
}

impl fmt::Display for ForeignFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_begins_the_text() {
        for format in ForeignFormat::ALL {
            let text = format.to_string();
            let Some(name) = format.name() else {
                assert!(!text.starts_with("a ") && !text.starts_with("an "), "{text} has no name");
                continue;
            };
            let rest = text.strip_prefix(name).unwrap();
            assert!(rest.is_empty() || rest.starts_with([':', ' ']), "{text}");
        }
    }
}
