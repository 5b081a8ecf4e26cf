//! What is in a folder of agents: the plugins, and every other file by name.
//!
//! Submissions come from strangers, so the host follows no links here and opens only regular
//! files.

use std::{
    ffi::OsStr,
    fs::{self, DirEntry},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::{name_of_file::short_name, plugin_finder::plugin_name};
use run::agent::LeftOut;
use text::{listing::first_listed, plugin_words::name_as_code};
use tournament::AgentEntry;
use worker::{SubmissionFiles, has_several_names, is_main_file, is_program_folder};

/// The files of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderListing {
    pub plugins: Vec<ListedPlugin>,
    /// Files that cannot be plugins, with the reason.
    pub left_out: Vec<LeftOut>,
    /// Files that are not handed in to play: they belong to a plugin of the folder, such as its
    /// source or its weights, or an operating system left them there.
    pub beside: Vec<String>,
}

/// A file that is played, if it can be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPlugin {
    /// Its file, or the folder that it is in, which gives it its name.
    pub submission: String,
    /// The file, relative to the listed folder.
    pub file: PathBuf,
}

impl FolderListing {
    /// Lists the files of a folder whose names are wanted, sorted by name.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn of(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> io::Result<Self> {
        let mut entries: Vec<DirEntry> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
        entries.sort_unstable_by_key(DirEntry::file_name);
        let mut listing = Self::default();
        let mut others = Vec::new();
        for entry in entries {
            let name = entry.file_name();
            if !is_wanted(&name.to_string_lossy()) {
                continue;
            }
            match plugin_of(&entry) {
                Ok(plugin) => listing.plugins.push(plugin),
                Err(reason) => others.push((name.to_string_lossy().into_owned(), reason)),
            }
        }
        for (file, reason) in others {
            if listing.has_plugin_of(&file) || is_of_system(&file) {
                listing.beside.push(file);
            } else {
                let name = short_name(&file);
                listing.left_out.push(LeftOut { file, name, reason });
            }
        }
        listing.leave_out_linked(folder);
        Ok(listing)
    }

    /// Whether a plugin has the same name up to the ending.
    fn has_plugin_of(&self, file: &str) -> bool {
        let names = self.plugins.iter();
        let mut names = names.map(|plugin| AgentEntry::default_name(&plugin.submission));
        names.any(|name| belongs_to(file, name))
    }

    /// Leaves out plugins beside which lies a hard link that they can read.
    fn leave_out_linked(&mut self, folder: &Path) {
        let is_linked = |file: &&String| {
            let data = fs::symlink_metadata(folder.join(file));
            data.is_ok_and(|data| has_several_names(&data))
        };
        let linked: Vec<&String> = self.beside.iter().filter(is_linked).collect();
        self.plugins.retain(|plugin| {
            let name = AgentEntry::default_name(&plugin.submission);
            let mut linked = linked.iter().filter(|file| belongs_to(file, name));
            let found = linked.next();
            if let Some(file) = found {
                self.left_out.push(LeftOut {
                    file: plugin.submission.clone(),
                    name: short_name(&plugin.submission),
                    reason: several_names(file),
                });
            }
            found.is_none()
        });
    }
}

/// The plugin that an entry of the folder is or contains, or why it has none.
fn plugin_of(entry: &DirEntry) -> Result<ListedPlugin, String> {
    let file_name = entry.file_name();
    let Some(name) = file_name.to_str() else {
        return Err("has a name that is not UTF-8; rename it".to_owned());
    };
    // No reader would see that it is not the name of another participant.
    if name.trim() != name {
        return Err("has a name that begins or ends with a blank; rename it".to_owned());
    }
    let kind = entry
        .file_type()
        .map_err(|error| format!("cannot be read: {error}"))?;
    let plugin = |file: PathBuf| ListedPlugin {
        submission: name.to_owned(),
        file,
    };
    if kind.is_symlink() {
        Err("is a symbolic link; put the file itself into the folder".to_owned())
    } else if kind.is_dir() {
        Ok(plugin(match plugin_in(&entry.path())? {
            Some(file) => Path::new(name).join(file),
            None => name.into(),
        }))
    } else if !kind.is_file() {
        Err("is not a file but a pipe, socket or device".to_owned())
    } else if is_plugin(name) || is_executable(entry) {
        Ok(plugin(name.into()))
    } else {
        Err(why_no_plugin(name))
    }
}

