//! The results under one budget: agents in the order of the ranking, and every pair.

use std::{cmp::Ordering, collections::BTreeMap};

use plugin_api::Tiles;

use super::{
    agent_summary::{AgentSummary, count_faults, distinct_games},
    control_pair::compare_control,
    fault_example::FaultExample,
    game_ends::GameEnds,
    pair_report::{Compared, PairReport, compare_all},
    private_seeds::{self, PrivateSeedTest},
    same_games::{GamesDigest, same_games_as},
    time_use::TimeUse,
};
use run::{
    counted::{Counted, Disqualification, SeriesGames},
    game_figures::GameFigures,
    game_plan::Series,
    game_record::Ending,
    run_plan::RunPlan,
};
use statistics::{
    effort::Effort,
    game_outcome::GameOutcome,
    holm::holm,
    interval::Confidence,
    joint_flips::Patterns,
    ranking::{RankRange, rank_ranges, ranks},
    rate::{Rate, paired_rate_p_value},
};
use tournament::Budget;

/// The most tiles with a column in the ranking.
const MOST_TILES: usize = 3;

/// The lowest rate of the best agent at which a tile gets a column.
const WORTH_A_COLUMN: f64 = 0.05;

/// Of more agents, tables show the neighbours in the ranking and not every pair.
pub const MOST_IN_FULL: usize = 30;

#[derive(Clone, Debug, PartialEq)]
pub struct BudgetReport {
    pub budget: Budget,
    /// The label of the budget, where the tournament has several.
    pub label: Option<String>,
    /// The confidence of intervals and claims.
    pub confidence: Confidence,
    /// Ranked agents first, then the second entry of the control, agents without games and
    /// disqualified agents.
    pub agents: Vec<AgentReport>,
    /// Every pair of ranked agents.
    pub pairs: Vec<PairReport>,
    /// The two entries of the control.
    pub control: Option<PairReport>,
    /// The sign patterns that were tried for the pairs; `None` with a stop rule.
    pub patterns: Option<Patterns>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AgentReport {
    pub name: String,
    pub(crate) series: Series,
    /// `None` for agents that played no game or were disqualified.
    pub rank: Option<usize>,
    /// `None` where there is no rank.
    pub rank_range: Option<RankRange>,
    /// Of the games on shared seeds.
    pub summary: AgentSummary,
    /// Of the same games, by seed.
    pub(crate) outcomes: Vec<GameOutcome>,
    /// The highest tile of each game, by seed.
    pub(crate) highest_by_seed: BTreeMap<u64, u64>,
    /// By tile, whether it is reached as often as by the agent above in the ranking; the p-values are
    /// corrected for all of the table.
    pub(crate) tile_p_values: BTreeMap<u64, f64>,
    pub private_games: PrivateGames,
    pub time: TimeUse,
    /// How its games end.
    pub ends: GameEnds,
    /// The first fault of each kind.
    pub faults: Vec<FaultExample>,
    pub disqualified: Option<Disqualification>,
    /// Where the tournament has private seeds.
    pub private_seeds: Option<PrivateSeedTest>,
    /// Whether it is the second entry of the control, which is not ranked.
    pub is_second_entry: bool,
    /// Its moves on all seeds; `None` where they are not known.
    pub(super) games_digest: Option<GamesDigest>,
    /// The agents that made the same moves on all seeds.
    pub same_games_as: Vec<String>,
}

/// What the report says of games that count in no figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrivateGames {
    pub games: usize,
    /// By ending.
    pub faults: BTreeMap<Ending, u64>,
    pub first_fault: Option<FaultExample>,
}

impl AgentReport {
    /// How many games ended with a fault, with those on private seeds.
    #[must_use]
    pub fn n_faults(&self) -> u64 {
        self.summary.n_faults() + self.private_games.faults.values().sum::<u64>()
    }
}

