//! Two agents seed by seed: one dot per seed, at the scores of both.
//!
//! All pairs share the same axes, so the page only moves the dots when another pair is chosen.
//! The chart shows the first two agents of the ranking until then.

use maud::{Markup, html};

use super::{
    drawing::{Anchor, Drawing},
    scale::{Scale, short},
};
use statistics::as_f64;
use text::number_text::counted;

use crate::agent_games::AgentGames;

const TOP: f64 = 26.0;
const BOTTOM: f64 = 386.0;
const HEIGHT: f64 = BOTTOM + 42.0;
/// Both axes of the figure for print have this length.
pub(in crate::html) const SIDE: f64 = BOTTOM - TOP;

/// The most dots; of more seeds some are chosen, evenly spaced.
const MOST_SEEDS: usize = 300;

/// The most agents to choose from, the best first.
const MOST_AGENTS: usize = 30;

/// The most scores in the page; each takes about seven letters.
const MOST_SCORES: usize = 6_000;

/// The scores of several agents on the same seeds.
pub(in crate::html) struct SeedScores<'s> {
    /// Ascending; all agents together played them.
    seeds: Vec<u64>,
    /// How many seeds there are in all.
    pub(in crate::html) n_seeds: usize,
    agents: Vec<AgentScores<'s>>,
    scale: Scale,
    budget: usize,
    /// Whether the page links to every game.
    has_links: bool,
}

struct AgentScores<'s> {
    name: &'s str,
    /// One per seed; `None` where the agent did not play it.
    scores: Vec<Option<u64>>,
    /// The numbers of these games.
    games: Vec<Option<u64>>,
}

impl<'s> SeedScores<'s> {
    /// `None` for fewer than two agents with games; `budget` is the number of this budget of
    /// `n_budgets`.
    pub(in crate::html) fn of(
        games: &[AgentGames<'s>],
        budget: usize,
        n_budgets: usize,
        has_links: bool,
    ) -> Option<Self> {
        let games: Vec<&AgentGames> = games
            .iter()
            .filter(|agent| !agent.games.is_empty())
            .take(MOST_AGENTS)
            .collect();
        if games.len() < 2 {
            return None;
        }
        let mut seeds: Vec<u64> = games
            .iter()
            .flat_map(|agent| agent.games.iter().map(|game| game.seed))
            .collect();
        seeds.sort_unstable();
        seeds.dedup();
        let n_seeds = seeds.len();
        let most = (MOST_SCORES / (games.len() * n_budgets)).clamp(20, MOST_SEEDS);
        let seeds = evenly(&seeds, most);
        let agents: Vec<AgentScores> = games
            .iter()
            .map(|agent| {
                let (mut scores, mut numbers) = (vec![None; seeds.len()], vec![None; seeds.len()]);
                for game in &agent.games {
                    if let Ok(place) = seeds.binary_search(&game.seed) {
                        scores[place] = Some(game.score);
                        numbers[place] = Some(game.game);
                    }
                }
                AgentScores {
                    name: agent.name,
                    scores,
                    games: numbers,
                }
            })
            .collect();
        let all = agents
            .iter()
            .flat_map(|agent| agent.scores.iter().flatten());
        let scale = Scale::logarithmic(all.map(|score| as_f64(*score)));
        Some(Self {
            seeds,
            n_seeds,
            agents,
            scale,
            budget,
            has_links,
        })
    }

    pub(in crate::html) fn n_shown(&self) -> usize {
        self.seeds.len()
    }

    /// The dots of the first two agents.
    pub(in crate::html) fn drawing(&self) -> Drawing {
        let [one, other] = [&self.agents[0], &self.agents[1]];
        let title = format!(
            "Scores of two agents on {}, on logarithmic axes",
            counted(self.seeds.len() as u64, "seed")
        );
        let mut drawing = Drawing::new(HEIGHT, title);
        drawing.grid(&self.scale, (TOP, BOTTOM));
        for tick in &self.scale.ticks {
            drawing.horizontal((0.0, 1.0), self.height_of(*tick), "grid");
        }
        drawing.tick_labels(&self.scale, BOTTOM + 16.0, short);
        for tick in self.scale.ticks.iter().skip(1) {
            let y = self.height_of(*tick) + 13.0;
            drawing.text((0.0, y), Anchor::Start, "tick", &short(*tick));
        }
        drawing.curve(&[(0.0, BOTTOM), (1.0, TOP)], "diagonal", "equal scores");
        let name_of = |agent: &AgentScores, arrow: &str| format!("score of {} {arrow}", agent.name);
        let below = (1.0, BOTTOM + 34.0);
        drawing.text(below, Anchor::End, "axis-name of-x", &name_of(one, "→"));
        let above = (0.0, TOP - 10.0);
        let name = name_of(other, "↑");
        drawing.text(above, Anchor::Start, "axis-name of-y", &name);
        for (x, y) in one.scores.iter().zip(&other.scores) {
            let (Some(x), Some(y)) = (x, y) else {
                drawing.dot(0.0, BOTTOM, "seed missing");
                continue;
            };
            let class = if x >= y { "seed won" } else { "seed lost" };
            let x = self.scale.place(as_f64(*x));
            drawing.dot(x, self.height_of(as_f64(*y)), class);
        }
        drawing
    }

    fn height_of(&self, score: f64) -> f64 {
        BOTTOM + self.scale.place(score) * (TOP - BOTTOM)
    }

    /// The two agents to choose, with the scores for the script, and room for what it writes.
    pub(in crate::html) fn controls(&self) -> Markup {
        let (low, high) = self.scale.ends();
        let chooser = |label: &str, chosen: usize| {
            html! {
                label.chooser {
                    (label) " "
                    select {
                        @for (place, agent) in self.agents.iter().enumerate() {
                            option selected[place == chosen] { (agent.name) }
                        }
                    }
                }
            }
        };
        html! {
            div.seed-choice hidden data-seeds=(joined(self.seeds.iter()))
                data-budget=(self.budget) data-low=(low) data-high=(high) data-top=(TOP)
                data-bottom=(BOTTOM)
            {
                (chooser("Across", 0)) (chooser("Upwards", 1))
                @for agent in &self.agents {
                    span hidden data-scores=(list_text(&agent.scores))
                        data-games=[self.has_links.then(|| list_text(&agent.games))] {}
                }
            }
        }
    }
}

/// This many of the items, evenly spaced, the first and the last among them.
fn evenly(items: &[u64], most: usize) -> Vec<u64> {
    if items.len() <= most {
        return items.to_vec();
    }
    let step = as_f64(items.len() - 1) / as_f64(most - 1);
    let place = |number: usize| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index of the items"
        )]
        let place = (as_f64(number) * step).round() as usize;
        place.min(items.len() - 1)
    };
    (0..most).map(|number| items[place(number)]).collect()
}

