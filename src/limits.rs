//! The engine's caps on hostile input. `docs/caps.md` lists those of all crates.
//!
//! Each is far above what Windows writes (sections 2, 3 and 16 of `docs/format`) and low enough that a crafted
//! file costs bounded memory and time.

/// The limits that callers may change, given to [`Trace::open_with`](crate::Trace::open_with) or
/// [`RawTrace::open_with`](crate::RawTrace::open_with).
///
/// The defaults are for untrusted files on a machine with some gigabytes of memory. A service that reads several
/// traces at a time lowers them, a tool for one large trace of its owner raises them. What exceeds a limit is reported
/// as a [`Problem`](crate::Problem), and only more files than [`Limits::files`] are an error.
///
/// ```
/// use etwkit::limits::Limits;
/// use etwkit::{Parsers, Trace};
///
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hello.etl");
/// let limits = Limits::default().schemas(16 << 20).system_entries(100_000);
/// let trace = Trace::open_with([path], Parsers::none(), limits)?;
/// # Ok::<(), etwkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Files that are read as one trace, [`MAX_FILES`] by default.
    pub files: usize,
    /// Bytes of the schemas of all keys together, [`MAX_SCHEMAS`] by default. Events of further keys are undecoded
    /// ([`UndecodedReason::Limit`](crate::decode::UndecodedReason::Limit)).
    pub schemas: usize,
    /// Processes, threads, images and names kept of the traced system together, [`MAX_STATE_ENTRIES`] by default.
    pub system_entries: usize,
    /// Bytes of what is kept of the traced system, names and paths included, [`MAX_STATE_TEXT`] by default. As many
    /// bytes as the files have may be kept besides.
    pub system_text: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { files: MAX_FILES, schemas: MAX_SCHEMAS, system_entries: MAX_STATE_ENTRIES, system_text: MAX_STATE_TEXT }
    }
}

impl Limits {
    /// Sets [`Limits::files`].
    #[must_use]
    pub const fn files(mut self, files: usize) -> Self {
        self.files = files;
        self
    }

    /// Sets [`Limits::schemas`].
    #[must_use]
    pub const fn schemas(mut self, bytes: usize) -> Self {
        self.schemas = bytes;
        self
    }

    /// Sets [`Limits::system_entries`].
    #[must_use]
    pub const fn system_entries(mut self, entries: usize) -> Self {
        self.system_entries = entries;
        self
    }

    /// Sets [`Limits::system_text`].
    #[must_use]
    pub const fn system_text(mut self, bytes: usize) -> Self {
        self.system_text = bytes;
        self
    }
}

/// Largest buffer, on disk or unpacked: Windows' own maximum is 16 MiB.
pub const MAX_BUFFER: usize = 16 << 20;
/// Best ratio of unpacked to packed bytes that a compressed buffer may claim before it is called damaged.
pub const MAX_EXPANSION: usize = 1 << 13;
/// Unpacked bytes for each byte of a compressed buffer. Most real buffers have up to 14, those with packets of zeros more
/// than 70; what is beyond counts towards [`MAX_UNPACKED`].
pub const UNPACKED_BUFFER: u64 = 96;
/// Bytes that the compressed buffers of a file may unpack to beyond [`UNPACKED_BUFFER`].
pub const MAX_UNPACKED: u64 = 512 << 10;
/// Blocks of a `.btl` file whose content is looked at because their size leads nowhere; after that only a search helps.
pub const MAX_REPAIRS: usize = 64;
/// Bytes of buffers whose content is looked at because their headers alone prove nothing, besides
/// [`REPAIRED_PER_BYTE`].
pub const MAX_REPAIRED: u64 = 32 << 20;
/// The same for each byte of the file.
pub const REPAIRED_PER_BYTE: u64 = 4;
/// Code tables of XPRESS-Huffman that are built to find the blocks of a damaged `.btl` file; after that only blocks of
/// ULZ are found.
pub const MAX_CODE_TABLES: usize = 1 << 16;
/// Multiples of the session's buffer size that are looked at after damage before everything is searched.
pub const MAX_STRIDES: usize = 1024;
/// Extended data items of one event (`ExtendedDataCount` is a `u16`, real events have at most five).
pub const MAX_EXTENDED_ITEMS: usize = 64;
/// Fields of one schema, struct members included.
pub const MAX_FIELDS: usize = 4096;
/// Nesting of structs in a schema.
pub const MAX_DEPTH: usize = 32;
/// Length and count references in one schema.
pub const MAX_REFERENCES: usize = 64;
/// Array elements and struct members of one event that take no bytes (an array of empty structs), looked at one by one.
pub const MAX_ELEMENTS: usize = 1 << 16;
/// Distinct schema keys of a trace; events of further ones are delivered undecoded.
pub const MAX_KEYS: usize = 1 << 18;
/// Bytes of TraceLogging metadata kept for all keys of a trace together.
pub const MAX_METADATA: usize = 16 << 20;
/// Bytes of the first events of types that are kept until their schemas are made, so that compressed buffers need not
/// be unpacked for them.
pub const MAX_SAMPLES: usize = 1 << 20;
/// Problems kept one by one; further ones are counted.
pub const MAX_PROBLEMS: usize = 10_000;
/// Bytes of events that one time slice may hold when the time stamps leave no better place to cut.
pub const MAX_SLICE: usize = 32 << 20;
/// Bytes of a schema text or a TMF file.
pub const MAX_TEXT: usize = 256 << 20;
/// Processes, threads, images and names kept of the traced system, together.
pub const MAX_STATE_ENTRIES: usize = 1 << 23;
/// Bytes of what is kept of the traced system, names and paths included, besides a byte for each byte of the files.
pub const MAX_STATE_TEXT: usize = 96 << 20;
/// Parts of stacks kept, distinct stacks kept, and keys of stacks.
pub const MAX_STACKS: usize = 1 << 22;
/// Parts of stacks with one number, or of one thread and time: normally the kernel's and the user's.
pub const MAX_LINKED: usize = 16;
/// Addresses of all distinct stacks together.
pub const MAX_STACK_FRAMES: usize = 1 << 24;
/// Addresses of one part of a stack: Windows writes at most 192.
pub const MAX_FRAMES: usize = 1024;
/// Files that are read as one trace.
pub const MAX_FILES: usize = 4096;
/// Files of inputs that a process keeps open; further ones are opened for each window. Systems allow a process 256
/// to 1024.
pub const MAX_OPEN_FILES: usize = 128;
/// Files and folders that a search of a folder for schemas or symbols looks at.
pub const MAX_FOLDER_ENTRIES: usize = 1 << 20;
/// Bytes of the elements of one `UserData` template: Windows' own have some dozens of elements.
pub const MAX_USER_DATA: usize = 256 << 10;
/// Times that a `UserData` template may show one field; manifests show each once.
pub const MAX_USER_DATA_REPEATS: usize = 8;
/// Bytes that the schemas of all keys of a trace may take together: a crafted manifest gives one large template to many
/// events, and outputs prepare about as much again for each.
pub const MAX_SCHEMAS: usize = 80 << 20;
/// Tables that events are split into by their type; further types share one.
pub const MAX_TABLES: usize = 4096;
/// Bytes of the fields and maps of one schema: a few bytes of a source can ask for one long name many times.
pub const MAX_SCHEMA: usize = 16 << 20;
/// Entries of a map of bits; the bits of one value are looked up among all of them.
pub const MAX_BIT_NAMES: usize = 1 << 10;
/// Maps of a schema text, since its last `provider`, that take names from tables of codes.
pub const MAX_CODE_MAPS: usize = 64;
/// Bytes of an event's message after which inserts stay as they are written: a message can show one long field many
/// times. Windows' `FormatMessage` makes no more than 64 Ki characters.
pub const MAX_MESSAGE: usize = 1 << 20;
/// Bytes of the path of a file, and of the name of a method, a thread or an object of the kernel, that are kept of the
/// traced system: one event states it, and any number of others show it. Paths of Windows have at most 260 characters
/// for most programs.
pub const MAX_SHARED_NAME: usize = 2048;
/// Bytes of a file's name that are shown of a process or image: NTFS has at most 255 units of UTF-16, up to 765 bytes
/// here.
pub const MAX_FILE_NAME: usize = 765;

