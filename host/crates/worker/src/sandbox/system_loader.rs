//! The loader that an executable of a stranger asks for: the system's, or none.
//!
//! The kernel starts whatever file an executable names as its loader, and the launcher puts
//! that file into the room. So a stranger must not choose it.

use std::{
    fs::{self, File},
    io,
    path::{Component, Path, PathBuf},
};

use super::elf_file::ElfFile;
use text::{plugin_words::name_as_code, printable::printable};

use crate::{Program, program::RuntimeKind, regular_file::open_regular_behind_links};

/// An executable names something else than the system's loader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("names {} as its loader; only the system's loader is allowed", name_as_code(.0))]
pub struct ForeignLoader(String);

/// Where a system keeps its loader.
const FOLDERS: [&str; 4] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64"];

/// More than any loader has.
const LARGEST: u64 = 16 << 20;

/// The loader of a stranger's executable; nothing for a static one.
///
/// # Errors
/// When it is not the system's.
pub(crate) fn system_loader(executable: &File) -> Result<Option<PathBuf>, ForeignLoader> {
    const LONGEST_SHOWN: usize = 200;
    let Some(elf) = ElfFile::of(executable).filter(ElfFile::has_loader) else {
        return Ok(None);
    };
    match elf.loader() {
        Some(path) if is_of_the_system(&path) || Some(&path) == own_loader().as_ref() => {
            Ok(Some(path))
        }
        Some(path) => {
            let shown = printable(&path.to_string_lossy(), LONGEST_SHOWN);
            Err(ForeignLoader(shown))
        }
        None => Err(ForeignLoader("a text that is no path".to_owned())),
    }
}

/// The loader that starts a program whose executable lies at a path. An interpreter is not
/// a stranger's.
pub(super) fn loader_of(program: &Program, executable: &Path) -> io::Result<Option<PathBuf>> {
    let file = open_regular_behind_links(executable)?;
    match program.runtime.kind {
        RuntimeKind::Own => system_loader(&file).map_err(io::Error::other),
        _ => Ok(ElfFile::of(&file).and_then(|elf| elf.loader())),
    }
}

/// Whether a file is called like a loader, and lies where only the system's owner puts files.
fn is_of_the_system(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_loaders_name = name.starts_with("ld") && name.contains(".so");
    let is_plain = path
        .components()
        .all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
    let is_in_place = FOLDERS.iter().any(|folder| path.starts_with(folder));
    let is_sane = || fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
    is_loaders_name && is_plain && is_in_place && is_sane()
}

/// The loader of this program: some systems keep it at a place of their own.
fn own_loader() -> Option<PathBuf> {
    ElfFile::of(&File::open("/proc/self/exe").ok()?)?.loader()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_system_calls_its_loader_is_one() {
        let own = own_loader().unwrap();
        assert!(is_of_the_system(&own), "{own:?}");
        for foreign in [
            "ld".to_owned(),
            own.strip_prefix("/").unwrap().display().to_string(),
            "/dev/zero".to_owned(),
            "/etc/passwd".to_owned(),
            "/lib64/../etc/ld.so.conf".to_owned(),
            "/lib64".to_owned(),
            "/lib64/ld-missing.so.2".to_owned(),
            String::new(),
        ] {
            assert!(!is_of_the_system(Path::new(&foreign)), "{foreign}");
        }
    }
}
