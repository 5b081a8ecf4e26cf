//! A run as the page of `host serve` knows it. That page replays the games, so figures link to them.

use std::fmt::Write;

use maud::{Markup, html};

use crate::agent_games::AgentGames;

/// A run of `host serve`, by its id there.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServedRun<'r> {
    pub(super) id: &'r str,
}

impl ServedRun<'_> {
    /// The address of a game in the page.
    pub(super) fn game(self, game: u64) -> String {
        format!("#replay/{}/{game}", encoded(self.id))
    }

    /// Links to the games of an agent that are worth looking at first.
    pub(super) fn extremes(self, agent: &AgentGames) -> Markup {
        if agent.games.len() < 2 {
            return Markup::default();
        }
        let link = |order: &str| {
            let mut game = format!("{order}:{}", agent.name);
            if let Some(budget) = agent.budget {
                game = game + ":" + budget;
            }
            let address = format!("#replay/{}/{}", encoded(self.id), encoded(&game));
            let name = format!("{order} game of {}", agent.name);
            html! { a href=(address) aria-label=(name) { (order) " game" } }
        };
        html! { small.extremes { (link("worst")) " · " (link("best")) } }
    }
}

/// A part of an address.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").expect("a string takes what is written");
        }
        encoded
    })
}
