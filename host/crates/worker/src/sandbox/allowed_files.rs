//! The files that `allow_read` names: hashed, and copied into a room.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use text::hex::hex;

use crate::regular_file::{open_regular, sha256_of};

/// One hash of all files, folders with everything in them. Where they lie does not count.
///
/// # Errors
/// When one of them cannot be read; one that does not exist is hashed as such.
pub fn sha256_of_files(paths: &[PathBuf]) -> io::Result<String> {
    sha256_below(Path::new("/"), paths)
}

/// The same for the copies below another root.
pub(super) fn sha256_below(root: &Path, paths: &[PathBuf]) -> io::Result<String> {
    let mut hasher = Sha256::new();
    for path in paths {
        hash(&mut hasher, &below(root, path), "").map_err(|error| named(path, &error))?;
    }
    Ok(hex(&hasher.finalize()))
}

/// Copies files and folders to the same paths below another root.
pub(super) fn copy_below(root: &Path, paths: &[PathBuf]) -> io::Result<()> {
    for path in paths {
        copy(path, &below(root, path)).map_err(|error| named(path, &error))?;
    }
    Ok(())
}

/// An error that names what was listed.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
}

/// Every file of a list below a root, those in folders included.
pub(super) fn files_below(root: &Path, paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left: Vec<PathBuf> = paths.iter().map(|path| below(root, path)).collect();
    while let Some(path) = left.pop() {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => left.extend(entries(&path).unwrap_or_default()),
            Ok(metadata) if metadata.is_file() => found.push(path),
            _ => {}
        }
    }
    found
}

/// The size of what an agent may read beside its plugin's file.
#[must_use]
pub fn size_of_files_beside(plugin: &Path, allow_read: &[PathBuf]) -> u64 {
    let files = files_below(Path::new("/"), allow_read);
    // Holes count: a copy has none.
    let sizes = files
        .iter()
        .filter(|path| *path != plugin)
        .flat_map(fs::metadata);
    sizes.map(|data| data.len()).sum()
}

/// Where an absolute path lies below another root.
pub(super) fn below(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

/// Adds one entry: its kind, its name within what was listed, and its content.
fn hash(hasher: &mut Sha256, path: &Path, name: &str) -> io::Result<()> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        metadata => Some(metadata?),
    };
    let kind = metadata.map(|metadata| metadata.file_type());
    let content = match kind {
        Some(kind) if kind.is_file() => format!("file {}", sha256_of(&open_regular(path)?)?),
        Some(kind) if kind.is_dir() => "folder".to_owned(),
        Some(kind) if kind.is_symlink() => format!("link {}", fs::read_link(path)?.display()),
        Some(_) => "device".to_owned(),
        None => "missing".to_owned(),
    };
    hasher.update(format!("{name}\0{content}\0"));
    if kind.is_some_and(|kind| kind.is_dir()) {
        for entry in entries(path)? {
            let file_name = entry.file_name().unwrap_or_default().to_string_lossy();
            hash(hasher, &entry, &format!("{name}/{file_name}"))?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let metadata = match fs::symlink_metadata(from) {
        // What does not exist cannot be read by the agent either.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    if metadata.is_dir() {
        fs::create_dir_all(to)?;
        for entry in entries(from)? {
            copy(&entry, &to.join(entry.file_name().unwrap_or_default()))?;
        }
    } else if metadata.is_symlink() {
        symlink(fs::read_link(from)?, to)?;
    } else if metadata.is_file() {
        io::copy(&mut open_regular(from)?, &mut File::create(to)?)?;
    }
    Ok(())
}

/// The entries of a folder in a fixed order.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<PathBuf>>>()?;
    entries.sort_unstable();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_the_hash_of_the_original_and_every_change_gives_another() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let weights = from.path().join("weights");
        fs::create_dir(&weights).unwrap();
        fs::write(weights.join("a"), "1").unwrap();
        fs::write(weights.join("b"), "2").unwrap();
        let paths = vec![weights.clone(), from.path().join("missing")];
        let original = sha256_of_files(&paths).unwrap();
        copy_below(to.path(), &paths).unwrap();
        assert_eq!(sha256_below(to.path(), &paths).unwrap(), original);
        assert_eq!(files_below(to.path(), &paths).len(), 2);

        fs::rename(weights.join("b"), weights.join("c")).unwrap();
        let renamed = sha256_of_files(&paths).unwrap();
        assert_ne!(renamed, original);
        fs::write(weights.join("c"), "3").unwrap();
        assert_ne!(sha256_of_files(&paths).unwrap(), renamed);
    }
}
