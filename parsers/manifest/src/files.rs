//! Files that a user has.

use std::collections::HashMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etwkit::error::{Error, Result};
use etwkit::event::RawEvent;
use etwkit::input::{FolderFiles, has_extension, read_whole};
use etwkit::parser::{Claims, SchemaProvider, TraceFacts};
use etwkit::schema::{Schema, SchemaEntry, SchemaSource};

use crate::Provider;
use crate::store::Store;
use crate::wevt::{self, Resources};
use crate::xml;

/// Parser of the user's manifests: `.man` and `.xml` files, and binaries with a `WEVT_TEMPLATE` resource.
///
/// Schemas of what is named first are preferred; other layouts of an event are tried when that one does not fit. Clones
/// share what was read.
#[derive(Clone, Debug, Default)]
pub struct Manifests(Arc<Loaded>);

#[derive(Debug, Default)]
struct Loaded {
    store: Store,
    files: Vec<PathBuf>,
    skipped: Vec<(PathBuf, Error)>,
}

/// Bytes in which a manifest has its first element; there may be a comment before it.
const HEAD: u64 = 64 << 10;
/// The error of a program that was named as a manifest.
const NO_TEMPLATE: &str = "a program without a manifest: it has no WEVT_TEMPLATE resource";

impl Manifests {
    /// Extensions of the files that are read of a folder.
    pub const EXTENSIONS: &[&str] = &["man", "xml", "dll", "exe", "sys", "mui"];

    /// Returns no manifests.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes providers that have been read; those that come first are preferred.
    pub fn from_providers(providers: impl IntoIterator<Item = Provider>) -> Self {
        let mut loaded = Loaded::default();
        providers.into_iter().for_each(|provider| loaded.store.add(provider));
        Self(Arc::new(loaded))
    }

    /// Reads files, and folders with all that is in them.
    ///
    /// A named file that cannot be read, or has no provider, is an error that names it; a `.mui` file may have only the
    /// texts of another. Files found in a folder may be anything: those that are not a manifest
    /// are passed over, and what looks like one but cannot be read is in [`Manifests::skipped`].
    pub fn load<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let (mut found, mut loaded) = (Vec::new(), Loaded::default());
        for path in paths {
            let path = path.as_ref();
            if path.is_dir() {
                let folder = FolderFiles::find(path, Self::EXTENSIONS, usize::MAX)?;
                found.extend(folder.files.into_iter().map(|path| (path, false)));
                loaded.skipped.extend(folder.unreadable);
            } else {
                found.push((path.to_owned(), true));
            }
        }
        let companions = companions(&found);
        for (path, is_named) in &found {
            match loaded.file(path, *is_named, &companions) {
                Err(error) if *is_named => return Err(named(error, path)),
                Err(error) => loaded.skipped.push((path.clone(), error)),
                Ok(any) => loaded.files.extend(any.then(|| path.clone())),
            }
        }
        Ok(Self(Arc::new(loaded)))
    }

    /// Files that held providers.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.files.iter().map(PathBuf::as_path)
    }

    /// Files of folders that could not be read.
    pub fn skipped(&self) -> &[(PathBuf, Error)] {
        &self.0.skipped
    }

    /// Returns the providers, by GUID; one may be there several times.
    pub fn providers(&self) -> impl Iterator<Item = &Provider> {
        self.0.store.iter()
    }

    /// Returns the schemas of all events, with each what chooses it; an error for an event whose description cannot be
    /// right. Events of a task with a class are there twice: also as the classic events that they may be written as.
    pub fn entries(&self) -> impl Iterator<Item = Result<SchemaEntry>> + '_ {
        self.0.store.iter().flat_map(Provider::entries)
    }
}

impl Loaded {
    fn add(&mut self, providers: Vec<Provider>) {
        for provider in providers {
            self.store.add(provider);
        }
    }

