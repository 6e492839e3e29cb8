//! Names that reveal nothing about a person.

/// Returns whether a folder of users is of no single one. In lower case.
pub(crate) fn is_shared_folder(name: &str) -> bool {
    SHARED_FOLDERS.contains(&name) || is_account(name)
}

/// Returns whether a folder below a user's is there for every user. In lower case.
pub(crate) fn is_usual_folder(name: &str) -> bool {
    USUAL_FOLDERS.contains(&name)
}

/// Returns whether the name of an account, a machine or a domain is the same everywhere. In lower case.
pub(crate) fn is_account(name: &str) -> bool {
    ACCOUNTS.contains(&name) || !name.chars().any(char::is_alphanumeric)
}

/// Returns whether a word is so frequent that it is replaced only where it is a whole word. In lower case.
pub(crate) fn is_frequent(word: &str) -> bool {
    FREQUENT.contains(&word) || word.chars().all(|c| c.is_ascii_digit())
}

/// Returns whether a word that was not asked for is never looked for outside of its field. In lower case.
pub(crate) fn is_vocabulary(word: &str) -> bool {
    VOCABULARY.contains(&word)
}

const SHARED_FOLDERS: [&str; 10] = [
    "public",
    "default",
    "default user",
    "default.migrated",
    "all users",
    "defaultuser0",
    "defaultapppool",
    "shared",
    "systemprofile",
    ".net v4.5",
];

const USUAL_FOLDERS: [&str; 33] = [
    "3d objects",
    "appdata",
    "application data",
    "cache",
    "caches",
    "contacts",
    "cookies",
    "desktop",
    "documents",
    "downloads",
    "favorites",
    "history",
    "inetcache",
    "inetcookies",
    "links",
    "local",
    "local settings",
    "locallow",
    "microsoft",
    "music",
    "my documents",
    "packages",
    "pictures",
    "programs",
    "recent",
    "roaming",
    "saved games",
    "searches",
    "start menu",
    "temp",
    "temporary internet files",
    "videos",
    "windows",
];

const ACCOUNTS: [&str; 27] = [
    "system",
    "local system",
    "localsystem",
    "local service",
    "localservice",
    "network service",
    "networkservice",
    "nt authority",
    "nt-autorität",
    "nt service",
    "builtin",
    "font driver host",
    "window manager",
    "iis apppool",
    "anonymous logon",
    "everyone",
    "workgroup",
    "localhost",
    "localdomain",
    "unknown",
    "none",
    "null",
    "n/a",
    "true",
    "false",
    "default",
    "(null)",
];

const FREQUENT: [&str; 48] = [
    "account",
    "admin",
    "administrator",
    "agent",
    "backup",
    "build",
    "client",
    "computer",
    "console",
    "data",
    "debug",
    "demo",
    "desktop",
    "developer",
    "domain",
    "event",
    "guest",
    "home",
    "host",
    "info",
    "laptop",
    "local",
    "login",
    "machine",
    "manager",
    "message",
    "name",
    "network",
    "office",
    "operator",
    "owner",
    "provider",
    "public",
    "release",
    "remote",
    "sales",
    "server",
    "service",
    "session",
    "shared",
    "student",
    "support",
    "tester",
    "trace",
    "users",
    "value",
    "version",
    "vmuser",
];

const VOCABULARY: [&str; 34] = [
    "windows",
    "microsoft",
    "microsoft.com",
    "system32",
    "win32",
    "localhost",
    "system",
    "program",
    "programs",
    "kernel",
    "device",
    "registry",
    "users",
    "appdata",
    "roaming",
    "download",
    "noreply",
    "no-reply",
    "www",
    "com",
    "net",
    "org",
    "local",
    "internal",
    "intranet",
    "corp",
    "lan",
    "http",
    "https",
    "file",
    "string",
    "template",
    "manifest",
    "keyword",
];
