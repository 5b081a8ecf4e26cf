//! Fields of agents with known strength, and their simulated games.

use rand::Rng;

use statistics::{
    game_outcome::GameOutcome,
    simulated_scores::{Scores, SeedLuck},
};

/// An agent: the distribution of its scores, and a factor on all of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct SimulatedAgent {
    pub(super) scores: Scores,
    pub(super) factor: f64,
    /// Scores are rounded to multiples of this, which makes ties.
    pub(super) step: f64,
    /// It plays as the agent at this position.
    pub(super) copies: Option<usize>,
}

impl SimulatedAgent {
    pub(super) fn new(scores: Scores, factor: f64) -> Self {
        Self {
            scores,
            factor,
            step: 1.0,
            copies: None,
        }
    }
}

pub(super) fn true_means(agents: &[SimulatedAgent]) -> Vec<f64> {
    let mean = |agent: &SimulatedAgent| agent.scores.true_mean() * agent.factor;
    let of = |agent: &SimulatedAgent| agent.copies.map_or(*agent, |original| agents[original]);
    agents.iter().map(|agent| mean(&of(agent))).collect()
}

/// The outcomes of all agents on this many seeds.
pub(super) fn play(
    agents: &[SimulatedAgent],
    n_seeds: usize,
    random: &mut impl Rng,
) -> Vec<Vec<GameOutcome>> {
    let mut games: Vec<Vec<GameOutcome>> = vec![Vec::new(); agents.len()];
    for seed in 0..n_seeds {
        let shared = SeedLuck::draw(random);
        for (position, agent) in agents.iter().enumerate() {
            let own = SeedLuck::draw(random);
            let luck = if random.next_u32().is_multiple_of(2) {
                shared
            } else {
                own
            };
            let exact = agent.scores.score_of(luck) * agent.factor;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "scores are positive and far below 2^64"
            )]
            let score = ((exact / agent.step).round() * agent.step) as u64;
            let outcome = GameOutcome {
                seed: seed as u64,
                score,
                moves_to_goal: None,
                is_cut: false,
            };
            let outcome = agent
                .copies
                .map_or(outcome, |original| games[original][seed]);
            games[position].push(outcome);
        }
    }
    games
}

/// The agents of the default tournament; with ten, each also with 85% of its scores.
pub(super) fn default_field(n_agents: usize) -> Vec<SimulatedAgent> {
    let weaker = Scores::DEFAULT_FIELD.map(|scores| SimulatedAgent::new(scores, 0.85));
    let agents = Scores::DEFAULT_FIELD.map(|scores| SimulatedAgent::new(scores, 1.0));
    agents.into_iter().chain(weaker).take(n_agents).collect()
}

pub(super) fn uniform(random: &mut impl Rng) -> f64 {
    f64::from(random.next_u32()) / f64::from(u32::MAX)
}

pub(super) fn below(n: usize, random: &mut impl Rng) -> usize {
    usize::try_from(random.next_u32()).expect("32 bits") % n
}
