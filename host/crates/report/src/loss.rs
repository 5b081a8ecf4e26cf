//! Why an agent loses, in one sentence per agent.

use super::{
    budget_report::{AgentReport, BudgetReport},
    game_ends::Quartiles,
    tile_steps::{TileStep, tile_steps},
};
use text::number_text::{count, decimals, percent};

/// One sentence per agent that has lost a game, in the order of the ranking.
pub(crate) fn loss_sentences(part: &BudgetReport) -> Vec<String> {
    let steps = tile_steps(part);
    let agents = part.agents.iter().enumerate();
    agents
        .filter_map(|(place, agent)| loss_sentence(agent, place, &steps))
        .collect()
}

/// With which tile and after how many moves games end, which step fails, and how suddenly.
fn loss_sentence(agent: &AgentReport, place: usize, steps: &[TileStep]) -> Option<String> {
    let ends = &agent.ends;
    let n_lost: u64 = ends
        .endings
        .iter()
        .filter(|(ending, _)| ending.is_loss())
        .map(|(_, n_games)| n_games)
        .sum();
    let (tile, share) = ends.usual_highest().filter(|_| n_lost > 0)?;
    let moves = ends.moves?;
    let step = steps.iter().find(|step| step.from == tile);
    let next = match step.and_then(|step| step.chances[place]) {
        Some(chance) => format!(
            "; of the games that make {tile}, {} make {}",
            percent(chance.rate),
            2 * tile
        ),
        None => String::new(),
    };
    let sudden = match ends.since_highest.zip(ends.crowded_moves) {
        Some((since, crowded)) => format!(
            ", {} of them after its highest tile, the last {} on a crowded board",
            median_text(since),
            median_text(crowded)
        ),
        None => String::new(),
    };
    let faults = match agent.summary.n_faults() {
        0 => String::new(),
        n_faults => format!(" Faults: {}.", count(n_faults)),
    };
    Some(format!(
        "{} mostly ends with {tile} as its highest tile ({} of the games){next}. At the median it \
         makes {} moves{sudden}.{faults}",
        agent.name,
        percent(share),
        median_text(moves)
    ))
}

/// The median of numbers of moves: whole, or with the half between two of them.
pub(crate) fn median_text(quartiles: Quartiles) -> String {
    let median = quartiles.median;
    decimals(median, usize::from(median.fract() != 0.0 && median < 100.0))
}
