//! Reads an archive: checks it, or makes a run folder of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Component, Path, PathBuf},
};

use tar::{Archive, EntryType};

use super::{ArchiveSummary, CHECKSUMS, COPIED, DESCRIPTION, Hashing, REPORT_JSON};
use crate::{
    run::{atomic_file, run_files, unlinked},
    text::{hex::is_hex, plugin_words::name_as_code},
    tournament::is_plain_name,
};

/// A file with a million checksums is shorter.
const LONGEST_CHECKSUMS: u64 = 256 << 20;
/// A name that does not fit into a header has a file of its own.
const LONGEST_NAME: u64 = 1 << 14;

const NO_TAR: &str = "it is not a tar file";
const CHANGED: &str = "it was cut off or changed";

/// Why an archive cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("cannot open the archive {}: {source}", shown(file))]
    Unreadable { file: PathBuf, source: io::Error },
    #[error("{} is not an archive of a run: {sentence}", shown(file))]
    NotAnArchive { file: PathBuf, sentence: String },
    #[error("{} is damaged: {sentence}", shown(file))]
    Damaged { file: PathBuf, sentence: String },
    #[error("{} exists; choose another folder with --out", shown(.0))]
    Exists(PathBuf),
    #[error("cannot unpack into {}: {source}", shown(folder))]
    Unwritable { folder: PathBuf, source: io::Error },
}

/// A path, which may be one of a stranger's archive, as code.
fn shown(path: &Path) -> String {
    name_as_code(&path.to_string_lossy())
}

/// Compares every file of an archive with its checksum.
///
/// # Errors
/// When it is not an archive, or damaged.
pub fn check(file: &Path) -> Result<ArchiveSummary, ArchiveError> {
    read(file, |_| Ok(Box::new(io::sink())))
}

/// Makes a run folder of an archive. The folder appears when all of it is on disk and as its
/// checksums say. Without a folder it is named after the tournament.
///
/// # Errors
/// When it is not an archive, or damaged, or the folder exists or cannot be written.
pub fn extract(
    file: &Path,
    folder: Option<&Path>,
) -> Result<(ArchiveSummary, PathBuf), ArchiveError> {
    let folder = match folder {
        Some(folder) => folder.to_path_buf(),
        None => PathBuf::from(check(file)?.name),
    };
    if fs::symlink_metadata(&folder).is_ok() {
        return Err(ArchiveError::Exists(folder));
    }
    let mut name = folder.clone().into_os_string();
    name.push(".unpacking");
    let new = PathBuf::from(name);
    let unwritable = |source| ArchiveError::Unwritable {
        folder: folder.clone(),
        source,
    };
    if fs::symlink_metadata(&new).is_ok() {
        // What is left of an attempt that was killed.
        fs::remove_dir_all(&new).map_err(unwritable)?;
    }
    atomic_file::create_folders(&new).map_err(unwritable)?;
    let extracted = read(file, |path| {
        let target = new.join(path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        let mode = if path == Path::new(run_files::SALT) {
            0o600
        } else {
            0o666
        };
        Ok(Box::new(DurableFile(unlinked::create_anew(&target, mode)?)))
    });
    let renamed = extracted.and_then(|summary| {
        atomic_file::rename(&new, &folder).map_err(unwritable)?;
        Ok((summary, folder.clone()))
    });
    if renamed.is_err() {
        // The error matters, not what is left of the attempt.
        let _ = fs::remove_dir_all(&new);
    }
    renamed
}

/// A file that is on disk when it is flushed.
struct DurableFile(File);

impl Write for DurableFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.sync_all()
    }
}

