//! What is in a folder of agents: the plugins, and every other file by name.
//!
//! Submissions come from strangers, so the host follows no links here and opens only regular
//! files.
//!
//! Files have any name, agents only plain ones. The name of an agent depends on the name of its
//! file alone, not on the other files, unless two would be the same: so a late submission does
//! not change the names, and with them the records, of earlier ones.

use std::{
    ffi::OsStr,
    fs::{self, DirEntry},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::plugin_finder::plugin_name;
use run::agent::LeftOut;
use sha2::{Digest, Sha256};
use text::{hex::hex, listing::first_listed, plugin_words::name_as_code};
use tournament::{AgentEntry, is_plain_name};
use worker::{SubmissionFiles, is_main_file, is_program_folder};

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
        Ok(listing)
    }

    /// Whether a plugin has the same name up to the ending.
    fn has_plugin_of(&self, file: &str) -> bool {
        let names = self.plugins.iter();
        let mut names = names.map(|plugin| AgentEntry::default_name(&plugin.submission));
        names.any(|name| belongs_to(file, name))
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
pub(super) fn several_names(file: &str) -> String {
    format!(
        "can read {}, a hard link, which may be another user's file; hand in a copy of it",
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

/// Room for what may follow: `-twin`, or the digits of a hash.
const LONGEST: usize = 80;

/// The name of the agent in a file or folder: without its ending and the `lib` of a library.
#[must_use]
pub(super) fn short_name(file_name: &str) -> String {
    let path = Path::new(file_name);
    let stem = plugin_name(path).unwrap_or_else(|| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        stem.unwrap_or(file_name).to_owned()
    });
    plain(&stem, file_name)
}

/// The name with its ending, for files that differ in nothing else.
#[must_use]
pub(super) fn long_name(file_name: &str) -> String {
    plain(file_name, file_name)
}

/// A name that no other file has: it ends with a hash of the path.
#[must_use]
pub(super) fn unmistakable_name(file_name: &str, path: &str) -> String {
    format!("{}-{}", long_name(file_name), hash_digits(path))
}

/// A plain name like `text`. If characters are lost, a hash of the file's name follows, so
/// that different files keep different names.
fn plain(text: &str, file_name: &str) -> String {
    let mut name = String::new();
    let mut is_complete = true;
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '.' => name.push(c),
            c if c.is_whitespace() && !c.is_control() => name.push('-'),
            // Accents that follow their letter.
            '\u{300}'..='\u{36f}' => (),
            c => match latin(c) {
                Some(letters) => name.push_str(letters),
                None => is_complete = false,
            },
        }
    }
    let short = name.trim_start_matches(['.', '-']);
    is_complete &= !short.is_empty() && short.len() <= LONGEST;
    let short: String = short.chars().take(LONGEST).collect();
    let name = match (is_complete, short.as_str()) {
        (true, short) => short.to_owned(),
        (false, "") => format!("agent-{}", hash_digits(file_name)),
        (false, short) => format!("{short}-{}", hash_digits(file_name)),
    };
    debug_assert!(is_plain_name(&name), "{name:?}");
    name
}

fn hash_digits(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..3])
}

/// Letters of European names as people write them without accents.
fn latin(c: char) -> Option<&'static str> {
    Some(match c {
        'ä' | 'æ' => "ae",
        'ö' | 'œ' => "oe",
        'ü' => "ue",
        'Ä' | 'Æ' => "Ae",
        'Ö' | 'Œ' => "Oe",
        'Ü' => "Ue",
        'ß' => "ss",
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'À' | 'Á' | 'Â' | 'Ã' | 'Å' | 'Ā' | 'Ă' | 'Ą' => "A",
        'ç' | 'ć' | 'č' => "c",
        'Ç' | 'Ć' | 'Č' => "C",
        'ď' | 'đ' | 'ð' => "d",
        'Ď' | 'Đ' | 'Ð' => "D",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' => "e",
        'È' | 'É' | 'Ê' | 'Ë' | 'Ē' | 'Ę' | 'Ě' => "E",
        'ğ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' => "i",
        'Ì' | 'Í' | 'Î' | 'Ï' | 'İ' => "I",
        'ł' => "l",
        'Ł' => "L",
        'ñ' | 'ń' | 'ň' => "n",
        'Ñ' | 'Ń' | 'Ň' => "N",
        'ò' | 'ó' | 'ô' | 'õ' | 'ø' | 'ō' | 'ő' => "o",
        'Ò' | 'Ó' | 'Ô' | 'Õ' | 'Ø' | 'Ō' | 'Ő' => "O",
        'ř' => "r",
        'Ř' => "R",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'Ś' | 'Š' | 'Ş' | 'Ș' => "S",
        'ť' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ū' | 'ů' | 'ű' => "u",
        'Ù' | 'Ú' | 'Û' | 'Ū' | 'Ů' | 'Ű' => "U",
        'ý' | 'ÿ' => "y",
        'Ý' => "Y",
        'ź' | 'ž' | 'ż' => "z",
        'Ź' | 'Ž' | 'Ż' => "Z",
        _ => return None,
    })
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
                "lena.py",
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
        ]) {
            assert!(sentence.starts_with(expected), "{sentence}");
        }
        assert_eq!(left_out.len(), 15, "{left_out:?}");
        let only_anna = FolderListing::of(folder.path(), |name| name == "anna.c").unwrap();
        assert_eq!((only_anna.plugins.len(), only_anna.left_out.len()), (0, 1));
    }

    #[test]
    fn people_recognize_their_names() {
        for (file_name, expected) in [
            ("libanna.so", "anna"),
            ("anna.so", "anna"),
            ("anna.v2.py", "anna.v2"),
            ("Jörg Müller.py", "Joerg-Mueller"),
            ("Jo\u{308}rg.py", "Jorg"),
            ("Łukasz Świąt.jar", "Lukasz-Swiat"),
            ("-rf.so", "rf"),
            ("anna", "anna"),
        ] {
            assert_eq!(short_name(file_name), expected, "{file_name}");
        }
        assert_eq!(long_name("anna.py"), "anna.py");
    }

    #[test]
    fn names_that_cannot_be_spelled_stay_different() {
        let names: Vec<String> = [
            "李雷.py",
            "韩梅梅.py",
            "🎉.py",
            "anna🎉.py",
            "anna\n.py",
            "...",
            "",
        ]
        .map(short_name)
        .into();
        for name in &names {
            assert!(is_plain_name(name), "{name}");
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1);
        }
        assert!(names[3].starts_with("anna-"), "{}", names[3]);
        let long = short_name(&format!("{}.py", "x".repeat(300)));
        assert!(is_plain_name(&long) && long.len() < 95, "{long}");
    }
}
