//! The tables in which papers print their trials: the score of every game, and the share of games
//! by their highest tile. Both end with the mean and the speed of play.

use std::collections::BTreeSet;

use statistics::as_f64;
use text::number_text::{NONE, count, percent};

use super::{
    agent_tables::{GAMES, NAME, SPEED_OF_PLAY},
    grid::{Grid, KEEP, TextColumn},
};
use crate::budget_report::{AgentReport, BudgetReport};

pub(crate) const SCORES: &str = "Scores by seed";

/// With more seeds, a table has a row per seed.
const MOST_SEEDS_IN_A_ROW: usize = 10;

/// The score of every game; with few seeds in two forms, the wider one first.
pub(crate) fn score_tables(part: &BudgetReport) -> &'static [fn(&BudgetReport) -> Grid] {
    if seeds([part]).len() > MOST_SEEDS_IN_A_ROW {
        &[scores_by_seed]
    } else {
        &[scores_by_agent, scores_by_seed]
    }
}

/// A row per agent and a column per seed.
fn scores_by_agent(part: &BudgetReport) -> Grid {
    let mut columns = vec![names(part)];
    columns.extend(seeds([part]).into_iter().map(|seed| {
        let scores = part.agents.iter().map(|agent| score(agent, seed));
        let scores = scores.map(|score| score.map_or(NONE.to_owned(), count));
        TextColumn::right(seed.to_string(), KEEP, scores)
    }));
    columns.extend(speed_of_play(part));
    Grid::new(columns)
}

/// A row per seed and a column per agent.
fn scores_by_seed(part: &BudgetReport) -> Grid {
    let mut grid = scores_by_agent(part).transposed("Seed");
    let n_rows = grid.n_rows();
    grid.bold_rows = (n_rows - SPEED_OF_PLAY.len()..n_rows).collect();
    grid
}

pub(crate) const HIGHEST: &str = "Highest tile of a game (share of games)";

/// The share of games by their highest tile.
pub(crate) fn highest_table(part: &BudgetReport) -> Grid {
    let agents: Vec<&AgentReport> = part.agents.iter().collect();
    let mut columns = vec![names(part), GAMES.of(&agents, 60, None)];
    columns.extend((0..).zip(highest_tiles([part])).map(|(importance, tile)| {
        let shares = agents.iter().map(|agent| highest_share(agent, tile));
        let shares = shares.map(|share| share.map_or(NONE.to_owned(), percent));
        TextColumn::right(tile.to_string(), importance, shares)
    }));
    columns.extend(speed_of_play(part));
    Grid::new(columns)
}

fn names(part: &BudgetReport) -> TextColumn {
    NAME.of(&part.agents.iter().collect::<Vec<_>>(), KEEP, None)
}

fn speed_of_play(part: &BudgetReport) -> impl Iterator<Item = TextColumn> {
    let agents: Vec<&AgentReport> = part.agents.iter().collect();
    let columns = SPEED_OF_PLAY.iter().zip([90, 80, 70]);
    columns.map(move |(column, importance)| column.of(&agents, importance, None))
}

/// Every seed that an agent played, ascending.
pub(crate) fn seeds<'r>(parts: impl IntoIterator<Item = &'r BudgetReport>) -> BTreeSet<u64> {
    let agents = parts.into_iter().flat_map(|part| &part.agents);
    let outcomes = agents.flat_map(|agent| &agent.outcomes);
    outcomes.map(|outcome| outcome.seed).collect()
}

pub(crate) fn score(agent: &AgentReport, seed: u64) -> Option<u64> {
    let outcomes = &agent.outcomes;
    let place = outcomes.binary_search_by_key(&seed, |outcome| outcome.seed);
    place.ok().map(|place| outcomes[place].score)
}

/// Every tile that was the highest of a game, ascending.
pub(crate) fn highest_tiles<'r>(
    parts: impl IntoIterator<Item = &'r BudgetReport>,
) -> BTreeSet<u64> {
    let agents = parts.into_iter().flat_map(|part| &part.agents);
    let tiles = agents.flat_map(|agent| agent.ends.highest.keys());
    tiles.copied().collect()
}

