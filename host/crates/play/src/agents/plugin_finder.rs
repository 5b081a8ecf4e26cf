//! Finds plugins by name or by path.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use text::{names::nearest_name, plugin_words::name_as_code, program};
use tournament::{AgentEntry, PROGRAM_EXTENSIONS};
use worker::is_program_folder;

/// The folders in which plugins are searched, in order.
#[derive(Clone, Debug)]
pub struct PluginFinder {
    folders: Vec<PathBuf>,
}

/// A plugin that was not found.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    #[error("no file {}{}", name_as_code(&.0.to_string_lossy()), missing_file_hint(.0))]
    NoFile(PathBuf),
    #[error("no plugin {} in {folders}; {hint}", name_as_code(name))]
    NoPlugin {
        name: String,
        hint: String,
        folders: String,
    },
}

impl PluginFinder {
    /// Searches the given folders, those in the variable `HOST_PLUGINS`, the folder of
    /// the tournament file, the folder of the program, `./agents`, and the folders of
    /// installed plugins.
    #[must_use]
    pub fn new(given: &[PathBuf], beside: Option<&Path>) -> Self {
        let mut folders = given.to_vec();
        folders.extend(
            env::var_os("HOST_PLUGINS")
                .iter()
                .flat_map(|paths| env::split_paths(paths))
                .filter(|path| !path.as_os_str().is_empty()),
        );
        folders.extend(beside.map(Path::to_path_buf));
        let beside_program = env::current_exe()
            .ok()
            .and_then(|program| Some(program.parent()?.to_path_buf()));
        folders.extend(beside_program.clone());
        folders.push(PathBuf::from("agents"));
        let path_of = |variable: &str| env::var_os(variable).map(PathBuf::from);
        folders.extend(installed_folders(
            beside_program.as_deref(),
            path_of("XDG_DATA_HOME"),
            path_of("HOME"),
        ));
        Self { folders }
    }

    /// A file in a folder within one of the folders; neither name may lead elsewhere.
    #[must_use]
    pub fn find_in_folder(&self, folder: &str, file: &str) -> Option<PathBuf> {
        let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains('/');
        if !is_name(folder) || !is_name(file) {
            return None;
        }
        let mut paths = self.folders.iter().map(|own| own.join(folder).join(file));
        paths.find(|path| path.is_file())
    }

    /// The file of a plugin: given by a path if it looks like one, otherwise by name.
    ///
    /// # Errors
    /// If there is none, with the folders that were searched and the nearest name.
    pub fn find(&self, plugin: &str, beside: Option<&Path>) -> Result<PathBuf, NotFound> {
        if plugin.contains('/') {
            let folder = beside.unwrap_or(Path::new(""));
            // Without the `./` that would stand in the middle of messages.
            let path: PathBuf = folder.join(plugin).components().collect();
            return if fs::symlink_metadata(&path).is_ok() {
                Ok(path)
            } else {
                Err(NotFound::NoFile(path))
            };
        }
        self.find_by_name(plugin)
            .ok_or_else(|| self.not_found(plugin))
    }

    fn find_by_name(&self, plugin: &str) -> Option<PathBuf> {
        let names = if plugin_name(Path::new(plugin)).is_some() {
            vec![plugin.to_owned()]
        } else {
            let libraries = [format!("lib{plugin}.so"), format!("{plugin}.so")];
            let programs = PROGRAM_EXTENSIONS.map(|extension| format!("{plugin}.{extension}"));
            let itself = [plugin.to_owned()];
            libraries
                .into_iter()
                .chain(programs)
                .chain(itself)
                .collect()
        };
        let exists = |path: &PathBuf| match fs::symlink_metadata(path) {
            Ok(data) if data.is_dir() => is_program_folder(path),
            result => result.is_ok(),
        };
        self.folders
            .iter()
            .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
            .find(exists)
    }

    /// Every plugin in the folders, by the shortest name that leads to it: of two with the
    /// same name, one is found by the name of its file.
    #[must_use]
    pub fn all(&self) -> BTreeMap<String, PathBuf> {
        let mut found = BTreeMap::new();
        for folder in &self.folders {
            for path in plugins_of(folder).unwrap_or_default() {
                let whole = path.file_name().and_then(OsStr::to_str).map(str::to_owned);
                let short = plugin_name(&path).or_else(|| whole.clone());
                let leads_here = |name: &String| self.find_by_name(name) == Some(path.clone());
                if let Some(name) = [short, whole].into_iter().flatten().find(leads_here) {
                    found.entry(name).or_insert(path);
                }
            }
        }
        found
    }

    fn not_found(&self, name: &str) -> NotFound {
        let all = self.all();
        let hint = nearest_name(name, all.keys().map(String::as_str)).map_or_else(
            || format!("`{}` shows the plugins found", program::command("list")),
            |near| format!("did you mean {}?", name_as_code(near)),
        );
        let folders: Vec<String> = self
            .folders
            .iter()
            .map(|folder| format!("`{}`", folder.display()))
            .collect();
        NotFound::NoPlugin {
            name: name.to_owned(),
            hint,
            folders: folders.join(", "),
        }
    }
}

/// The name of the plugin in a file, for example in `libNAME.so` or `NAME.py`; none if it cannot
/// be a plugin by its name. Executables look like other programs, so users name them by path. A
/// class may be a part of another one.
#[must_use]
pub fn plugin_name(path: &Path) -> Option<String> {
    let extension = path.extension()?.to_str()?;
    let is_program = extension != "class" && PROGRAM_EXTENSIONS.contains(&extension);
    let name = path.file_name()?.to_str()?;
    (extension == "so" || is_program).then(|| AgentEntry::default_name(name).to_owned())
}

