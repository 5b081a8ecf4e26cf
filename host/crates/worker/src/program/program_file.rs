//! Which program a file or folder is, and how it is started.

use std::{
    fs,
    io::Read,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::{
    Program,
    runtime::{ProgramError, Runtime, RuntimeKind},
};
use crate::regular_file::open_regular_behind_links;

/// What is started in a folder.
const MAIN_FILES: [&str; 7] = [
    "main.py",
    "main.js",
    "main.mjs",
    "main.cjs",
    "main.jar",
    "Main.class",
    "main",
];

/// The main file and the program at an absolute path; nothing when it can only be a library.
///
/// # Errors
/// When it is a program that cannot be started here.
pub(crate) fn program_at(path: &Path) -> Result<Option<(PathBuf, Program)>, ProgramError> {
    if path.is_dir() {
        let main = main_file(path)?;
        let Some(mut program) = program_of_file(&main)? else {
            return Err(no_main_file());
        };
        program.files = vec![path.to_path_buf()];
        return Ok(Some((main, program)));
    }
    Ok(program_of_file(path)?.map(|program| (path.to_path_buf(), program)))
}

/// Whether a file of a folder is one that is started, by its path within the folder.
#[must_use]
pub fn is_main_file(name: &str) -> bool {
    MAIN_FILES.contains(&name)
}

/// Whether a folder contains something to start.
#[must_use]
pub fn is_program_folder(folder: &Path) -> bool {
    MAIN_FILES.iter().any(|name| folder.join(name).is_file())
}

/// What is started at a path: the main file of a folder, otherwise the file itself.
#[must_use]
pub fn started_file(path: &Path) -> PathBuf {
    let main = path.is_dir().then(|| main_file(path).ok()).flatten();
    main.unwrap_or_else(|| path.to_path_buf())
}

fn no_main_file() -> ProgramError {
    ProgramError::NoMainFile(MAIN_FILES.join(", "))
}

fn utf8(path: &Path) -> Result<String, ProgramError> {
    path.to_str()
        .map(str::to_owned)
        .ok_or(ProgramError::NotUtf8)
}

fn main_file(folder: &Path) -> Result<PathBuf, ProgramError> {
    let found: Vec<&str> = MAIN_FILES
        .into_iter()
        .filter(|name| folder.join(name).is_file())
        .collect();
    match found.as_slice() {
        [] => Err(no_main_file()),
        [name] => Ok(folder.join(name)),
        several => Err(ProgramError::SeveralMainFiles(several.join(", "))),
    }
}

fn program_of_file(path: &Path) -> Result<Option<Program>, ProgramError> {
    let folder = path.parent().unwrap_or(Path::new("/")).to_path_buf();
    let extension = path.extension().and_then(|extension| extension.to_str());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let program = |runtime: Runtime, arguments: Vec<String>| Program {
        runtime,
        arguments,
        folder: folder.clone(),
        files: Vec::new(),
    };
    Ok(Some(match extension {
        // A library, whatever is in it.
        Some("so") => return Ok(None),
        Some("py") => program(Runtime::find("python3")?, vec![utf8(path)?]),
        Some("js" | "mjs" | "cjs") => program(Runtime::find("node")?, vec![utf8(path)?]),
        Some("jar") => {
            let arguments = vec!["-jar".to_owned(), utf8(path)?];
            program(Runtime::find("java")?, arguments)
        }
        Some("class") => {
            let arguments = vec!["-cp".to_owned(), utf8(&folder)?, stem.to_string()];
            Program {
                files: nested_classes(&folder, &stem),
                ..program(Runtime::find("java")?, arguments)
            }
        }
        Some("java") => {
            return Err(ProgramError::JavaSource {
                name: stem.into_owned(),
            });
        }
        _ => match head(path) {
            head if head.starts_with(b"#!") => {
                let (name, mut arguments) = interpreter_in(&head)?;
                arguments.push(utf8(path)?);
                program(Runtime::find(&name)?, arguments)
            }
            head if is_executable(path, &head) => program(Runtime::own(path), Vec::new()),
            _ => return Ok(None),
        },
    }))
}

/// The main file and the program of a command; paths are relative to a folder.
///
/// # Errors
/// When its interpreter cannot be used.
pub(crate) fn command(words: &[String], folder: &Path) -> Result<(PathBuf, Program), ProgramError> {
    let no_interpreter = || ProgramError::NoInterpreter(String::new());
    let (first, rest) = words.split_first().ok_or_else(no_interpreter)?;
    let existing = |word: &String| {
        let path = folder.join(word);
        let is_option = word.starts_with('-') || word.is_empty();
        // Links in the path are followed, as everywhere.
        (!is_option && path.exists()).then(|| path.canonicalize().unwrap_or(path))
    };
    let files: Vec<PathBuf> = rest.iter().filter_map(existing).collect();
    let arguments = rest
        .iter()
        .map(|word| existing(word).map_or_else(|| Ok(word.clone()), |path| utf8(&path)))
        .collect::<Result<Vec<String>, _>>()?;
    let runtime = if first.contains('/') {
        let path = folder.join(first);
        if !path.is_file() {
            return Err(ProgramError::BadInterpreter {
                path,
                reason: "there is no such file".to_owned(),
            });
        }
        Runtime::at(&path)?
    } else {
        Runtime::find(first)?
    };
    let main = files.iter().find(|path| path.is_file()).cloned();
    let main = main.unwrap_or_else(|| runtime.executable.clone());
    // A program that is executed itself is not an interpreter of another file.
    let runtime = if main == runtime.executable && runtime.kind == RuntimeKind::Other {
        Runtime {
            kind: RuntimeKind::Own,
            ..runtime
        }
    } else {
        runtime
    };
    let folder = match files.first() {
        Some(first) if first.is_dir() => first.clone(),
        _ => main.parent().unwrap_or(Path::new("/")).to_path_buf(),
    };
    let files = files.into_iter().filter(|path| *path != main).collect();
    let program = Program {
        runtime,
        arguments,
        folder,
        files,
    };
    Ok((main, program))
}

/// Classes within a class lie in files of their own.
fn nested_classes(folder: &Path, class: &str) -> Vec<PathBuf> {
    let nested = format!("{class}$");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&nested) && name.ends_with(".class") && path.is_file()
        })
        .collect();
    files.sort_unstable();
    files
}