impl BudgetReport {
    /// `games` are those of all series; `faces` are the tiles to give rates for.
    #[must_use]
    pub(super) fn new(
        plan: &RunPlan,
        counted: &Counted,
        budget: usize,
        games: &BTreeMap<Series, SeriesGames>,
        faces: &[u64],
        effort: Effort,
    ) -> Self {
        let (no_games, n_budgets) = (SeriesGames::default(), plan.tournament.budgets.len());
        let mut agents: Vec<AgentReport> = (0..plan.agents.len())
            .map(|agent| {
                let series = Series { budget, agent };
                let games = games.get(&series).unwrap_or(&no_games);
                let disqualified = counted.disqualification(series).cloned();
                agent_report(plan, series, games, disqualified, faces, effort)
            })
            .collect();
        let race = counted
            .decision
            .as_ref()
            .map(|decision| &decision.races[budget]);
        private_seeds::correct(
            agents
                .iter_mut()
                .filter_map(|agent| agent.private_seeds.as_mut()),
        );
        let has_goal = plan.tournament.ranking_goal().is_some();
        agents.sort_by(|a, b| order_of(a, b, has_goal));
        let outcomes_of = |wanted: &dyn Fn(&AgentReport) -> bool| -> Vec<Compared> {
            agents
                .iter()
                .filter(|agent| wanted(agent))
                .map(|agent| Compared {
                    agent: agent.series.agent,
                    name: &agent.name,
                    outcomes: &agent.outcomes,
                })
                .collect()
        };
        let ranked = outcomes_of(&is_ranked);
        let control = compare_control(&outcomes_of(&|_| true), plan, race);
        let n_pairs = ranked.len() * ranked.len().saturating_sub(1) / 2;
        let effort = effort.shared_by(n_pairs * n_budgets);
        let (mut pairs, patterns) = compare_all(&ranked, plan, race, effort);
        let compared: Vec<usize> = ranked.iter().map(|agent| agent.agent).collect();
        let wins: Vec<(usize, usize)> = pairs.iter().filter_map(PairReport::win).collect();
        let ranks = ranks(ranked.len(), &wins)
            .into_iter()
            .zip(rank_ranges(ranked.len(), &wins))
            .collect::<Vec<_>>();
        for (agent, (rank, range)) in agents.iter_mut().zip(ranks) {
            agent.rank = Some(rank);
            agent.rank_range = Some(range);
        }
        // Agents without a rank stay last; equal ranks keep their order.
        agents.sort_by_key(|agent| agent.rank.unwrap_or(usize::MAX));
        mark_neighbours(&mut pairs, &compared, &agents);
        mark_same_games(&mut agents);
        // With a stop rule, the number of games depends on them.
        if plan.tournament.tiles == Tiles::Random && race.is_none() {
            compare_tile_rates(&mut agents);
        }
        Self {
            budget: plan.tournament.budgets[budget],
            label: plan.budget_label(budget),
            confidence: plan.confidence(),
            agents,
            pairs,
            control,
            patterns,
        }
    }

    /// The pairs that are next to each other in the ranking, from the top.
    pub fn neighbours(&self) -> impl Iterator<Item = &PairReport> {
        self.pairs.iter().filter(|pair| pair.neighbours)
    }

    /// The agents with a rank; they come first.
    #[must_use]
    pub fn n_ranked(&self) -> usize {
        self.agents.partition_point(|agent| agent.rank.is_some())
    }

    /// Whether there are too many agents to read every pair.
    #[must_use]
    pub fn has_many_agents(&self) -> bool {
        self.n_ranked() > MOST_IN_FULL
    }

    #[must_use]
    pub fn all_pairs(&self) -> Vec<&PairReport> {
        self.pairs.iter().collect()
    }

    /// The pairs that tables show: all of them, or of many agents each one with its neighbours in
    /// the ranking.
    #[must_use]
    pub fn listed_pairs(&self) -> Vec<&PairReport> {
        if self.has_many_agents() {
            self.neighbours().collect()
        } else {
            self.all_pairs()
        }
    }

    /// The pair of the agents at two places of the ranking, and whether its first agent is the
    /// one at `row`.
    #[must_use]
    pub fn pair(&self, row: usize, column: usize) -> Option<(&PairReport, bool)> {
        let (above, below) = (row.min(column), row.max(column));
        if above == below || below >= self.n_ranked() {
            return None;
        }
        // The pairs of the agents above come first; see `mark_neighbours`.
        let place = above * self.n_ranked() - above * (above + 1) / 2 + below - above - 1;
        let pair = self.pairs.get(place)?;
        Some((pair, pair.a == self.agents[row].name))
    }
}

