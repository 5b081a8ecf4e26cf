//! The documents: their code is compiled, their commands are run.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    process::Command,
};

use crate::{
    repository::repository_is_tidy::files_below,
    support::{
        Finished, TournamentTest,
        built_agent::{build_c, build_crate},
        document::{blocks, shell},
        host, program_folder, repository,
    },
};

pub(crate) fn document(name: &str) -> String {
    fs::read_to_string(repository().join("docs").join(name)).expect("a document")
}

/// The block that is to be saved under this name.
pub(crate) fn file(document: &str, name: &str) -> String {
    let blocks = blocks(document);
    let found = blocks
        .iter()
        .find(|(info, _)| info.split(' ').nth(1) == Some(name));
    found.unwrap_or_else(|| panic!("no block {name}")).1.clone()
}

/// A tournament in a folder of its own, and whether this agent stands in its ranking.
#[track_caller]
fn check_plays(test: &TournamentTest, agent: &str) {
    let ranking = test
        .run(&["--strict", "--format", "json"])
        .expect_code(0)
        .stdout;
    let ranking: serde_json::Value = serde_json::from_str(&ranking).expect("JSON");
    let agents = ranking["agents"].as_array().expect("a list");
    assert!(agents.iter().any(|row| row["name"] == agent), "{ranking:#}");
}

#[test]
fn the_rust_agents_of_the_tutorial_are_built_and_play() {
    let tutorial = document("writing-an-agent.md");
    let yaml = file(&tutorial, "corner.yaml").replace("./corner/target/release/lib", "./lib");
    let test = TournamentTest::new(&yaml);
    let plugin_api = repository().join("plugin-api");
    for name in ["corner", "searcher"] {
        let code = file(&tutorial, &format!("{name}/src/lib.rs"));
        build_crate(&test.path(name), name, &plugin_api, &code);
    }
    // The manifest of the tutorial is the one that was built, but for the path.
    let manifest: toml::Table = file(&tutorial, "corner/Cargo.toml").parse().expect("TOML");
    assert_eq!(manifest["lib"]["crate-type"][0].as_str(), Some("cdylib"));
    assert_eq!(
        manifest["dependencies"].as_table().expect("a table").len(),
        1
    );
    check_plays(&test, "corner");
    let check = test
        .host(&[
            "check",
            "--format",
            "csv",
            "./libcorner.so",
            "./libsearcher.so",
        ])
        .expect_code(0);
    // These are debug builds.
    let is_warning = |line: &&str| line.contains(",warned,") && !line.contains(",optimised,");
    let warnings: Vec<&str> = check.stdout.lines().filter(is_warning).collect();
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn the_c_agent_of_the_tutorial_is_built_and_plays() {
    let tutorial = document("writing-an-agent.md");
    let test = TournamentTest::new(&file(&tutorial, "first.yaml"));
    test.write("first.c", &file(&tutorial, "first.c"));
    let include = repository().join("plugin-api/include");
    build_c(
        test.folder.path(),
        "cc",
        &include,
        &test.path("first.c"),
        "first",
    );
    check_plays(&test, "first");
    let check = test.host(&["check", "./libfirst.so"]).expect_code(0);
    assert!(!check.stdout.contains("warned"), "{}", check.stdout);
}

#[test]
fn the_documents_name_every_claim_and_their_commands_exist() {
    let tutorial = document("writing-an-agent.md");
    for (id, sentence) in author::check::claims() {
        assert!(tutorial.contains(&format!("`{id}`")), "`{id}`: {sentence}");
    }
    let help = Finished::of(host().arg("--help")).expect_code(0).stdout;
    for page in files_below(&repository().join("docs"), "md") {
        let name = page.display();
        let document = fs::read_to_string(&page).expect("a document");
        for (_, text) in blocks(&document).iter().filter(|(info, _)| *info == "sh") {
            for line in text.lines() {
                let mut words = line.split_whitespace();
                let program = words.find(|word| *word == "host" || word.ends_with("/host"));
                let command = program.and(words.next());
                // Others are options, or what a link to the program is called.
                let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
                if let Some(command) = command.filter(is_name) {
                    assert!(help.contains(&format!("  {command} ")), "{name}: {line}");
                }
            }
        }
    }
}

/// The pages on algorithms show what their commands draw. With `UPDATE_DOCS=1`, writes the drawings.
#[test]
fn the_drawings_of_algorithms_are_those_of_their_commands() {
    let pages = repository().join("docs/algorithms");
    let test = TournamentTest::new("");
    fs::create_dir(test.path("bin")).expect("a folder");
    host(); // builds the plugins
    symlink(program_folder().join("host"), test.path("bin/host")).expect("a link");
    for page in files_below(&pages, "md") {
        let page = fs::read_to_string(page).expect("a document");
        for (_, commands) in blocks(&page).iter().filter(|(info, _)| *info == "sh") {
            Finished::of(&mut shell(test.folder.path(), commands)).expect_code(0);
        }
    }
    let drawings = files_below(test.folder.path(), "svg");
    assert_eq!(drawings.len(), 6, "{drawings:?}");
    for drawing in drawings {
        let name = drawing.file_name().expect("a file");
        let drawn = fs::read_to_string(&drawing).expect("a drawing");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(pages.join(name), &drawn).expect("a drawing");
        }
        let shown = fs::read_to_string(pages.join(name)).unwrap_or_default();
        assert!(
            shown == drawn,
            "docs/algorithms has another {}; write it with \
             `UPDATE_DOCS=1 cargo test --test end_to_end drawings_of_algorithms`",
            name.display()
        );
    }
}

