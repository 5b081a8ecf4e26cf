//! The player: a board with controls that shows the chosen games move by move.

use maud::{Markup, html};
use plugin_api::Side;
use text::program;

/// Moves per second; the second is the speed at the start.
const SPEEDS: [u32; 4] = [4, 20, 100, 1000];

/// Hidden until the script fills it; `games` name the rows of the table of games.
pub(super) fn player(side: Side, games: &[String]) -> Markup {
    html! {
        noscript {
            p {
                "Replays need JavaScript. The table below lists the games, and "
                code { (program::command("replay")) } " shows them in a terminal."
            }
        }
        div.player #player data-side=(side.length()) hidden {
            div.stage #player-board {}
            div.panel {
                label.chooser {
                    "Game "
                    select #player-game { @for game in games { option { (game) } } }
                }
                (readings())
                input #player-move type="range" min="0" max="0" value="0" step="1" aria-label="Move";
                (buttons())
                p.meta #player-verdict role="status" {}
            }
        }
    }
}

fn readings() -> Markup {
    html! {
        dl.readings {
            div { dt { "Score" } dd #player-score { "0" } }
            div {
                dt { "Move" }
                dd { span #player-number { "0" } " " small { "of " span #player-last { "0" } } }
            }
            div { dt { "Highest" } dd #player-highest { "2" } }
            div { dt { "Last move" } dd #player-direction { "–" } }
        }
    }
}

fn buttons() -> Markup {
    let button = |id: &str, text: &str, help: &str| {
        // A visible word is the name of its button; an arrow needs one.
        let name = (!text.is_ascii()).then_some(help);
        html! { button id=(id) type="button" aria-label=[name] title=(help) { (text) } }
    };
    html! {
        div.buttons {
            (button("player-first", "Start", "First move"))
            (button("player-back", "◀", "One move back"))
            button #player-play type="button" { "Play" }
            (button("player-forward", "▶", "One move forward"))
            (button("player-end", "End", "Last move"))
            label {
                "Speed "
                select #player-speed {
                    @for speed in SPEEDS {
                        option value=(speed) selected[speed == SPEEDS[1]] { (speed) "/s" }
                    }
                }
            }
        }
    }
}