fn agent_report(
    plan: &RunPlan,
    series: Series,
    games: &SeriesGames,
    disqualified: Option<Disqualification>,
    faces: &[u64],
    effort: Effort,
) -> AgentReport {
    let tournament = &plan.tournament;
    let SeriesGames { private, shared } = games;
    let private_seeds = PrivateSeedTest::of(private, fixed_in_advance(shared, plan), effort);
    let budget = tournament.budgets[series.budget];
    let per_move = budget.per_move().map(|time| (time, budget.clock));
    let time = TimeUse::of(shared, per_move);
    let records = match tournament.tiles {
        Tiles::Random => shared.clone(),
        Tiles::Deterministic => distinct_games(shared),
    };
    let effort = effort.shared_by(plan.agents.len() * tournament.budgets.len());
    let (goal, confidence) = (tournament.ranking_goal(), plan.confidence());
    let summary = AgentSummary::of(&records, faces, goal, tournament.tiles, confidence, effort);
    let second_entry = plan.control().map(|[_, second]| second);
    AgentReport {
        name: plan.agents[series.agent].name.clone(),
        series,
        rank: None,
        rank_range: None,
        summary,
        outcomes: outcomes_by_seed(&records, goal),
        highest_by_seed: records
            .iter()
            .map(|game| (game.seed, game.highest))
            .collect(),
        tile_p_values: BTreeMap::new(),
        private_games: PrivateGames {
            games: private.len(),
            faults: count_faults(private),
            first_fault: FaultExample::of_each_kind(plan, private).into_iter().next(),
        },
        time,
        ends: GameEnds::of(&records, confidence.level),
        faults: FaultExample::of_each_kind(plan, &records),
        disqualified,
        private_seeds,
        is_second_entry: second_entry == Some(series.agent),
        games_digest: GamesDigest::of(&records),
        same_games_as: Vec::new(),
    }
}

/// With a stop rule, an agent that is lucky stops early, so its mean is too high. The seeds before
/// the first look are always played.
fn fixed_in_advance<'r, 'g>(
    shared: &'r [&'g GameFigures],
    plan: &RunPlan,
) -> &'r [&'g GameFigures] {
    let Some(rule) = plan.race_rule() else {
        return shared;
    };
    let first_look = rule.looks.first().copied().unwrap_or(0);
    let end = plan.games().end_of_seeds(first_look);
    &shared[..shared.partition_point(|record| record.game < end)]
}

fn outcomes_by_seed(records: &[&GameFigures], goal: Option<u64>) -> Vec<GameOutcome> {
    let mut outcomes: Vec<GameOutcome> = records.iter().map(|game| game.outcome(goal)).collect();
    outcomes.sort_by_key(|outcome| outcome.seed);
    outcomes.dedup_by_key(|outcome| outcome.seed);
    outcomes
}

fn is_ranked(agent: &AgentReport) -> bool {
    agent.disqualified.is_none() && agent.summary.games > 0 && !agent.is_second_entry
}

/// Better figures first, then agents without games, then disqualified agents. Equal agents keep
/// the order of the tournament file.
fn order_of(a: &AgentReport, b: &AgentReport, has_goal: bool) -> Ordering {
    let out_of_the_race = |agent: &AgentReport| {
        let has_no_games = agent.summary.games == 0;
        (
            agent.disqualified.is_some(),
            has_no_games,
            agent.is_second_entry,
        )
    };
    let figures = |agent: &AgentReport| {
        let summary = &agent.summary;
        if has_goal {
            let rate = summary.goal.map_or(0.0, |goal| goal.rate);
            [rate, -summary.moves_to_goal.unwrap_or(f64::INFINITY)]
        } else {
            [summary.mean.unwrap_or(0.0), 0.0]
        }
    };
    let (a_figures, b_figures) = (figures(a), figures(b));
    out_of_the_race(a)
        .cmp(&out_of_the_race(b))
        .then(b_figures[0].total_cmp(&a_figures[0]))
        .then(b_figures[1].total_cmp(&a_figures[1]))
}