/// Whether the name of a file is that of a plugin.
fn is_plugin(name: &str) -> bool {
    let path = Path::new(name);
    let is_class = path.extension() == Some(OsStr::new("class")) && !name.contains('$');
    (plugin_name(path).is_some() || is_class) && !name.starts_with('.')
}

/// Whether a file without an ending may be executed.
fn is_executable(entry: &DirEntry) -> bool {
    let has_ending = entry.path().extension().is_some();
    let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
    let mode = entry.metadata().map_or(0, |data| data.permissions().mode());
    !has_ending && !is_hidden && mode & 0o111 != 0
}

/// The plugin of a submission that is a folder; nothing if the folder is a program.
fn plugin_in(folder: &Path) -> Result<Option<String>, String> {
    let plugin = if is_program_folder(folder) {
        None
    } else {
        Some(main_file(folder)?)
    };
    let is_library = |name: &&str| Path::new(name).extension().is_some_and(|end| end == "so");
    let library = plugin.as_deref().filter(is_library);
    let files = match library {
        Some(_) => SubmissionFiles::beside_library(folder),
        None => SubmissionFiles::of(&[folder.to_path_buf()]),
    };
    let files = files.map_err(|error| format!("is a folder that {error}"))?;
    if let Some(link) = files.symbolic_link {
        return Err(format!(
            "is a folder that contains a symbolic link, {}",
            name_as_code(&link)
        ));
    }
    // A library can read what is called like it, a program the whole folder.
    let is_read = |name: &str| match (&plugin, library) {
        (None, _) => !is_main_file(name),
        (Some(plugin), None) => name != plugin,
        (Some(plugin), Some(_)) => {
            name != plugin && belongs_to(name, AgentEntry::default_name(plugin))
        }
    };
    let names = files.with_several_names.iter();
    let mut names = names.map(|path| path.strip_prefix(folder).unwrap_or(path).to_string_lossy());
    match names.find(|name| is_read(name)) {
        Some(name) => Err(several_names(&name)),
        None => Ok(plugin),
    }
}

/// Why a submission with a hard link does not play. Nothing tells whose file it is.
fn several_names(file: &str) -> String {
    format!(
        "can read {}, a hard link, which may be somebody else's file; hand in a copy of it",
        name_as_code(file)
    )
}

/// Whether a file has the name of a plugin and an ending of its own. With more endings it
/// may be another participant's: `max.mueller.zip` beside `max.py`.
fn belongs_to(file: &str, plugin: &str) -> bool {
    let Some(rest) = file.strip_prefix(plugin) else {
        return false;
    };
    let has_one_ending = |rest: &str| !rest.contains('.') || rest.starts_with("tar.");
    // The inner classes of a Java class follow a dollar sign.
    rest.starts_with('$') || rest.strip_prefix('.').is_some_and(has_one_ending)
}

/// The plugin of a submission that is a folder: the only one, or the one called `main` or
/// like the folder.
fn main_file(folder: &Path) -> Result<String, String> {
    let unreadable = |error: io::Error| format!("is a folder that cannot be read: {error}");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let name = entry.file_name().into_string().unwrap_or_default();
        if is_file && is_plugin(&name) {
            found.push(name);
        }
    }
    found.sort_unstable();
    if let [only] = found.as_slice() {
        return Ok(only.clone());
    }
    let folder_name = folder.file_name().and_then(OsStr::to_str);
    let is_main = |name: &&String| {
        let stem = AgentEntry::default_name(name);
        stem == "main" || Some(stem) == folder_name
    };
    match found.iter().filter(is_main).collect::<Vec<_>>().as_slice() {
        [main] => Ok((*main).clone()),
        _ if found.is_empty() => Err(format!("is a folder without a plugin ({EXPECTED})")),
        _ => Err(format!(
            "is a folder with several plugins ({}); call one of them `main`",
            first_names(&found)
        )),
    }
}

/// Some names of files, which may be anything.
fn first_names(files: &[String]) -> String {
    const MOST: usize = 5;
    first_listed(files.iter().map(|file| name_as_code(file)), MOST)
}

/// Whether an operating system leaves such a file in folders and archives.
fn is_of_system(name: &str) -> bool {
    let is_hidden = name.strip_prefix('.').is_some_and(|rest| !is_plugin(rest));
    is_hidden || ["__MACOSX", "Thumbs.db", "desktop.ini"].contains(&name)
}

/// What a plugin is called.
const EXPECTED: &str = "expected a file such as libNAME.so, NAME.py, NAME.js or NAME.jar";

