//! Old plugins in new hosts and new plugins in old hosts, in both ABIs.
//!
//! A copy of `plugin-api` with an added method, an added field and an added C field
//! stands for the next minor version. A small program built against a version is its
//! host.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::support::{
    TournamentTest,
    built_agent::{build_c, build_crate},
    program_folder, repository,
};

const AGENT: &str = r#"
//! The smallest agent.
use plugin_api::{Agent, Board, Choice, GameSetup, Info, NoParameters, Refusal, Turn, export_agent};
struct First;
impl Agent for First {
    const INFO: Info = Info::new("first", "0.1.0");
    type Params = NoParameters;
    fn new(_params: NoParameters, _setup: &GameSetup) -> Result<Self, Refusal> { Ok(First) }
    fn choose(&mut self, board: &Board, _turn: &Turn) -> Choice {
        board.legal_moves().next().expect("a legal move").into()
    }
}
export_agent!(First);
"#;

/// A host in a few lines: loads a library, creates an agent, asks for a move.
const HOST: &str = r#"
use plugin_api::{GameSetup, LoadedPlugin, Turn, abi::RustPlugin, c_abi::CPlugin};
fn main() {
    let library = unsafe { libloading::os::unix::Library::new(std::env::args().nth(1).unwrap()) }.unwrap();
    let symbol = |name| unsafe { library.get::<*const std::ffi::c_void>(name) }.ok().map(|it| it.as_raw_ptr().cast_const());
    let plugin: Box<dyn LoadedPlugin> = match symbol(plugin_api::c_abi::SYMBOL) {
        Some(address) => Box::new(unsafe { CPlugin::from_symbol(address) }.unwrap_or_else(|error| panic!("{error}"))),
        None => {
            let address = symbol(plugin_api::abi::SYMBOL).unwrap();
            Box::new(unsafe { RustPlugin::from_symbol(address) }.unwrap_or_else(|error| panic!("{error}")))
        }
    };
    println!("{}", plugin.info().unwrap());
    let mut agent = plugin.create("{}", &GameSetup::new().to_json()).unwrap();
    let board = "2 2 4 8 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0".parse().unwrap();
    println!("direction {}", agent.choose(&board, &Turn::unlimited()).unwrap().direction);
    std::mem::forget(library);
}
"#;

/// Copies `plugin-api` and changes its files.
fn copy_of_api(folder: &Path, version: &str, changes: &[(&str, &str, &str)]) -> PathBuf {
    let copy = folder.join(format!("plugin-api-{version}"));
    let copied = Command::new("cp")
        .arg("-r")
        .arg(repository().join("plugin-api"))
        .arg(&copy)
        .status()
        .expect("cp runs");
    assert!(copied.success());
    let _ = fs::remove_dir_all(copy.join("benches"));
    let _ = fs::remove_dir_all(copy.join("tests"));
    fs::write(copy.join("Cargo.toml"), standalone_manifest(version)).expect("a manifest");
    for (file, old, new) in changes {
        let path = copy.join(file);
        let text = fs::read_to_string(&path).expect("a file of plugin-api");
        assert!(text.contains(old), "{file} has no {old:?}");
        fs::write(path, text.replacen(old, new, 1)).expect("a changed file");
    }
    copy
}

/// The manifest of `plugin-api` without the workspace it inherits from.
fn standalone_manifest(version: &str) -> String {
    let root = fs::read_to_string(repository().join("Cargo.toml")).expect("the manifest");
    let own = fs::read_to_string(repository().join("plugin-api/Cargo.toml")).expect("a manifest");
    let root: toml::Table = root.parse().expect("TOML");
    let own: toml::Table = own.parse().expect("TOML");
    let shared = root["workspace"]["dependencies"]
        .as_table()
        .expect("a table");
    let mut dependencies = toml::Table::new();
    for (name, wanted) in own["dependencies"].as_table().expect("a table") {
        let mut dependency = match &shared[name] {
            toml::Value::String(version) => toml::Table::from_iter([(
                "version".to_owned(),
                toml::Value::from(version.as_str()),
            )]),
            other => other.as_table().expect("a table").clone(),
        };
        if let Some(features) = wanted.get("features") {
            dependency.insert("features".to_owned(), features.clone());
        }
        dependencies.insert(name.clone(), dependency.into());
    }
    let mut package = toml::Table::new();
    package.insert("name".to_owned(), "plugin-api".into());
    package.insert("version".to_owned(), version.into());
    package.insert("edition".to_owned(), "2024".into());
    let manifest = toml::Table::from_iter([
        ("package".to_owned(), package.into()),
        ("dependencies".to_owned(), dependencies.into()),
    ]);
    manifest.to_string()
}

/// What version 1.3 might add: a method, a field of the module, a field in C.
fn next_minor(folder: &Path) -> PathBuf {
    copy_of_api(
        folder,
        "1.3.0",
        &[
            (
                "src/boundary/abi/module.rs",
                "    // Methods of later minor versions go below this line, each with a default.\n",
                "    fn hint(&mut self, level: u32) -> u32 {\n        level\n    }\n",
            ),
            (
                "src/boundary/abi/module.rs",
                "    // Fields of later minor versions go below this line.\n",
                "    pub warm_up: extern \"C\" fn() -> u32,\n",
            ),
            (
                "src/boundary/abi/exported.rs",
                "        call_extension: call_extension::<A>,\n",
                "        call_extension: call_extension::<A>,\n        warm_up,\n",
            ),
            (
                "src/boundary/abi/exported.rs",
                "extern \"C\" fn info<A: Agent>()",
                "extern \"C\" fn warm_up() -> u32 { 7 }\n\nextern \"C\" fn info<A: Agent>()",
            ),
            (
                "src/boundary/c_abi.rs",
                "    // Fields of later minor versions go below this line.\n",
                "    warm_up: Option<unsafe extern \"C\" fn() -> c_int>,\n",
            ),
            (
                "src/boundary/c_abi.rs",
                "            extension: None,\n",
                "            extension: None,\n            warm_up: None,\n",
            ),
            (
                "include/agent2048.h",
                "    /* Fields of version 1.1 and later go below this line. */\n",
                "    int (*warm_up)(void);\n",
            ),
            (
                "include/agent2048.h",
                "#define AGENT2048_MINOR 2u",
                "#define AGENT2048_MINOR 3u",
            ),
        ],
    )
}