/// The nodes in the tables of `docs/algorithms`, row by row.
#[test]
fn the_nodes_of_minimax_and_expectimax_are_as_the_pages_say() {
    let searches = [
        (
            "minimax",
            &["table=false prune=false", "table=false", ""][..],
        ),
        ("expectimax", &["table=false", ""]),
    ];
    for (agent, columns) in searches {
        let page = document(&format!("algorithms/{agent}.md"));
        let board = page
            .split("--board \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let rows = page.lines().filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix("| ")?.split('|').map(str::trim).collect();
            cells[0].parse::<u8>().is_ok().then_some(cells)
        });
        let mut n_checked = 0;
        for cells in rows {
            for (cell, switches) in cells[1..]
                .iter()
                .zip(columns)
                .filter(|(cell, _)| !cell.is_empty())
            {
                let mut explain = host();
                explain.args(["explain", "--nodes", "1", "--agent", agent, "--board"]);
                explain.arg(board.expect("a board"));
                let depth = format!("depth={}", cells[0]);
                for parameter in [depth.as_str()]
                    .into_iter()
                    .chain(switches.split_whitespace())
                {
                    explain.args(["--params", parameter]);
                }
                let text = Finished::of(&mut explain).expect_code(0).stdout;
                assert!(
                    text.contains(&format!(" {cell} nodes visited")),
                    "{cells:?}: {text}"
                );
                n_checked += 1;
            }
        }
        assert!(n_checked >= 7, "{agent}: {n_checked}");
    }
}

/// A tournament in shards, command by command, as the page gives them.
#[test]
fn shards_can_be_played_and_merged_as_the_page_says() {
    let page = document("cluster.md");
    let test = TournamentTest::new(&file(&page, "t.yaml"));
    fs::create_dir(test.path("bin")).expect("a folder");
    host(); // builds the plugins
    symlink(program_folder().join("host"), test.path("bin/host")).expect("a link");
    for (_, commands) in blocks(&page).iter().filter(|(info, _)| *info == "sh") {
        Finished::of(&mut shell(test.folder.path(), commands)).expect_code(0);
    }
    assert_eq!(test.records().len(), 30);
    let archiving = document("records.md");
    for (_, commands) in blocks(&archiving).iter().filter(|(info, _)| *info == "sh") {
        Finished::of(&mut shell(test.folder.path(), commands)).expect_code(0);
    }
}