    /// Adds the providers of a file; returns whether there are any.
    fn file(&mut self, path: &Path, is_named: bool, companions: &Companions) -> Result<bool> {
        if is_image(path)? {
            return self.image(path, is_named, companions);
        }
        let bytes = match read_whole(path, "bytes of a manifest", xml::MAX_MANIFEST) {
            // Any large file may be named `.xml`.
            Err(_) if !is_named && !mentions_manifest(&start(path, HEAD)?) => return Ok(false),
            read => read?,
        };
        // Only a manifest has this element.
        if !is_named && !mentions_manifest(&bytes) {
            return Ok(false);
        }
        let providers = xml::parse(&bytes)?;
        if is_named && providers.is_empty() {
            return Err(Error::schema("no provider in this file"));
        }
        let any = !providers.is_empty();
        self.add(providers);
        Ok(any)
    }

    fn image(&mut self, path: &Path, is_named: bool, companions: &Companions) -> Result<bool> {
        let mut resources = Resources::open(path)?;
        if resources.templates.is_empty() {
            let has_texts = has_extension(path, &["mui"]);
            return if is_named && !has_texts { Err(Error::schema(NO_TEMPLATE)) } else { Ok(false) };
        }
        for companion in localized(path, companions) {
            let other = Resources::open(&companion).map_err(|error| error.of_file(companion.display()))?;
            resources.messages.fill(other.messages);
        }
        for template in &resources.templates {
            self.add(wevt::parse(template, &resources.messages)?);
        }
        Ok(true)
    }
}

impl SchemaProvider for Manifests {
    fn name(&self) -> &'static str {
        "manifests"
    }

    fn claims(&self) -> Claims {
        Claims::providers(self.0.store.guids())
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        self.0.store.schema(&event.key(), SchemaSource::USER)
    }
}

/// With the file's name, unless the error has one: that of a companion.
fn named(error: Error, path: &Path) -> Error {
    if error.file().is_some() { error } else { error.of_file(path.display()) }
}

/// `.mui` files among those that were given, by the lower-case name of the file they belong to.
type Companions = HashMap<String, Vec<PathBuf>>;

fn companions(found: &[(PathBuf, bool)]) -> Companions {
    let mut companions = Companions::new();
    for (path, _) in found.iter().filter(|(path, _)| has_extension(path, &["mui"])) {
        if let Some(stem) = path.file_stem() {
            companions.entry(stem.to_string_lossy().to_lowercase()).or_default().push(path.clone());
        }
    }
    companions
}

/// Returns the files with the texts of a binary: `name.dll.mui` in a sibling folder named after a culture, or in the
/// same folder, or among the given files. US English goes first.
fn localized(path: &Path, companions: &Companions) -> Vec<PathBuf> {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else { return Vec::new() };
    let mui = format!("{name}.mui");
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut found: Vec<PathBuf> =
        ["en-US", "en-us"].iter().map(|culture| folder.join(culture).join(&mui)).chain([folder.join(&mui)]).collect();
    found.retain(|path| path.is_file());
    found.extend(companions.get(&name.to_lowercase()).into_iter().flatten().cloned());
    found.dedup();
    found
}

/// Returns whether a file begins as PE files do.
fn is_image(path: &Path) -> Result<bool> {
    Ok(start(path, 2)? == b"MZ")
}

/// Returns the first bytes of a file, at most so many.
fn start(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut start = Vec::new();
    let file = fs::File::open(path).map_err(Error::opening)?;
    file.take(most).read_to_end(&mut start).map_err(Error::reading)?;
    Ok(start)
}

/// Returns whether `instrumentation` occurs, in either coding.
fn mentions_manifest(bytes: &[u8]) -> bool {
    let narrow = b"instrumentation";
    let wide: Vec<u8> = narrow.iter().flat_map(|byte| [*byte, 0]).collect();
    [&narrow[..], &wide].iter().any(|word| bytes.windows(word.len()).any(|part| part == *word))
}
