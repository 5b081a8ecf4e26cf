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