/// Every command of the page about explanations, and its agents in Python and C.
#[test]
fn positions_are_asked_about_and_explained_as_the_page_says() {
    let page = document("explain.md");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("bin")).expect("a folder");
    host(); // builds the plugins
    symlink(program_folder().join("host"), path("bin/host")).expect("a link");
    for (_, commands) in blocks(&page).iter().filter(|(info, _)| *info == "sh") {
        Finished::of(&mut shell(folder.path(), commands)).expect_code(0);
    }
    for name in [
        "minimax.svg",
        "expectimax.svg",
        "snake.tex",
        "mcts.dot",
        "backtracking.svg",
    ] {
        let size = fs::metadata(path(name)).expect("a drawing").len();
        assert!(size > 5000, "{name} has {size} bytes");
    }
    let steps = "host explain --board '256 128 32 8/16 64 16 4/4 8 2 2/2 4 8 0' --agent minimax \
                 --params depth=2";
    let steps = Finished::of(&mut shell(folder.path(), steps)).expect_code(0);
    assert!(page.contains(&steps.stdout), "{}", steps.stdout);

    fs::write(path("explaining.py"), file(&page, "explaining.py")).expect("a file");
    fs::write(path("explaining.c"), file(&page, "explaining.c")).expect("a file");
    let include = repository().join("plugin-api/include");
    build_c(
        folder.path(),
        "cc",
        &include,
        &path("explaining.c"),
        "explaining",
    );
    for (agent, killed, choice) in [
        ("./explaining.py", "down", "left"),
        ("./libexplaining.so", "up", "left"),
    ] {
        let explain = format!("host explain --board '0 0 0/0 0 0/0 0 2' --agent {agent}");
        let board = match killed {
            "up" => explain.replace("0 0 0/0 0 0/0 0 2", "0 0 2/0 0 0/0 0 0"),
            _ => explain,
        };
        let steps = Finished::of(&mut shell(folder.path(), &board))
            .expect_code(0)
            .stdout;
        let line = format!("try {killed}: the board does not change, node killed");
        assert!(steps.contains(&line), "{agent}: {steps}");
        assert!(
            steps.contains(&format!("\nchoice: {choice}\n")) || killed == "up",
            "{steps}"
        );
        let check = format!("host check --format csv {agent}");
        let check = Finished::of(&mut shell(folder.path(), &check))
            .expect_code(0)
            .stdout;
        let claim = check.lines().find(|line| line.contains(",extensions,"));
        assert!(
            claim.is_some_and(|line| line.contains("explain/1")),
            "{check}"
        );
    }
}

/// Of shards that were interrupted, GNU parallel starts only those again.
#[test]
fn gnu_parallel_plays_the_shards_that_are_missing() {
    if Command::new("parallel").arg("--version").output().is_err() {
        // `.ci/run` says so.
        return;
    }
    let page = document("cluster.md");
    let test = TournamentTest::new(&file(&page, "t.yaml"));
    fs::create_dir(test.path("bin")).expect("a folder");
    host(); // builds the plugins
    let program = program_folder().join("host");
    let commands = blocks(&page);
    let (_, commands) = (commands.iter())
        .find(|(info, _)| *info == "sh parallel")
        .expect("a recipe");
    // The first time, shard 2 cannot be played.
    let stumbling = format!(
        "#!/bin/sh\ncase \"$*\" in *' 2/4') [ -e stumbled ] || {{ touch stumbled; exit 1; }};; \
         esac\nexec {} \"$@\"\n",
        program.display()
    );
    test.write("bin/host", &stumbling);
    fs::set_permissions(test.path("bin/host"), fs::Permissions::from_mode(0o755)).expect("ours");
    Finished::of(&mut shell(test.folder.path(), commands)).expect_code(1);
    Finished::of(&mut shell(test.folder.path(), commands)).expect_code(0);
    assert_eq!(test.records().len(), 30);
    let job_log = fs::read_to_string(test.path("shards.log")).expect("a list of jobs");
    assert_eq!(job_log.lines().count(), 1 + 4 + 1, "{job_log}");
}

/// The command of the container, executed for every index as the manifest gives it.
#[test]
fn the_kubernetes_job_plays_all_shards() {
    let page = document("cluster.md");
    let test = TournamentTest::new(&file(&page, "t.yaml"));
    fs::create_dir(test.path("bin")).expect("a folder");
    host(); // builds the plugins
    symlink(program_folder().join("host"), test.path("bin/host")).expect("a link");
    let manifest = file(&page, "job.yaml");
    let command = manifest.split("command: [\"sh\", \"-c\", \"").nth(1);
    let command = command.and_then(|rest| rest.split("\"]").next());
    let command = command.expect("a command of the container");
    // The volume lies elsewhere here.
    let command = command.replace("/runs/", "pods/");
    for index in 0..4 {
        let mut shell = shell(test.folder.path(), &command);
        Finished::of(shell.env("JOB_COMPLETION_INDEX", index.to_string())).expect_code(0);
    }
    let merge = "host merge pods/* --out runs/t";
    Finished::of(&mut shell(test.folder.path(), merge)).expect_code(0);
    assert_eq!(test.records().len(), 30);
    test.run(&["--shard-index", "4", "--shards", "4"])
        .expect_error(2, "with --shards 4 the last index is 3");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut pages = files_below(&repository().join("docs"), "md");
    pages.extend(
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| repository().join(name)),
    );
    for path in pages {
        let text = fs::read_to_string(&path).expect("a document");
        let folder = path.parent().expect("a file lies in a folder");
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let target = target.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") {
                assert!(folder.join(target).exists(), "{}: {target}", path.display());
            }
        }
    }
}
