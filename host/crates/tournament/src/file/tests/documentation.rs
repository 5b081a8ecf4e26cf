//! `docs/tournament-file.md` describes what the reader does.

use super::*;

const PAGE: &str = include_str!("../../../../../../docs/tournament-file.md");

/// The contents of all code blocks of this kind.
fn blocks(kind: &str) -> Vec<&'static str> {
    let start = format!("```{kind}\n");
    PAGE.split(start.as_str())
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect()
}

/// The rows of the table below a heading: the key and the rest.
fn rows(heading: &str) -> Vec<(&'static str, &'static str)> {
    let (_, section) = PAGE
        .split_once(&format!("\n{heading}\n"))
        .expect("the heading exists");
    section
        .lines()
        .skip_while(|line| !line.starts_with("| `"))
        .take_while(|line| line.starts_with("| `"))
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` |"))
        .collect()
}

#[test]
fn the_examples_are_tournaments() {
    let examples = blocks("yaml");
    assert_eq!(examples.len(), 2);
    for example in examples {
        parse_text(example).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    }
    let complete = parse_text(blocks("yaml")[1]).unwrap();
    assert_eq!(complete.seeds.len(), 202);
    assert_eq!(complete.agents[2].name, "anna");
}

#[test]
fn the_complete_example_has_every_key() {
    for key in tournament_reader::KEYS {
        assert!(
            blocks("yaml")[1].contains(&format!("\n{key}:")) || key == "name",
            "{key}"
        );
    }
}

#[test]
fn every_key_has_a_row_and_every_row_a_key() {
    let tables: [(&str, &[&str]); 4] = [
        ("## Keys", &tournament_reader::KEYS),
        ("### `budget`", &budget_reader::KEYS),
        ("### `stop`", &tournament_reader::STOP_KEYS),
        ("### `agents`", &agent_reader::KEYS),
    ];
    for (heading, keys) in tables {
        let documented: Vec<_> = rows(heading).into_iter().map(|(key, _)| key).collect();
        assert_eq!(documented, keys, "{heading}");
    }
}

/// Writing out a row's default changes nothing.
#[test]
fn the_defaults_are_those_of_the_reader() {
    let mut n_checked = 0;
    for (key, rest) in rows("## Keys") {
        let default = rest.split(" | ").nth(1).expect("a row has four columns");
        if !matches!(key, "name" | "agents") {
            let line = format!("name: x\n{key}: {}", default.trim_matches('`'));
            assert_eq!(accepted(&line), accepted("name: x"), "{line}");
            n_checked += 1;
        }
    }
    assert_eq!(n_checked, tournament_reader::KEYS.len() - 2);
}

#[test]
fn the_smallest_memory_is_the_documented_one() {
    let rows = rows("## Keys");
    let (_, row) = rows.iter().find(|(key, _)| *key == "memory").unwrap();
    let smallest = row
        .split("at least ")
        .nth(1)
        .unwrap()
        .trim_matches([' ', '|']);
    let bytes = accepted(&format!("memory: {smallest}")).memory;
    let less = format!("memory: {}\nagents:\n- plugin: a\n", bytes - 1);
    assert!(parse_text(&less).is_err(), "{less}");
}

#[test]
fn the_diagnostics_look_as_shown() {
    let text = "name: cup\nbord: 4\nbudget:\n  per_move: 10\nagents:\n- plugin: mcts\n";
    let diagnostics = parse(&TournamentSource::new("cup.yaml", text)).unwrap_err();
    assert_eq!(format!("{diagnostics}\n"), blocks("text")[0]);
}
