//! What events state about the machine as a whole.

/// What the kernel's configuration events state about a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MachineFacts {
    /// The computer's name, with its domain.
    pub computer: Option<Box<str>>,
    /// Megahertz of a processor.
    pub megahertz: Option<u64>,
    /// Megabytes of memory.
    pub memory: Option<u64>,
    /// The build with its branch, as `19041.1.amd64fre.vb_release.191206-1406`.
    pub build: Option<Box<str>>,
    /// The product's name.
    pub product: Option<Box<str>>,
}

impl MachineFacts {
    /// Sets what `computer` and `domain` name; empty texts name nothing.
    pub fn set_computer(&mut self, computer: &str, domain: &str) {
        self.computer = trimmed(computer).map(|name| match trimmed(domain) {
            Some(domain) => format!("{name}.{domain}").into(),
            None => name.into(),
        });
    }

    /// Sets the build; an empty text states none.
    pub fn set_build(&mut self, build: &str) {
        self.build = trimmed(build).map(Into::into);
    }

    /// Sets the product; an empty text names none.
    pub fn set_product(&mut self, product: &str) {
        self.product = trimmed(product).map(Into::into);
    }

    /// Adds what other facts state and these do not.
    pub fn complete(&mut self, other: Self) {
        let Self { computer, megahertz, memory, build, product } = other;
        self.computer = self.computer.take().or(computer);
        self.megahertz = self.megahertz.or(megahertz);
        self.memory = self.memory.or(memory);
        self.build = self.build.take().or(build);
        self.product = self.product.take().or(product);
    }

    /// Returns whether all of them are known.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        let Self { computer, megahertz, memory, build, product } = self;
        computer.is_some() && megahertz.is_some() && memory.is_some() && build.is_some() && product.is_some()
    }
}

/// Returns a text without the characters that fill it up; `None` if nothing else is there.
fn trimmed(text: &str) -> Option<&str> {
    Some(text.trim_matches(['\0', ' '])).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stated_first_counts() {
        let mut facts = MachineFacts::default();
        facts.set_computer("PC\0\0", "");
        facts.set_build(" ");
        let mut other = MachineFacts { memory: Some(4096), megahertz: Some(1), ..MachineFacts::default() };
        other.set_computer("PC", "example.org");
        other.set_build("9200.1");
        other.set_product("Windows");
        assert_eq!(other.computer.as_deref(), Some("PC.example.org"));
        assert!(other.is_complete() && !facts.is_complete());
        facts.complete(other.clone());
        assert!(facts.is_complete());
        assert_eq!((facts.computer.as_deref(), facts.build.as_deref()), (Some("PC"), Some("9200.1")));
    }
}