fn why_no_plugin(name: &str) -> String {
    const SOURCES: &[&str] = &[
        "c", "cc", "cpp", "cxx", "h", "hpp", "rs", "go", "zig", "java", "kt", "pas", "cs", "swift",
    ];
    const ARCHIVES: &[&str] = &["zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar"];
    let ending = Path::new(name).extension().and_then(OsStr::to_str);
    let ending = ending.unwrap_or_default().to_lowercase();
    if name.starts_with('.') {
        "is a hidden file".to_owned()
    } else if SOURCES.contains(&ending.as_str()) {
        "is source code; build it and put the result into the folder".to_owned()
    } else if ARCHIVES.contains(&ending.as_str()) {
        "is an archive; unpack it and put the plugin into the folder".to_owned()
    } else if ["dll", "dylib", "exe"].contains(&ending.as_str()) {
        "was built for another operating system; build it on Linux".to_owned()
    } else {
        format!("is not a plugin ({EXPECTED})")
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn every_file_is_a_plugin_or_named_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in [
            "libanna.so",
            "anna.c",
            "anna.weights",
            "anna.tar.gz",
            "anna.lena.zip",
            "bert.c",
            "carl.zip",
            "notes.txt",
            ".DS_Store",
            ".kurt.so",
            "Jörg Müller.so",
            " anna.so",
            "emma.so ",
        ] {
            fs::write(path(name), "x").unwrap();
        }
        symlink("/etc/passwd", path("dora.so")).unwrap();
        for (inner, files) in [
            ("emil", &["emil.so", "weights.bin"][..]),
            ("fred", &["a.so", "main.so"]),
            ("gina", &["a.so", "b.so"]),
            ("hans", &[]),
            ("jan", &["main.py", "helper.py"]),
            ("karl", &["main.py"]),
        ] {
            fs::create_dir(path(inner)).unwrap();
            for file in files {
                fs::write(path(inner).join(file), "x").unwrap();
            }
        }
        symlink("/etc/passwd", path("karl/data")).unwrap();
        // Not what is played, but what is read besides.
        fs::hard_link(path("libanna.so"), path("copy.d")).unwrap();
        fs::hard_link(path("jan/helper.py"), path("notes.hard")).unwrap();
        fs::write(path("lena.py"), "").unwrap();
        fs::hard_link(path("emil/emil.so"), path("lena.hard")).unwrap();
        fs::write(path("anna.py"), "").unwrap();
        nix::unistd::mkfifo(&path("ida.so"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        let listing = FolderListing::of(folder.path(), |_| true).unwrap();
        let plugins: Vec<_> = listing
            .plugins
            .iter()
            .map(|p| p.file.to_str().unwrap())
            .collect();
        assert_eq!(
            plugins,
            [
                "Jörg Müller.so",
                "anna.py",
                "emil/emil.so",
                "fred/main.so",
                "libanna.so"
            ]
        );
        assert_eq!(
            listing.beside,
            [
                ".DS_Store",
                "anna.c",
                "anna.tar.gz",
                "anna.weights",
                "lena.hard"
            ]
        );
        let left_out: Vec<String> = listing
            .left_out
            .iter()
            .map(|left_out| format!("{} {}", left_out.file, left_out.reason))
            .collect();
        for (sentence, expected) in left_out.iter().zip([
            " anna.so has a name that begins or ends with a blank",
            ".kurt.so is a hidden file",
            "anna.lena.zip is an archive",
            "bert.c is source code",
            "carl.zip is an archive",
            "copy.d is not a plugin",
            "dora.so is a symbolic link",
            "emma.so  has a name that begins or ends with a blank",
            "gina is a folder with several plugins (`a.so` and `b.so`)",
            "hans is a folder without a plugin",
            "ida.so is not a file but a pipe",
            "jan can read `helper.py`, a hard link",
            "karl is a folder that contains a symbolic link, `data`",
            "notes.hard is not a plugin",
            "notes.txt is not a plugin",
            "lena.py can read `lena.hard`, a hard link",
        ]) {
            assert!(sentence.starts_with(expected), "{sentence}");
        }
        assert_eq!(left_out.len(), 16, "{left_out:?}");
        let only_anna = FolderListing::of(folder.path(), |name| name == "anna.c").unwrap();
        assert_eq!((only_anna.plugins.len(), only_anna.left_out.len()), (0, 1));
    }
}
