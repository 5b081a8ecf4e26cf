//! The files of the page, embedded in the program: the document, one style sheet, one script, the
//! icon.

use std::{fmt::Write, sync::LazyLock};

use axum::{
    Router,
    http::header::{CACHE_CONTROL, CONTENT_TYPE},
    routing::get,
};
use sha2::{Digest, Sha256};

use crate::page_script::one_script;
use report::html::SHARED_FILES;

/// Lists files of the page as pairs of path and content.
macro_rules! page_files {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("page/", $path)))),*]
    };
}

const INDEX: &str = include_str!("page/index.html");
const ICON: &str = include_str!("page/icon.svg");
const STYLE: &str = include_str!("page/style.css");

const MODULES: &[(&str, &str)] = page_files![
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
    "games/move_choice.js",
    "games/move_evaluation.js",
    "games/opinions.js",
    "games/parting.js",
    "games/replay_panel.js",
    "games/replay_player.js",
    "games/turning_points.js",
    "net/api.js",
    "net/connection.js",
    "net/event_stream.js",
    "net/questions.js",
    "net/recorded_game.js",
    "text/budget_label.js",
    "text/directions.js",
    "text/ending.js",
    "text/parameters.js",
    "text/replay_address.js",
    "text/search_words.js",
    "views/explain_view.js",
    "views/follow_view.js",
    "views/home_view.js",
    "views/live_view.js",
    "views/person_view.js",
    "views/progress.js",
    "views/replay_view.js",
    "views/result_table.js",
    "views/run_card.js",
    "views/run_panel.js",
    "views/solve_view.js",
];

/// A file whose address contains its hash, so that browsers keep it.
struct HashedFile {
    path: String,
    content: String,
}

impl HashedFile {
    fn new(name: &str, ending: &str, content: String) -> Self {
        let hash = Sha256::digest(&content);
        let hash = hash[..8].iter().fold(String::new(), |mut hash, byte| {
            let _ = write!(hash, "{byte:02x}");
            hash
        });
        Self {
            path: format!("/{name}-{hash}.{ending}"),
            content,
        }
    }
}

fn has_ending(name: &str, ending: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, own)| own == ending)
}

/// The modules of the page, and those that it shares with the report at `shared/NAME`. On disk,
/// `page/shared` is a link to their folder, so that imports are the same there.
fn modules() -> Vec<(String, &'static str)> {
    let own = MODULES
        .iter()
        .map(|(path, text)| ((*path).to_owned(), *text));
    let shared = SHARED_FILES
        .iter()
        .filter(|(name, _)| has_ending(name, "js"));
    own.chain(shared.map(|(name, text)| (format!("shared/{name}"), *text)))
        .collect()
}

static SCRIPT: LazyLock<HashedFile> =
    LazyLock::new(|| HashedFile::new("app", "js", one_script(&modules(), "app.js")));

/// The styles that the page shares with the report, then its own.
static STYLES: LazyLock<HashedFile> = LazyLock::new(|| {
    let shared = SHARED_FILES
        .iter()
        .filter(|(name, _)| has_ending(name, "css"));
    let texts = shared.map(|(_, text)| *text).chain([STYLE]);
    HashedFile::new("style", "css", texts.collect())
});

static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    INDEX
        .replace("/app.js", &SCRIPT.path)
        .replace("/style.css", &STYLES.path)
});

/// A router that serves the document at `/`, and its files.
pub(super) fn page_router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    const KEEP: &str = "public, max-age=31536000, immutable";
    let file = |kind: &'static str, cache: &'static str, content: &'static str| {
        get(move || async move { ([(CONTENT_TYPE, kind), (CACHE_CONTROL, cache)], content) })
    };
    Router::new()
        .route("/", file("text/html; charset=utf-8", "no-cache", &DOCUMENT))
        .route("/icon.svg", file("image/svg+xml", "max-age=86400", ICON))
        .route(
            &SCRIPT.path,
            file("text/javascript; charset=utf-8", KEEP, &SCRIPT.content),
        )
        .route(
            &STYLES.path,
            file("text/css; charset=utf-8", KEEP, &STYLES.content),
        )
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    /// The scripts below a folder.
    fn scripts_below(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder of the page");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let mut files = Vec::new();
        for path in paths {
            let name = path.file_name().expect("a name").to_string_lossy();
            if path.is_dir() {
                let below = scripts_below(&path).into_iter();
                files.extend(below.map(|file| format!("{name}/{file}")));
            } else if has_ending(&name, "js") {
                files.push(name.into_owned());
            }
        }
        files
    }

    #[test]
    fn every_script_of_the_page_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
        let mut files = scripts_below(&folder);
        files.sort_unstable();
        let mut embedded: Vec<String> = modules().into_iter().map(|(path, _)| path).collect();
        embedded.sort_unstable();
        assert_eq!(files, embedded);
    }

    /// `dom/fragment.js` inserts the figures of the report, which the host has escaped.
    #[test]
    fn no_file_turns_text_into_markup_or_names_another_server() {
        let others = [
            ("index.html", INDEX),
            ("style.css", STYLES.content.as_str()),
        ];
        let others = others.map(|(path, content)| (path.to_owned(), content));
        for (path, content) in modules().into_iter().chain(others) {
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
