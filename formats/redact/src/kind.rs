//! What a secret is.

/// The kind of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The name of a user.
    User,
    /// A security identifier of a machine's or a domain's account.
    Sid,
    /// The name of a machine.
    Machine,
    /// The name of a domain.
    Domain,
    /// An IPv4 or IPv6 address, or the address of a network adapter.
    Address,
    /// Part of a path below a user's folder.
    Path,
    /// The name of a network share.
    Share,
    /// Arguments of a command line.
    Command,
    /// An e-mail address.
    Mail,
    /// What follows `password=` and the like.
    Password,
    /// A word of the user's list.
    Word,
}

impl Kind {
    /// All kinds.
    const ALL: [Self; 11] = [
        Self::User,
        Self::Sid,
        Self::Machine,
        Self::Domain,
        Self::Address,
        Self::Path,
        Self::Share,
        Self::Command,
        Self::Mail,
        Self::Password,
        Self::Word,
    ];

    /// Returns the kind that has a name in reports.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Sid => "sid",
            Self::Machine => "machine",
            Self::Domain => "domain",
            Self::Address => "address",
            Self::Path => "path",
            Self::Share => "share",
            Self::Command => "command-line",
            Self::Mail => "e-mail",
            Self::Password => "password",
            Self::Word => "word",
        }
    }
}