/// Bytes of names and labels that an event may print besides [`SHOWN_PER_BYTE`] for each byte of its payload: a schema
/// gives one long name to all elements of an array. Ordinary events print some hundreds.
pub const MAX_SHOWN: usize = 64 << 10;
/// Bytes of names and labels for each byte of an event's payload.
pub const SHOWN_PER_BYTE: usize = 128;
/// Bytes of a field's name where an event reports a field that it does not show.
pub const MAX_TOLD_NAME: usize = 256;
/// Bytes of a name of a provider, task, opcode, level, channel, keyword or event, which all its events print; longer
/// ones are cut.
pub const MAX_NAME: usize = 1024;
/// Bytes of the names of all keywords of a schema; further ones are left out, and those of the provider together.
pub const MAX_KEYWORD_NAMES: usize = 8 << 10;
/// Bytes of the names, details and message of one schema, which each of its events may print. Messages of Windows have
/// at most 64 Ki characters.
pub const MAX_NAMES: usize = 256 << 10;
/// Layouts of one event that are tried. Alternatives are a chain, which must not grow with a file.
pub const MAX_LAYOUTS: usize = 16;
/// Bytes that a packed part of a payload may unpack to, for each of its own: XML packed with LZNT1 has about 7.
pub const UNPACKED_PER_BYTE: usize = 64;
/// Bytes of schemas that one parser keeps of those it finds in a trace.
pub const MAX_LEARNED: usize = 64 << 20;
/// Bytes of a filter expression.
pub const MAX_EXPRESSION: usize = 64 << 10;
/// Brackets and negations within each other in a filter expression.
pub const MAX_EXPRESSION_DEPTH: usize = 64;
/// Groups that events are counted in; events of further ones are counted together.
pub const MAX_GROUPS: usize = 1 << 20;
/// Bytes of the texts that name these groups.
pub const MAX_GROUP_TEXT: usize = 256 << 20;
/// Values that make a group.
pub const MAX_SELECTORS: usize = 64;
/// Bytes that a compiled regular expression of a filter may take.
pub const MAX_PATTERN: usize = 1 << 20;

/// Returns how many bytes of names and labels an event with so many bytes of payload may print, before they are
/// escaped.
#[inline]
#[must_use]
pub const fn shown(payload: usize) -> usize {
    MAX_SHOWN.saturating_add(payload.saturating_mul(SHOWN_PER_BYTE))
}

/// Bytes of names for each frame of a stack, besides [`MAX_SHOWN`]: symbols name long templates, and a key of a few bytes
/// stands for a stack.
pub const SHOWN_PER_FRAME: usize = 256;

/// Returns how many bytes of names the frames of a stack may have, and again the functions of symbols.
#[must_use]
pub const fn shown_of_stack(frames: usize) -> usize {
    MAX_SHOWN.saturating_add(frames.saturating_mul(SHOWN_PER_FRAME))
}

/// Returns how many bytes a packed part of a payload with so many bytes may unpack to.
#[must_use]
pub const fn unpacked(packed: usize) -> usize {
    packed.saturating_mul(UNPACKED_PER_BYTE).saturating_add(4096)
}
