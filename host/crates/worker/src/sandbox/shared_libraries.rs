//! Which shared libraries a file needs, and where the system's loader finds them.
//!
//! A room holds these and no others. They are found as `ld.so(8)` does: by the names in
//! the dynamic section, in the system's cache and in its default folders.

use std::{
    collections::{BTreeSet, HashMap},
    fs::{self, File},
    path::{Path, PathBuf},
};

use super::elf_file::ElfFile;
use crate::regular_file::open_regular_behind_links;

/// What the loader's cache and its default folders hold.
pub(super) struct LibrarySearch {
    by_name: HashMap<String, Vec<PathBuf>>,
}

/// The list of libraries that `ldconfig` writes.
pub(super) const LOADER_CACHE: &str = "/etc/ld.so.cache";

/// Libraries that the C library and unwinding open on their own.
const ALWAYS: [&str; 3] = ["libc.so.6", "libm.so.6", "libgcc_s.so.1"];

/// Folders that the loader searches by default.
const DEFAULT_FOLDERS: [&str; 4] = ["/lib64", "/usr/lib64", "/lib", "/usr/lib"];

#[cfg(target_arch = "x86_64")]
const LIBRARIES_OF_THIS_MACHINE: u32 = 0x0303;
#[cfg(target_arch = "aarch64")]
const LIBRARIES_OF_THIS_MACHINE: u32 = 0x0a03;

impl LibrarySearch {
    pub(super) fn new() -> Self {
        let cache = fs::read(LOADER_CACHE).unwrap_or_default();
        Self {
            by_name: parse_cache(&cache).unwrap_or_default(),
        }
    }

    /// Every library that these files need, directly or through another library.
    pub(super) fn needed_by(&self, files: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
        // More than any plugin needs; a file may name whatever it likes.
        const MOST: usize = 256;
        let mut names: Vec<String> = ALWAYS.iter().map(ToString::to_string).collect();
        // One after the other: a folder may have more files than can be open at once.
        names.extend(files.flat_map(|path| needed_names_of(&path)));
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        while let Some(name) = names.pop() {
            if name.contains('/') || seen.len() == MOST || !seen.insert(name.clone()) {
                continue;
            }
            for path in self.find(&name) {
                if let Ok(file) = open_regular_behind_links(&path) {
                    names.extend(needed_names(&file));
                    found.push(path);
                }
            }
        }
        found
    }

    /// All places of a library; which of them is used, the loader decides by the CPU.
    fn find(&self, name: &str) -> Vec<PathBuf> {
        if let Some(paths) = self.by_name.get(name) {
            return paths.clone();
        }
        DEFAULT_FOLDERS
            .iter()
            .map(|folder| Path::new(folder).join(name))
            .filter(|path| path.is_file())
            .collect()
    }
}

/// Reads the cache: a header of 48 bytes, entries of 24 bytes, and texts, all of whose
/// positions count from the header.
fn parse_cache(cache: &[u8]) -> Option<HashMap<String, Vec<PathBuf>>> {
    const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
    const HEADER_SIZE: usize = 48;
    const ENTRY_SIZE: usize = 24;
    // An older format may stand before it.
    let start = cache.windows(MAGIC.len()).position(|part| part == MAGIC)?;
    let cache = &cache[start..];
    let word = |at: usize| Some(u32::from_le_bytes(cache.get(at..at + 4)?.try_into().ok()?));
    let text = |at: usize| {
        let rest = cache.get(at..)?;
        let length = rest.iter().position(|&byte| byte == 0)?;
        Some(std::str::from_utf8(&rest[..length]).ok()?.to_owned())
    };
    let n_entries = usize::try_from(word(MAGIC.len())?).ok()?;
    let mut by_name: HashMap<String, Vec<PathBuf>> = HashMap::new();
    for number in 0..n_entries {
        let entry = HEADER_SIZE + number * ENTRY_SIZE;
        if word(entry)? != LIBRARIES_OF_THIS_MACHINE {
            continue;
        }
        let name = text(usize::try_from(word(entry + 4)?).ok()?)?;
        let path = text(usize::try_from(word(entry + 8)?).ok()?)?;
        by_name.entry(name).or_default().push(path.into());
    }
    Some(by_name)
}

fn needed_names_of(path: &Path) -> Vec<String> {
    let file = open_regular_behind_links(path).ok();
    file.map(|file| needed_names(&file)).unwrap_or_default()
}

/// The names of the libraries that a file asks for; none when it is not understood.
fn needed_names(file: &File) -> Vec<String> {
    ElfFile::of(file)
        .and_then(|elf| elf.needed_libraries())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_of_this_program_are_found() {
        let own = std::env::current_exe().unwrap();
        let names = needed_names_of(&own);
        assert!(!names.is_empty());
        let search = LibrarySearch::new();
        let found = search.needed_by([own].into_iter());
        for name in names {
            assert!(
                found.iter().any(|path| path.ends_with(&name)),
                "{name}: {found:?}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn any_cache_is_read_without_harm(bytes: Vec<u8>) {
            let _ = parse_cache(&bytes);
            let cache = [b"glibc-ld.so.cache1.1".as_slice(), &bytes].concat();
            let _ = parse_cache(&cache);
        }
    }
}