/// The interpreter in the first line, by its name only: a submission must not choose which
/// file of the machine is executed outside the sandbox.
fn interpreter_in(head: &[u8]) -> Result<(String, Vec<String>), ProgramError> {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).trim().to_owned();
    let bad = || ProgramError::BadFirstLine(line.chars().take(80).collect());
    let mut words = line.trim_start_matches("#!").split_whitespace();
    let name_of = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    let mut name = name_of(words.next().ok_or_else(bad)?);
    if name == "env" {
        let word = words.find(|word| *word != "-S").ok_or_else(bad)?;
        name = name_of(word);
    }
    if name.is_empty() || name.starts_with('-') {
        return Err(bad());
    }
    Ok((name, words.map(str::to_owned).collect()))
}

fn head(path: &Path) -> Vec<u8> {
    const LENGTH: u64 = 4096;
    let mut head = Vec::new();
    if let Ok(file) = open_regular_behind_links(path) {
        // What cannot be read is reported when the file is sealed.
        let _ = file.take(LENGTH).read_to_end(&mut head);
    }
    head
}

/// Executables that can lie anywhere in memory have the same type as libraries; their names and
/// permissions tell them apart.
fn is_executable(path: &Path, head: &[u8]) -> bool {
    const EXECUTABLE: u8 = 2;
    const SHARED_OBJECT: u8 = 3;
    if !head.starts_with(b"\x7fELF") {
        return false;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let permissions = || fs::metadata(path).map_or(0, |data| data.permissions().mode());
    match head.get(16) {
        Some(&EXECUTABLE) => true,
        Some(&SHARED_OBJECT) => !name.contains(".so") && permissions() & 0o111 != 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_line_names_an_interpreter_and_not_where_it_is() {
        let named = |line: &str| interpreter_in(line.as_bytes()).map_err(|error| error.to_string());
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            named("#!/usr/bin/env python3\nx"),
            Ok(("python3".into(), vec![]))
        );
        assert_eq!(
            named("#! /opt/other/bin/python3 -O\n"),
            Ok(("python3".into(), words(&["-O"])))
        );
        assert_eq!(
            named("#!/usr/bin/env -S node --no-opt\n"),
            Ok(("node".into(), words(&["--no-opt"])))
        );
        for bad in ["#!", "#!/usr/bin/env", "#!/usr/bin/", "#!-x"] {
            assert!(named(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_folder_starts_its_one_main_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(main_file(folder.path()), Err(no_main_file()));
        fs::write(at("main.py"), "").unwrap();
        fs::write(at("other.js"), "").unwrap();
        assert_eq!(main_file(folder.path()), Ok(at("main.py")));
        fs::write(at("main.js"), "").unwrap();
        let error = main_file(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with("it contains main.py, main.js"), "{error}");
    }

    #[test]
    fn a_command_keeps_its_options_and_shows_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("data")).unwrap();
        fs::copy("/bin/true", root.join("engine")).unwrap();
        let words = ["./engine", "--fast", "data", "missing"].map(str::to_owned);
        let (main, program) = command(&words, &root).unwrap();
        assert_eq!(main, root.join("engine"));
        assert_eq!(program.files, [root.join("data")]);
        let data = root.join("data").display().to_string();
        assert_eq!(program.arguments, ["--fast", &data, "missing"]);
        assert_eq!(program.runtime.kind, RuntimeKind::Own);
        let missing = command(&["./no".to_owned()], &root).unwrap_err();
        assert!(missing.to_string().contains("no such file"), "{missing}");
    }
}