fn build_host(folder: &Path, plugin_api: &Path, name: &str) -> PathBuf {
    let crate_folder = folder.join(name);
    fs::create_dir_all(crate_folder.join("src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         plugin-api = {{ path = \"{}\" }}\nlibloading = \"0.9\"\n\n[workspace]\n",
        plugin_api.display()
    );
    fs::write(crate_folder.join("Cargo.toml"), manifest).expect("a manifest");
    fs::write(crate_folder.join("src/main.rs"), HOST).expect("a source file");
    fs::copy(
        repository().join("Cargo.lock"),
        crate_folder.join("Cargo.lock"),
    )
    .expect("a lock file");
    let target = program_folder().join("third-party");
    let status = Command::new(env!("CARGO"))
        .current_dir(&crate_folder)
        .env("CARGO_TARGET_DIR", &target)
        .args(["build", "--quiet"])
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the host {name} could not be built");
    target.join("debug").join(name)
}

#[track_caller]
fn check_plays(host: &Path, plugin: &Path) {
    let output = Command::new(host)
        .arg(plugin)
        .output()
        .expect("the small host runs");
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        stdout.contains("direction "),
        "{} in {}: {stdout}{stderr}",
        plugin.display(),
        host.display()
    );
}

#[test]
fn minor_versions_work_in_both_directions_and_both_abis() {
    let test = TournamentTest::new(
        "seeds: 1..2\nagents: [{plugin: ./libfirst_new.so}, {plugin: ./libcorner_new.so}]\n",
    );
    let folder = test.folder.path();
    let new_api = next_minor(folder);
    let old_api = repository().join("plugin-api");
    let c_source = repository().join("tests/c-agents/corner.c");
    let new_source = test.path("corner_new.c");
    let old_text = fs::read_to_string(&c_source).expect("a C file");
    fs::write(
        &new_source,
        old_text.replace("choose, NULL,\n", "choose, NULL, NULL,\n"),
    )
    .expect("a C file");

    let old_plugin = build_crate(&folder.join("first_old"), "first_old", &old_api, AGENT);
    let new_plugin = build_crate(&folder.join("first_new"), "first_new", &new_api, AGENT);
    let old_c = build_c(
        folder,
        "cc",
        &old_api.join("include"),
        &c_source,
        "corner_old",
    );
    let new_c = build_c(
        folder,
        "cc",
        &new_api.join("include"),
        &new_source,
        "corner_new",
    );

    // Old plugin, new host.
    let new_host = build_host(folder, &new_api, "new_host");
    check_plays(&new_host, &old_plugin);
    check_plays(&new_host, &old_c);
    check_plays(&new_host, &new_plugin);
    check_plays(&new_host, &new_c);
    // New plugin, old host: this one.
    test.run(&["--strict"]).expect_code(0);
}

#[test]
fn a_different_layout_is_rejected_in_a_few_lines() {
    let test = TournamentTest::new("agents: [{plugin: ./libfirst_other.so}]\n");
    let folder = test.folder.path();
    let other_api = copy_of_api(
        folder,
        "1.0.7",
        &[
            (
                "src/boundary/wire.rs",
                "pub reserved: [u64; 5],",
                "pub reserved: [u64; 6],",
            ),
            (
                "src/boundary/wire.rs",
                "assert_eq!(size_of::<WireTurn>(), 96);",
                "",
            ),
        ],
    );
    build_crate(
        &folder.join("first_other"),
        "first_other",
        &other_api,
        AGENT,
    );
    let finished = test.run(&[]).expect_error(
        4,
        "it was built against a different plugin-api (1.0.7 there",
    );
    assert!(
        finished.stderr.contains("size, expected 96, found 104"),
        "{}",
        finished.stderr
    );
    assert!(finished.stderr.lines().count() <= 8, "{}", finished.stderr);
}

#[test]
fn a_different_major_version_is_rejected_in_both_abis() {
    let test = TournamentTest::new(
        "agents: [{plugin: ./libfirst_two.so}, {plugin: ./libcorner_two.so}]\n",
    );
    let folder = test.folder.path();
    let next = copy_of_api(
        folder,
        "2.0.0",
        &[(
            "include/agent2048.h",
            "AGENT2048_MAJOR 1u",
            "AGENT2048_MAJOR 2u",
        )],
    );
    build_crate(&folder.join("first_two"), "first_two", &next, AGENT);
    build_c(
        folder,
        "cc",
        &next.join("include"),
        &repository().join("tests/c-agents/corner.c"),
        "corner_two",
    );
    let finished = test
        .run(&[])
        .expect_error(4, "built against plugin-api 2.0.0, this host supports 1.");
    assert!(
        finished.stderr.contains("uses version 2.2 of agent2048.h"),
        "{}",
        finished.stderr
    );
}