/// The share of its games whose highest tile this was; `None` without games.
pub(crate) fn highest_share(agent: &AgentReport, tile: u64) -> Option<f64> {
    let n_games = agent.ends.highest.get(&tile).copied().unwrap_or(0);
    (agent.ends.games > 0).then(|| as_f64(n_games) / as_f64(agent.ends.games))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Report,
        example::{five_agents_forty_seeds, plan, report_of, report_of_five_agents, three_seeds},
        layout::Layout,
    };

    fn three() -> Report {
        report_of(&plan(&["left", "right"]), three_seeds())
    }

    #[test]
    fn a_table_of_few_seeds_has_a_row_per_agent_where_it_fits() {
        let report = three();
        let [wide, narrow] = score_tables(&report.budgets[0]) else {
            panic!("three seeds fit in a row");
        };
        let text = |table: &fn(&BudgetReport) -> Grid| {
            table(&report.budgets[0]).to_text(Layout::default())
        };
        insta::assert_snapshot!(text(wide), @"
        Agent      1      2      3   Mean  CPU/game  Moves/CPU-s
        ────────────────────────────────────────────────────────
        left   4,000  6,000  8,000  6,000    300 ms        2,000
        right  3,000  3,000  9,000  5,000    125 ms        4,000
        ");
        insta::assert_snapshot!(text(narrow), @"
        Seed           left   right
        ───────────────────────────
        1             4,000   3,000
        2             6,000   3,000
        3             8,000   9,000
        Mean          6,000   5,000
        CPU/game     300 ms  125 ms
        Moves/CPU-s   2,000   4,000
        ");
    }

    #[test]
    fn a_game_that_was_not_played_has_no_score() {
        let report = report_of_five_agents();
        let part = &report.budgets[0];
        let [table] = score_tables(part) else {
            panic!("forty seeds are too many for a row");
        };
        let grid = table(part);
        assert_eq!(grid.n_rows(), 40 + SPEED_OF_PLAY.len());
        let missing = |place: usize| {
            let cells = &grid.columns[place].cells;
            cells.iter().filter(|cell| *cell == NONE).count()
        };
        let n_missing: Vec<usize> = (1..=5).map(missing).collect();
        assert_eq!(n_missing, [0, 0, 2, 0, 0]);
        let of_agent = five_agents_forty_seeds().into_iter();
        let mut of_agent = of_agent.filter(|game| game.seed == 7 && game.series.agent == 0);
        let expected = of_agent.next().expect("a game").score;
        assert_eq!(score(&part.agents[0], 7), Some(expected));
    }

    #[test]
    fn a_game_counts_only_for_its_highest_tile() {
        let report = report_of_five_agents();
        for agent in &report.budgets[0].agents {
            let shares = highest_tiles(&report.budgets).into_iter();
            let shares = shares.filter_map(|tile| highest_share(agent, tile));
            assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9, "{}", agent.name);
            let reached = |tile| agent.summary.reach[&tile].rate;
            let exact = highest_share(agent, 2048).expect("a share");
            assert!((exact - (reached(2048) - reached(4096))).abs() < 1e-9);
        }
        let table = highest_table(&report.budgets[0]).to_text(Layout::default());
        insta::assert_snapshot!(table, @"
        Agent       Games     64    128    256    512   1024   2048   4096   8192    Mean  CPU/game  Moves/CPU-s
        ────────────────────────────────────────────────────────────────────────────────────────────────────────
        expectimax     40     0%     0%     0%     0%   5.0%  22.5%  50.0%  22.5%  72,686    2.98 s        1,219
        mcts           40     0%     0%     0%  17.5%  25.0%  45.0%  12.5%     0%  27,457    1.33 s        1,035
        minimax        38     0%     0%     0%  18.4%  34.2%  47.4%     0%     0%  21,268    585 ms        1,819
        snake          40     0%   2.5%  10.0%  57.5%  30.0%     0%     0%     0%   8,684   96.0 ms        4,770
        random         40  10.0%  57.5%  32.5%     0%     0%     0%     0%     0%   1,101    146 µs      836,867
        ");
    }
}