/// Compares each ranked agent with the one above it, tile by tile, on the seeds that both played.
fn compare_tile_rates(agents: &mut [AgentReport]) {
    let tiles = all_informative_tiles(agents);
    let ranked = agents.partition_point(|agent| agent.rank.is_some());
    let mut tests = Vec::new();
    for place in 1..ranked {
        let [above, below] = [&agents[place - 1], &agents[place]].map(|a| &a.highest_by_seed);
        for &tile in &tiles {
            let (mut only_above, mut only_below) = (0, 0);
            for (seed, highest) in below {
                let Some(other) = above.get(seed) else {
                    continue;
                };
                only_above += u64::from(*other >= tile && *highest < tile);
                only_below += u64::from(*other < tile && *highest >= tile);
            }
            tests.push((place, tile, paired_rate_p_value(only_above, only_below)));
        }
    }
    let p_values: Vec<f64> = tests.iter().map(|(.., p_value)| *p_value).collect();
    for ((place, tile, _), p_value) in tests.iter().zip(holm(&p_values)) {
        agents[*place].tile_p_values.insert(*tile, p_value);
    }
}

/// The second entry of the control is the same program by intention.
fn mark_same_games(agents: &mut [AgentReport]) {
    let is_first_entry = |agent: &&AgentReport| !agent.is_second_entry;
    let digests: Vec<_> = agents
        .iter()
        .filter(is_first_entry)
        .map(|agent| (agent.name.clone(), agent.games_digest))
        .collect();
    for agent in agents.iter_mut().filter(|agent| !agent.is_second_entry) {
        agent.same_games_as = same_games_as(&agent.name, agent.games_digest, &digests);
    }
}

/// Sorts the pairs by the places of their agents in the ranking. `compared` are the indices of the
/// agents in the order in which they were compared.
fn mark_neighbours(pairs: &mut [PairReport], compared: &[usize], agents: &[AgentReport]) {
    let indices = agents.iter().map(|agent| agent.series.agent);
    let by_index: BTreeMap<usize, usize> = indices.zip(0..).collect();
    let places: Vec<usize> = compared.iter().map(|index| by_index[index]).collect();
    let places_of = |pair: &PairReport| {
        let (a, b) = pair.positions;
        (places[a].min(places[b]), places[a].max(places[b]))
    };
    for pair in pairs.iter_mut() {
        let (above, below) = places_of(pair);
        pair.neighbours = below == above + 1;
    }
    pairs.sort_unstable_by_key(places_of);
}

/// The highest tiles that some games reached and some missed, in ascending order, each with the
/// distance between the worst and the best agent in percent.
pub(crate) fn highest_informative_tiles(
    agents: &[AgentReport],
    goal: Option<u64>,
) -> Vec<(u64, f64)> {
    let mut informative: Vec<(u64, f64)> = tiles(agents)
        .filter(|tile| Some(*tile) != goal)
        .filter_map(|tile| {
            let best = rates(agents, tile)
                .map(|rate| rate.rate)
                .fold(0.0, f64::max);
            let worst = rates(agents, tile)
                .map(|rate| rate.rate)
                .fold(1.0, f64::min);
            let is_informative = best >= WORTH_A_COLUMN && worst < 1.0;
            is_informative.then_some((tile, 100.0 * (best - worst)))
        })
        .collect();
    informative.drain(..informative.len().saturating_sub(MOST_TILES));
    informative
}

/// From the lowest tile that some game missed to the highest that some game reached; where no
/// tile was missed, only the highest.
pub(crate) fn all_informative_tiles(agents: &[AgentReport]) -> Vec<u64> {
    let reached: Vec<u64> = tiles(agents)
        .filter(|&tile| rates(agents, tile).any(|rate| rate.hits > 0))
        .collect();
    let missed = |tile: &u64| rates(agents, *tile).any(|rate| rate.hits < rate.games);
    let first = reached.iter().position(missed);
    let first = first.unwrap_or(reached.len().saturating_sub(1));
    reached[first..].to_vec()
}

/// Every agent has rates for the same tiles.
fn tiles(agents: &[AgentReport]) -> impl Iterator<Item = u64> {
    let first = agents.first().into_iter();
    first.flat_map(|agent| agent.summary.reach.keys().copied())
}

fn rates(agents: &[AgentReport], tile: u64) -> impl Iterator<Item = &Rate> {
    agents
        .iter()
        .filter_map(move |agent| agent.summary.reach.get(&tile))
        .filter(|rate| rate.games > 0)
}