/// The folders of installed plugins: `../lib/arena2048` relative to the program, and
/// the user's data folder.
fn installed_folders(
    beside_program: Option<&Path>,
    data_home: Option<PathBuf>,
    home: Option<PathBuf>,
) -> Vec<PathBuf> {
    let beside = beside_program
        .and_then(Path::parent)
        .map(|root| root.join("lib/arena2048"));
    let data = data_home
        .filter(|path| path.is_absolute())
        .or_else(|| Some(home?.join(".local/share")))
        .map(|data| data.join("arena2048/plugins"));
    beside.into_iter().chain(data).collect()
}

/// Files whose name is that of a plugin, and folders with a program.
fn plugins_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let is_plugin = |path: &PathBuf| {
        let is_file = path.is_file() && plugin_name(path).is_some();
        is_file || is_program_folder(path)
    };
    let mut plugins: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_plugin)
        .collect();
    plugins.sort_unstable();
    Ok(plugins)
}

/// What to do about a missing file, as far as the files around it tell; begins with a
/// separator.
fn missing_file_hint(missing: &Path) -> String {
    let text = missing.to_string_lossy();
    let is_library = missing.extension().is_some_and(|end| end == "so");
    if !is_library && text.contains(' ') {
        return "; a whole command is written as `program: [python3, agent.py]`".to_owned();
    }
    if !is_library {
        return String::new();
    }
    if missing.with_extension("rlib").is_file() {
        return "; there is only an `.rlib`, which other Rust crates use: set `crate-type = [\"cdylib\"]` \
                under `[lib]` in Cargo.toml and build again"
            .to_owned();
    }
    let debug = text.replace("/release/", "/debug/");
    if debug != text && Path::new(&debug).is_file() {
        return "; there is a debug build, which is many times slower: run `cargo build --release`"
            .to_owned();
    }
    if text.contains("target/release/") {
        return "; run `cargo build --release` first".to_owned();
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_the_order_of_the_folders() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(first.path().join("anna.so"), "").unwrap();
        fs::write(second.path().join("libanna.so"), "").unwrap();
        fs::write(second.path().join("libberta.so"), "").unwrap();
        fs::write(second.path().join("carl.py"), "").unwrap();
        let folders = [first.path().to_path_buf(), second.path().to_path_buf()];
        let finder = PluginFinder::new(&folders, None);
        assert_eq!(finder.find("anna", None), Ok(first.path().join("anna.so")));
        assert_eq!(
            finder.find("berta", None),
            Ok(second.path().join("libberta.so"))
        );
        for carl in ["carl", "carl.py"] {
            assert_eq!(finder.find(carl, None), Ok(second.path().join("carl.py")));
        }
        // Nothing is hidden by another of the same name.
        fs::write(second.path().join("carl.js"), "").unwrap();
        fs::create_dir(second.path().join("dora")).unwrap();
        fs::write(second.path().join("dora/main.py"), "").unwrap();
        let own = |path: &PathBuf| folders.iter().any(|folder| path.starts_with(folder));
        let all = finder.all().into_iter().filter(|(_, path)| own(path));
        let names: Vec<String> = all.map(|(name, _)| name).collect();
        let expected = ["anna", "berta", "carl", "carl.js", "dora", "libanna.so"];
        assert_eq!(names, expected);
        let error = finder.find("bertha", None).unwrap_err().to_string();
        assert!(
            error.starts_with("no plugin `bertha` in `")
                && error.ends_with("; did you mean `berta`?"),
            "{error}"
        );
    }

    #[test]
    fn installed_plugins_are_found_near_the_program_or_in_the_users_data_folder() {
        let folders = |data: Option<&str>| {
            installed_folders(
                Some(Path::new("/opt/arena/bin")),
                data.map(PathBuf::from),
                Some("/users/anna".into()),
            )
        };
        let expected = |data: &str| vec![PathBuf::from("/opt/arena/lib/arena2048"), data.into()];
        assert_eq!(
            folders(None),
            expected("/users/anna/.local/share/arena2048/plugins")
        );
        assert_eq!(folders(Some("/data")), expected("/data/arena2048/plugins"));
        assert_eq!(
            folders(Some("relative")),
            expected("/users/anna/.local/share/arena2048/plugins")
        );
    }

    #[test]
    fn a_path_is_relative_to_the_tournament_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.so"), "").unwrap();
        let finder = PluginFinder::new(&[], None);
        assert_eq!(
            finder.find("./x.so", Some(folder.path())),
            Ok(folder.path().join("./x.so"))
        );
        assert!(matches!(
            finder.find("./y.so", Some(folder.path())),
            Err(NotFound::NoFile(_))
        ));
    }

    #[test]
    fn a_crate_that_was_built_otherwise_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let release = folder.path().join("target/release");
        let debug = folder.path().join("target/debug");
        fs::create_dir_all(&release).unwrap();
        fs::create_dir_all(&debug).unwrap();
        let library = release.join("libx.so");
        assert!(missing_file_hint(&library).contains("run `cargo build --release` first"));
        assert_eq!(missing_file_hint(&folder.path().join("libx.so")), "");
        assert_eq!(missing_file_hint(&release.join("x.txt")), "");
        assert!(missing_file_hint(Path::new("./python3 x.py")).contains("`program: ["));
        fs::write(debug.join("libx.so"), "").unwrap();
        assert!(missing_file_hint(&library).contains("there is a debug build"));
        fs::write(release.join("libx.rlib"), "").unwrap();
        assert!(missing_file_hint(&library).contains("`crate-type = [\"cdylib\"]`"));
    }
}