fn joined(numbers: impl Iterator<Item = impl ToString>) -> String {
    let texts: Vec<String> = numbers.map(|number| number.to_string()).collect();
    texts.join(",")
}

fn list_text(numbers: &[Option<u64>]) -> String {
    let known = |number: &Option<u64>| number.map(|it| it.to_string()).unwrap_or_default();
    joined(numbers.iter().map(known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::example::figures;

    #[test]
    fn a_dot_is_where_both_scores_are() {
        let records = [(1, 100), (2, 1_000), (3, 500)].map(|(seed, score)| figures(0, seed, score));
        let others = [(1, 1_000), (3, 500)].map(|(seed, score)| figures(1, seed, score));
        let games = |name: &'static str, records: &'static [_]| AgentGames {
            name,
            budget: None,
            games: records.iter().collect(),
        };
        let records: &'static [_] = Box::leak(Box::new(records));
        let others: &'static [_] = Box::leak(Box::new(others));
        let scores =
            SeedScores::of(&[games("a", records), games("b", others)], 0, 1, false).unwrap();
        let svg = scores.drawing().to_svg().into_string();
        // Seed 1: at the left end of the axis from 100 to 1,000, and at its upper end.
        assert!(
            svg.contains("class=\"seed lost\" cx=\"0%\" cy=\"26\""),
            "{svg}"
        );
        assert!(svg.contains("class=\"seed missing\""), "{svg}");
        assert_eq!(svg.matches("class=\"seed won\"").count(), 1);
        let controls = scores.controls().into_string();
        assert!(controls.contains("data-scores=\"1000,,500\""), "{controls}");
    }

    #[test]
    fn of_many_seeds_some_are_shown() {
        let seeds: Vec<u64> = (1..=1_000).collect();
        let shown = evenly(&seeds, 4);
        assert_eq!(shown, [1, 334, 667, 1_000]);
        assert_eq!(evenly(&seeds[..3], 4), [1, 2, 3]);
    }
}