/// Reads every file of an archive and passes it to the writer that `target` makes for its
/// path within the run folder.
fn read(
    file: &Path,
    mut target: impl FnMut(&Path) -> io::Result<Box<dyn Write>>,
) -> Result<ArchiveSummary, ArchiveError> {
    let no_archive = |sentence: String| ArchiveError::NotAnArchive {
        file: file.to_path_buf(),
        sentence,
    };
    let damaged = |sentence: String| ArchiveError::Damaged {
        file: file.to_path_buf(),
        sentence,
    };
    let opened = File::open(file).map_err(|source| ArchiveError::Unreadable {
        file: file.to_path_buf(),
        source,
    })?;
    let n_bytes = opened.metadata().map_or(0, |metadata| metadata.len());
    if has_a_long_name(&opened) {
        return Err(no_archive("it has a name that is too long".to_owned()));
    }
    let has_end = has_end(&opened);
    let mut archive = Archive::new(BufReader::new(opened));
    let entries = archive.entries();
    let entries = entries.map_err(|error| no_archive(in_words(&error, NO_TAR)))?;
    let (mut name, mut expected) = (None, None);
    let mut found: BTreeMap<PathBuf, String> = BTreeMap::new();
    for entry in entries {
        let entry = entry.map_err(|error| match name {
            None => no_archive(in_words(&error, NO_TAR)),
            Some(_) => damaged(in_words(&error, CHANGED)),
        })?;
        let path = entry.path();
        let path = path.map_err(|error| damaged(in_words(&error, CHANGED)))?;
        let path = path.into_owned();
        let (folder, inner) = split(&path)
            .filter(|_| entry.header().entry_type() == EntryType::Regular)
            .ok_or_else(|| no_archive(format!("{} is not a file of a run", shown(&path))))?;
        // It becomes the name of a folder, and a part of messages and commands.
        if !is_plain_name(&folder) {
            let folder = name_as_code(&folder);
            return Err(no_archive(format!(
                "its folder {folder} does not have a valid name"
            )));
        }
        if *name.get_or_insert_with(|| folder.clone()) != folder {
            return Err(no_archive("it has several folders".to_owned()));
        }
        if inner == Path::new(CHECKSUMS) {
            let mut text = String::new();
            let read = entry.take(LONGEST_CHECKSUMS).read_to_string(&mut text);
            read.map_err(|error| damaged(in_words(&error, CHANGED)))?;
            let checksums = parse(&text).map_err(|line| {
                damaged(format!(
                    "line {line} of {CHECKSUMS} is not the checksum of one more file"
                ))
            })?;
            if expected.replace(checksums).is_some() {
                return Err(no_archive(format!("it has {} twice", shown(&path))));
            }
            continue;
        }
        if found.contains_key(&inner) {
            return Err(no_archive(format!("it has {} twice", shown(&path))));
        }
        let writer = target(&inner).and_then(|mut writer| {
            let mut entry = Hashing::new(entry);
            io::copy(&mut entry, &mut writer)?;
            writer.flush()?;
            Ok(entry.finish())
        });
        let checksum = writer.map_err(|error| {
            let sentence = in_words(&error, CHANGED);
            damaged(format!("{}: {sentence}", shown(&path)))
        })?;
        found.insert(inner, checksum);
    }
    let name = name.ok_or_else(|| no_archive("it is empty".to_owned()))?;
    let expected =
        expected.ok_or_else(|| damaged(format!("it has no {CHECKSUMS}; is it cut off?")))?;
    let is_empty = archive
        .into_inner()
        .bytes()
        .all(|byte| byte.is_ok_and(|byte| byte == 0));
    if !is_empty || !has_end {
        return Err(damaged(
            "it was cut off, or has more after its end".to_owned(),
        ));
    }
    for needed in [DESCRIPTION, run_files::PLAN] {
        if !found.contains_key(Path::new(needed)) {
            return Err(no_archive(format!("it has no {needed}")));
        }
    }
    if let Some(sentence) = mismatch(&found, &expected) {
        return Err(damaged(sentence));
    }
    Ok(ArchiveSummary {
        name,
        n_files: found.len() + 1,
        n_bytes,
        has_secret_salt: found.contains_key(Path::new(run_files::SALT)),
    })
}

/// What is wrong with the first file that is not as its checksum says.
fn mismatch(
    found: &BTreeMap<PathBuf, String>,
    expected: &BTreeMap<PathBuf, String>,
) -> Option<String> {
    let paths: BTreeSet<&PathBuf> = found.keys().chain(expected.keys()).collect();
    paths.into_iter().find_map(|path| {
        let name = shown(path);
        match (found.get(path), expected.get(path)) {
            (Some(found), Some(expected)) if found == expected => None,
            (Some(_), Some(_)) => Some(format!("{name} does not match its checksum")),
            (Some(_), None) => Some(format!("{CHECKSUMS} does not have {name}")),
            (None, _) => Some(format!("{name} is missing")),
        }
    })
}

/// The error of the system, or else `other`: the library names the field of a header that it
/// could not read, which tells a user nothing.
fn in_words(error: &io::Error, other: &str) -> String {
    match error.raw_os_error() {
        Some(_) => error.to_string(),
        None => other.to_owned(),
    }
}

