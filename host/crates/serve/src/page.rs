//! The files of the page, embedded in the program.

use axum::{Router, http::header, routing::get};

use report::html::SHARED_FILES;

/// Lists files of the page as pairs of path and content.
macro_rules! page_files {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("page/", $path)))),*]
    };
}

const PAGE_FILES: &[(&str, &str)] = page_files![
    "index.html",
    "app.js",
    "dom/announcements.js",
    "dom/element.js",
    "dom/fragment.js",
    "dom/keyboard.js",
    "dom/storage.js",
    "dom/swipe.js",
    "explain/explanation_panel.js",
    "explain/mini_board.js",
    "explain/node_details.js",
    "explain/position.js",
    "explain/position_form.js",
    "explain/search_tree.js",
    "explain/tree_layout.js",
    "forms/agent_form.js",
    "forms/ask_form.js",
    "forms/board_editor.js",
    "forms/budget_fields.js",
    "forms/field.js",
    "forms/game_form.js",
    "forms/parameter_field.js",
    "forms/parameter_schema.js",
    "forms/save_control.js",
    "forms/speed_control.js",
    "games/answer_card.js",
    "games/ask_panel.js",
    "games/comparison.js",
    "games/course_chart.js",
    "games/ending_note.js",
    "games/extreme_links.js",
    "games/game_panel.js",
    "games/game_stats.js",
    "games/live_course.js",
    "games/live_session.js",
    "games/move_evaluation.js",
    "games/opinions.js",
    "games/parting.js",
    "games/replay_panel.js",
    "games/replay_player.js",
    "games/turning_points.js",
    "icon.svg",
    "net/api.js",
    "net/connection.js",
    "net/event_stream.js",
    "net/questions.js",
    "net/recorded_game.js",
    "style.css",
    "text/budget_label.js",
    "text/directions.js",
    "text/ending.js",
    "text/parameters.js",
    "text/replay_address.js",
    "text/search_words.js",
    "views/explain_view.js",
    "views/follow_view.js",
    "views/live_view.js",
    "views/person_view.js",
    "views/progress.js",
    "views/replay_view.js",
    "views/result_table.js",
    "views/run_panel.js",
    "views/solve_view.js",
];

/// The files that the page shares with the report, at `shared/NAME`. On disk, `page/shared` is a
/// link to their folder, so that imports are the same there and in the browser.
fn shared_files() -> impl Iterator<Item = (String, &'static str)> {
    let files = SHARED_FILES.iter();
    files.map(|(name, content)| (format!("shared/{name}"), *content))
}

/// A router that serves every file at its path, and `index.html` at `/`.
pub(super) fn page_router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let mut router = Router::new();
    let own = PAGE_FILES
        .iter()
        .map(|(path, content)| ((*path).to_owned(), *content));
    for (path, content) in own.chain(shared_files()) {
        let url = match path.as_str() {
            "index.html" => "/".to_owned(),
            path => format!("/{path}"),
        };
        let kind = content_type(&path);
        let response = move || async move { ([(header::CONTENT_TYPE, kind)], content) };
        router = router.route(&url, get(response));
    }
    router
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.') {
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

    /// The files below a folder, except for type declarations, which browsers do not load.
    fn files_below(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder of the page");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let mut files = Vec::new();
        for path in paths {
            let name = path.file_name().expect("a name").to_string_lossy();
            if path.is_dir() {
                let below = files_below(&path).into_iter();
                files.extend(below.map(|file| format!("{name}/{file}")));
            } else if !name.ends_with(".d.ts") {
                files.push(name.into_owned());
            }
        }
        files
    }

    #[test]
    fn every_file_of_the_page_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
        let mut files = files_below(&folder);
        files.sort_unstable();
        let own = PAGE_FILES.iter().map(|(path, _)| (*path).to_owned());
        let mut embedded: Vec<String> = own.chain(shared_files().map(|(path, _)| path)).collect();
        embedded.sort_unstable();
        assert_eq!(files, embedded);
    }

    /// `dom/fragment.js` inserts the figures of the report, which the host has escaped.
    #[test]
    fn no_file_turns_text_into_markup_or_names_another_server() {
        let own = PAGE_FILES.iter();
        let own = own.map(|(path, content)| ((*path).to_owned(), *content));
        for (path, content) in own.chain(shared_files()) {
            let content = content.replace("http://www.w3.org/2000/svg", "");
            for word in [
                "DOMParser",
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
                "://",
            ] {
                let is_allowed = word == "DOMParser" && path == "dom/fragment.js";
                assert!(is_allowed || !content.contains(word), "{path}: {word}");
            }
        }
    }
}
