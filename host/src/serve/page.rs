//! The files of the page, part of the program.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};

use super::refusal::Refusal;

/// Names and contents.
macro_rules! page_files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("page/", $name)))),*]
    };
}

const PAGE_FILES: &[(&str, &str)] = page_files![
    "index.html",
    "agent_form.js",
    "api.js",
    "app.js",
    "board.js",
    "comparison.js",
    "element.js",
    "ending.js",
    "field.js",
    "film.js",
    "follow.js",
    "game_form.js",
    "icon.svg",
    "keys.js",
    "lane.js",
    "memory.js",
    "notice.js",
    "parameter.js",
    "parting.js",
    "person.js",
    "projector.js",
    "ranking.js",
    "readings.js",
    "replay.js",
    "result_table.js",
    "saved_note.js",
    "speed.js",
    "stage.js",
    "stream.js",
    "style.css",
    "swipe.js",
    "thoughts.js",
    "watch.js",
];

/// A file by its name.
pub(super) fn page_file(name: &str) -> Response {
    match PAGE_FILES.iter().find(|(known, _)| *known == name) {
        Some((_, content)) => ([(header::CONTENT_TYPE, kind(name))], *content).into_response(),
        None => Refusal::not_found("there is no such page").into_response(),
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    #[test]
    fn every_file_of_the_page_is_part_of_the_program() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/page");
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("the folder of the page")
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        let mut known: Vec<&str> = PAGE_FILES.iter().map(|(name, _)| *name).collect();
        known.sort_unstable();
        assert_eq!(names, known);
    }

    #[test]
    fn no_file_makes_markup_of_data_or_names_another_server() {
        for (name, content) in PAGE_FILES {
            let content = content.replace("http://www.w3.org/2000/svg", "");
            for word in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
                "://",
            ] {
                assert!(!content.contains(word), "{name}: {word}");
            }
        }
    }
}