/// Whether a file of whole blocks ends as every tar file does: in a kilobyte of zeros. The file is
/// at its beginning afterwards.
fn has_end(mut file: &File) -> bool {
    let is_whole = |file: &File| file.metadata().is_ok_and(|it| it.len().is_multiple_of(512));
    let mut end = [1; 1024];
    let is_read = file.seek(SeekFrom::End(-1024)).is_ok() && file.read_exact(&mut end).is_ok();
    file.rewind().is_ok() && is_read && end == [0; 1024] && is_whole(file)
}

/// Whether a name of the archive would take much memory. Only headers are read here; the file is
/// at its beginning afterwards.
fn has_a_long_name(mut file: &File) -> bool {
    let mut archive = Archive::new(file);
    let is_long = archive.entries_with_seek().is_ok_and(|entries| {
        // What cannot be read is an error of the archive, which is said later.
        let mut entries = entries.raw(true).map_while(Result::ok);
        entries.any(|entry| {
            entry.header().entry_type() != EntryType::Regular && entry.size() > LONGEST_NAME
        })
    });
    file.rewind().is_err() || is_long
}

/// The folder of a path in an archive, and the path of a run's file in it.
fn split(path: &Path) -> Option<(String, PathBuf)> {
    let parts: Option<Vec<&str>> = path
        .components()
        .map(|part| match part {
            Component::Normal(part) => part.to_str(),
            _ => None,
        })
        .collect();
    let log = run_files::compressed(Path::new(run_files::GAME_LOG));
    match parts?.as_slice() {
        [folder, file]
            if COPIED.contains(file)
                || [DESCRIPTION, CHECKSUMS, REPORT_JSON, run_files::REPORT_PAGE].contains(file)
                || log == Path::new(file) =>
        {
            Some(((*folder).to_owned(), PathBuf::from(file)))
        }
        [folder, inner @ run_files::STDERR_FOLDER, file] if is_name_of_host(file) => {
            Some(((*folder).to_owned(), Path::new(inner).join(file)))
        }
        _ => None,
    }
}

/// Whether a host could have given a file this name: that of an agent and more of the kind.
fn is_name_of_host(file: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !file.starts_with(['.', '-']) && file.bytes().all(is_plain)
}

/// The checksums by path, or the number of the first line that `sha256sum` would not have written.
fn parse(checksums: &str) -> Result<BTreeMap<PathBuf, String>, usize> {
    let mut parsed = BTreeMap::new();
    for (index, line) in checksums.lines().enumerate() {
        let (checksum, path) = line.split_once("  ").ok_or(index + 1)?;
        let earlier = parsed.insert(PathBuf::from(path), checksum.to_owned());
        if !is_hex(checksum, 64) || earlier.is_some() {
            return Err(index + 1);
        }
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_files_of_a_run_are_taken() {
        let inner = |path: &str| split(Path::new(path)).map(|(_, inner)| inner);
        assert_eq!(inner("t/plan.json"), Some("plan.json".into()));
        assert_eq!(inner("t/stderr/a.txt"), Some("stderr/a.txt".into()));
        for path in [
            "/t/plan.json",
            "t/../plan.json",
            "../plan.json",
            "plan.json",
            "t/t/plan.json",
            "t/stderr/../plan.json",
            "t/stderr/a/b",
            "t/stderr/a\nb",
            "t/stderr/-rf",
            "t/.bashrc",
            "t/games.jsonl",
        ] {
            assert_eq!(inner(path), None, "{path}");
        }
    }

    #[test]
    fn every_line_of_the_checksums_is_one() {
        let line = |path: &str| format!("{}  {path}\n", "0a".repeat(32));
        let good = line("plan.json") + &line("report.json");
        assert_eq!(parse(&good).unwrap().len(), 2);
        for bad in ["", "plan.json", "0a  plan.json", &line("plan.json")] {
            assert_eq!(parse(&format!("{good}{bad}\n")), Err(3), "{bad}");
        }
    }

    #[test]
    fn a_name_of_a_gigabyte_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.tar");
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(EntryType::GNULongName);
        header.set_size(1 << 30);
        header.set_cksum();
        fs::write(&path, header.as_bytes()).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(1 << 31).unwrap();
        let error = check(&path).unwrap_err().to_string();
        assert!(error.ends_with("it has a name that is too long"), "{error}");
    }
}
