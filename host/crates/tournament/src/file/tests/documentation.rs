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
    let (_, file) = mappings().into_iter().next().unwrap();
    for key in file.keys {
        let line = format!("\n{}:", key.name);
        assert!(
            blocks("yaml")[1].contains(&line) || key.name == "name",
            "{line}"
        );
    }
}

/// The headings of the page with the tables below them.
fn declared_tables() -> [(&'static str, String); 4] {
    let headings = ["## Keys", "### `budget`", "### `stop`", "### `agents`"];
    let mut mappings = mappings().into_iter();
    headings.map(|heading| {
        let (_, mapping) = mappings.next().expect("a mapping per heading");
        (heading, table(&mapping))
    })
}

fn table(mapping: &MappingDescription) -> String {
    let rows = mapping.keys.iter().map(row).collect::<String>();
    format!("| key | values | default | meaning |\n| --- | --- | --- | --- |\n{rows}")
}

fn row(key: &KeyDescription) -> String {
    let default = match &key.default {
        KeyDefault::Written(text) => format!("`{text}`"),
        KeyDefault::Dependent(words) => words.clone(),
        KeyDefault::Required => "required".to_owned(),
    };
    let row = format!(
        "| `{}` | {} | {default} | {} |\n",
        key.name, key.values, key.meaning
    );
    // A key without a default has an empty cell.
    row.replace("|  |", "| |")
}

/// With `UPDATE_DOCS=1`, writes the tables into the page instead.
#[test]
fn the_tables_are_those_of_the_declarations() {
    let mut page = PAGE.to_owned();
    for (heading, table) in declared_tables() {
        let section = page.find(&format!("\n{heading}\n")).expect("the heading");
        let start = section + page[section..].find("\n| key |").expect("a table") + 1;
        let end = start + page[start..].find("\n\n").expect("text below the table") + 1;
        page.replace_range(start..end, &table);
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../docs/tournament-file.md"
        );
        std::fs::write(path, page).unwrap();
    } else {
        assert!(
            page == PAGE,
            "docs/tournament-file.md differs from the declarations of the keys; write its tables \
             with `UPDATE_DOCS=1 cargo test -p tournament tables`"
        );
    }
}

#[test]
fn the_diagnostics_look_as_shown() {
    let text = "name: cup\nbord: 4\nbudget:\n  per_move: 10\nagents:\n- plugin: mcts\n";
    let diagnostics = parse(&TournamentSource::new("cup.yaml", text)).unwrap_err();
    assert_eq!(format!("{diagnostics}\n"), blocks("text")[0]);
}
