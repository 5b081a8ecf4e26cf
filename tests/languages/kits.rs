//! The kits of `host new --lang`: a new agent passes its own tests, plays by the rules of the
//! project, beats greedy, and works after its folder was moved.

use std::{fmt::Write, fs, path::Path, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    LanguageTest, expected_play,
    support::{
        Finished,
        document::{blocks, shell},
        host, records_of, repository,
    },
};

/// A kit, as far as languages differ.
struct Kit {
    language: &'static str,
    /// The file of `drivers/` that slides boards by the rules of the kit, and how to run it.
    driver: &'static str,
    run_driver: &'static str,
}

const PYTHON: Kit = Kit {
    language: "python",
    driver: "slides.py",
    run_driver: "python3 slides.py",
};
const JS: Kit = Kit {
    language: "js",
    driver: "slides.js",
    run_driver: "node slides.js",
};
const JAVA: Kit = Kit {
    language: "java",
    driver: "Slides.java",
    run_driver: "javac -cp my_kit.jar -d . Slides.java && java -cp my_kit.jar:. Slides",
};
const CPP: Kit = Kit {
    language: "cpp",
    driver: "slides.cpp",
    run_driver: "c++ -std=c++17 -Wall -Wextra -pedantic -Werror slides.cpp -o slides && ./slides",
};
const GO: Kit = Kit {
    language: "go",
    driver: "slides_test.go",
    run_driver: "test -z \"$(gofmt -l .)\" && go test -run TestSlides",
};

pub(crate) fn tests() -> Vec<LanguageTest> {
    let test = |name, program: &str, package: &str, test: fn()| LanguageTest {
        name,
        missing: missing(program, package),
        test,
    };
    vec![
        test("the_python_kit_plays", "python3", "python3", || {
            check(&PYTHON);
        }),
        test("the_javascript_kit_plays", "node", "nodejs", || {
            check(&JS);
        }),
        test(
            "the_java_kit_plays",
            "javac",
            "default-jdk-headless",
            || {
                check(&JAVA);
            },
        ),
        test("the_cpp_kit_plays", "c++", "g++", || {
            check(&CPP);
        }),
        test("the_go_kit_plays", "go", "golang-go", || {
            check(&GO);
        }),
    ]
}

pub(crate) fn missing(program: &str, package: &str) -> Option<String> {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    (!is_there).then(|| format!("{program} is missing: apt-get install {package}"))
}

fn check(kit: &Kit) {
    const N_SEEDS: usize = 4;
    let folder = TempDir::new().expect("a temporary folder");
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    let new = ["new", "my_kit", "--lang", kit.language];
    Finished::of(host().current_dir(folder.path()).args(new)).expect_code(0);
    let own = elsewhere.join("my_kit");
    fs::rename(folder.path().join("my_kit"), &own).expect("a folder can be moved");
    let yaml = fs::read_to_string(own.join("tournament.yaml")).expect("a tournament");
    assert!(yaml.contains("seeds: 1..30"), "{yaml}");
    let fewer = yaml.replace("1..30", &format!("1..{N_SEEDS}\nsandbox: required"));
    fs::write(own.join("tournament.yaml"), fewer).expect("a file");

    // Every command of its README, as it stands there.
    let readme = fs::read_to_string(own.join("README.md")).expect("a README");
    for (_, commands) in blocks(&readme).iter().filter(|(info, _)| *info == "sh") {
        let finished = Finished::of(&mut shell(&own, commands)).expect_code(0);
        // What a compiler warns of ends with the option, such as [-Wunused].
        assert!(!finished.stderr.contains("[-W"), "{}", finished.stderr);
    }
    let records = records_of(&own.join("runs/my_kit/games.jsonl"));
    expected_play::check(&records, "my_kit", N_SEEDS, expected_play::kit);
    let score = |agent: &str| -> u64 {
        let games = records.iter().filter(|it| it.agent == agent);
        games.map(|game| game.score).sum()
    };
    assert!(score("my_kit") > score("greedy"), "it beats greedy");
    check_rules(kit, &own);
}

/// The rules of the kit against vectors of another implementation.
fn check_rules(kit: &Kit, own: &Path) {
    let text = fs::read_to_string(repository().join("plugin-api/tests/vectors.json"));
    let vectors: Value = serde_json::from_str(&text.expect("vectors")).expect("JSON");
    let vectors = vectors["moves"].as_array().expect("a list");
    assert_eq!(vectors.len(), 175);
    let (mut boards, mut slides) = (String::new(), String::new());
    for vector in vectors {
        boards += &tiles(&vector["board"]);
        boards.push('\n');
        for direction in ["up", "right", "down", "left"] {
            let slide = &vector[direction];
            if slide["moved"] == true {
                writeln!(slides, "{} {}", slide["gain"], tiles(&slide["board"])).expect("text");
            } else {
                slides += "-\n";
            }
        }
    }
    fs::write(own.join("boards.txt"), boards).expect("a file");
    let driver = repository()
        .join("tests/languages/drivers")
        .join(kit.driver);
    fs::copy(driver, own.join(kit.driver)).expect("a copy");
    Finished::of(&mut shell(own, kit.run_driver)).expect_code(0);
    let slid = fs::read_to_string(own.join("slides.txt")).expect("the slides of the kit");
    for (number, (line, expected)) in slid.lines().zip(slides.lines()).enumerate() {
        assert_eq!(line, expected, "slide {number} of the {} kit", kit.language);
    }
    assert_eq!(slid.lines().count(), 4 * 175);
}

/// A board of exponents as a line of tiles.
fn tiles(board: &Value) -> String {
    let rows = board.as_array().expect("rows").iter();
    let cells = rows.flat_map(|row| row.as_array().expect("a row"));
    let tile = |cell: &Value| match cell.as_u64().expect("an exponent") {
        0 => 0,
        exponent => 1_u64 << exponent,
    };
    let tiles: Vec<String> = cells.map(|cell| tile(cell).to_string()).collect();
    tiles.join(" ")
}
