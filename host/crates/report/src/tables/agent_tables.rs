//! The columns of an agent, and the tables, files and objects that are lists of them: the
//! ranking, how games end, and the time per move.

use statistics::{FEW_GAMES, as_f64, game_outcome::Measure};
use text::number_text::{
    NONE, amount, count, decimals, microseconds, percent, percent_with_digits,
};

use super::{
    column::{Column, Text, Value},
    grid::{Grid, KEEP, TextColumn},
};
use crate::{
    budget_report::{AgentReport, BudgetReport, highest_informative_tiles},
    game_ends::{MOVES_AFTER, Quartiles},
    loss::median_text,
};

type AgentColumn = Column<AgentReport>;

const RANK: AgentColumn = AgentColumn::data("rank", |agent| agent.rank.into()).shown(
    "#",
    Text::Numbers(rank),
    "Its rank. Agents share one unless every agent above is better than every agent below.",
);
const RANK_RANGE: AgentColumn = AgentColumn::text(
    "Rank range",
    Text::Numbers(rank_range),
    "The ranks that the comparisons do not rule out.",
);
pub(crate) const NAME: AgentColumn = AgentColumn::data("name", |agent| agent.name.as_str().into())
    .shown("Agent", Text::Words(|agent| agent.name.clone()), "");
pub(crate) const GAMES: AgentColumn = AgentColumn::data("games", |agent| {
    agent.summary.games.into()
})
.shown(
    "Games",
    Text::Numbers(games),
    "The games that count. With fewer than 30, intervals may miss the true value more often than \
     stated.",
);

const MEAN: AgentColumn = AgentColumn::data("mean", |agent| agent.summary.mean.into()).shown(
    "Score",
    Text::Estimate(|agent| {
        let summary = &agent.summary;
        (Measure::Score, (summary.mean, summary.mean_interval))
    }),
    "The mean score of its games, with its confidence interval.",
);
const MEAN_LOW: AgentColumn = AgentColumn::data("mean_low", |agent| {
    let interval = agent.summary.mean_interval;
    interval.map(|interval| interval.low).into()
});
const MEAN_HIGH: AgentColumn = AgentColumn::data("mean_high", |agent| {
    let interval = agent.summary.mean_interval;
    interval.map(|interval| interval.high).into()
});
const LOWER_QUARTILE: AgentColumn = AgentColumn::data("lower_quartile", |agent| {
    agent.summary.lower_quartile.into()
});
const MEDIAN: AgentColumn = AgentColumn::data("median", |agent| agent.summary.median.into()).shown(
    "Median",
    Text::Number(amount),
    "Half of its games scored at most this.",
);
const UPPER_QUARTILE: AgentColumn = AgentColumn::data("upper_quartile", |agent| {
    agent.summary.upper_quartile.into()
});
const INTERQUARTILE_RANGE: AgentColumn = AgentColumn::text(
    "IQR",
    Text::Numbers(|agent| {
        let summary = &agent.summary;
        range(summary.lower_quartile.zip(summary.upper_quartile))
    }),
    "The interquartile range: the middle half of its games scored between these.",
);
const BEST: AgentColumn = AgentColumn::data("max", |agent| agent.summary.best.into()).shown(
    "Best",
    Text::Count,
    "The highest score of its games.",
);
const HIGHEST: AgentColumn = AgentColumn::data("highest", |agent| agent.summary.highest.into())
    .shown(
        "Highest tile",
        Text::Numbers(|agent| {
            let highest = agent.summary.highest;
            highest.map_or(NONE.into(), |tile| tile.to_string())
        }),
        "The highest tile on any of its boards.",
    );

const REACHED: AgentColumn = AgentColumn::text(
    "Reached",
    Text::Estimate(|agent| {
        let rate = agent.summary.goal.filter(|rate| rate.games > 0);
        let interval = rate.and_then(|rate| rate.interval);
        (Measure::Reach, (rate.map(|rate| rate.rate), interval))
    }),
    "The share of its games that reached the goal, with its confidence interval.",
);
const MOVES_TO_GOAL: AgentColumn =
    AgentColumn::data("moves_to_goal", |agent| agent.summary.moves_to_goal.into()).shown(
        "in moves",
        Text::Estimate(|agent| {
            let summary = &agent.summary;
            let moves = (summary.moves_to_goal, summary.moves_to_goal_interval);
            (Measure::Moves, moves)
        }),
        "The mean number of moves of the games that reached the goal.",
    );
const MEAN_MOVES: AgentColumn =
    AgentColumn::data("mean_moves", |agent| agent.summary.mean_moves.into()).shown(
        "Moves",
        Text::Number(amount),
        "The mean number of moves of a game.",
    );

const CPU_PER_MOVE: AgentColumn =
    AgentColumn::data("cpu_ms_per_move", |agent| agent.time.cpu_ms_per_move.into()).shown(
        "CPU/move",
        Text::Number(milliseconds),
        "The mean CPU time of a move.",
    );
const CPU_PER_GAME: AgentColumn =
    AgentColumn::data("cpu_ms_per_game", |agent| agent.time.cpu_ms_per_game.into()).shown(
        "CPU/game",
        Text::Number(milliseconds),
        "The mean CPU time of a game.",
    );
const MOVES_PER_CPU_SECOND: AgentColumn = AgentColumn::data("moves_per_cpu_second", |agent| {
    agent.time.moves_per_cpu_second.into()
})
.shown(
    "Moves/CPU-s",
    Text::Number(amount),
    "The moves per second of CPU time.",
);
const WALL_PER_MOVE: AgentColumn = AgentColumn::data("wall_ms_per_move", |agent| {
    agent.time.wall_ms_per_move.into()
})
.shown(
    "Wall/move",
    Text::Number(milliseconds),
    "The mean wall time of a move.",
);
const MEDIAN_TIME: AgentColumn =
    AgentColumn::data("move_us_median", |agent| agent.time.median_us.into()).shown(
        "Median",
        Text::Number(estimated),
        "Half of its moves took at most this CPU time.",
    );
const P99_TIME: AgentColumn = AgentColumn::data("move_us_p99", |agent| agent.time.p99_us.into())
    .shown(
        "p99",
        Text::Number(estimated),
        "99 of 100 moves took at most this CPU time.",
    );
const SLOWEST_MOVE: AgentColumn =
    AgentColumn::data("move_us_max", |agent| agent.time.max_us.into()).shown(
        "Max",
        Text::Numbers(|agent| match agent.time.median_us {
            Some(_) => microseconds(agent.time.max_us),
            None => NONE.into(),
        }),
        "The slowest move, on the clock of the budget.",
    );
const BUDGET_SHARE: AgentColumn =
    AgentColumn::data("budget_share", |agent| agent.time.budget_share.into()).shown(
        "Used",
        Text::Number(percent),
        "The share of the budget that its moves used. The bank allows slightly more than 100%.",
    );
const OVERRUNS: AgentColumn = AgentColumn::data("overruns", |agent| agent.time.overruns.into())
    .shown("Overruns", Text::Count, "Moves that emptied the bank.");
const OVERDRAWN: AgentColumn = AgentColumn::text(
    "Overdrawn",
    Text::Numbers(|agent| microseconds(as_f64(agent.time.overdrawn_us))),
    "The time that it used beyond the time per move and the bank.",
);
const THREADS: AgentColumn = AgentColumn::data("threads", |agent| agent.time.threads.into()).shown(
    "Threads",
    Text::Count,
    "The most threads of its worker.",
);
const NODES_PER_CPU_MS: AgentColumn = AgentColumn::data("nodes_per_cpu_ms", |agent| {
    agent.time.nodes_per_cpu_ms.into()
})
.shown(
    "Nodes/CPU-ms",
    Text::Number(amount),
    "The nodes that it says to have searched per millisecond of CPU time.",
);

const FAULTS: AgentColumn = AgentColumn::data("faults", |agent| agent.summary.n_faults().into())
    .shown(
        "Faults",
        Text::Count,
        "Games that ended with a fault. They count with the score at that point.",
    );
const DISQUALIFIED: AgentColumn =
    AgentColumn::data("disqualified", |agent| agent.disqualified.is_some().into());

/// The keys of an agent in JSON, in three groups. Structures stand between them.
pub(crate) const JSON_PLACE: &[AgentColumn] = &[
    RANK,
    AgentColumn::data("rank_best", |agent| {
        agent.rank_range.map(|range| range.best).into()
    }),
    AgentColumn::data("rank_worst", |agent| {
        agent.rank_range.map(|range| range.worst).into()
    }),
    NAME,
];
pub(crate) const JSON_SCORES: &[AgentColumn] = &[
    GAMES,
    AgentColumn::data("few", |agent| agent.summary.few.into()),
    MEAN,
    MEAN_LOW,
    MEAN_HIGH,
    LOWER_QUARTILE,
    MEDIAN,
    UPPER_QUARTILE,
    BEST,
    HIGHEST,
];
pub(crate) const JSON_MOVES_AND_TIMES: &[AgentColumn] = &[
    MOVES_TO_GOAL,
    MEAN_MOVES,
    CPU_PER_MOVE,
    WALL_PER_MOVE,
    MEDIAN_TIME,
    P99_TIME,
    SLOWEST_MOVE,
    BUDGET_SHARE,
    OVERRUNS,
    THREADS,
    AgentColumn::data("nodes", |agent| agent.time.nodes.into()),
    NODES_PER_CPU_MS,
    CPU_PER_GAME,
    MOVES_PER_CPU_SECOND,
];

/// The CSV file of the ranking, between the budget and the rates of tiles.
pub(crate) const CSV: &[AgentColumn] = &[
    RANK,
    NAME.keyed("agent"),
    GAMES,
    MEAN,
    MEAN_LOW,
    MEAN_HIGH,
    LOWER_QUARTILE,
    MEDIAN,
    UPPER_QUARTILE,
    BEST,
    HIGHEST,
    MEAN_MOVES,
    MOVES_TO_GOAL,
    CPU_PER_MOVE,
    FAULTS,
    DISQUALIFIED,
    // The reason of a submission that does not play.
    AgentColumn::data("left_out", |_| Value::Missing),
];

/// What the tables of trials end with.
pub(crate) const SPEED_OF_PLAY: &[AgentColumn] = &[
    MEAN.shown("Mean", Text::Number(amount), "The mean score of its games."),
    CPU_PER_GAME,
    MOVES_PER_CPU_SECOND,
];

/// The facts about an agent on the page of its author, after those that decide its rank.
pub(crate) const PARTICIPANT_PAGE: &[(&str, AgentColumn)] = &[
    ("Median score", MEDIAN),
    ("Best score", BEST),
    ("Highest tile", HIGHEST),
    ("CPU time per move", CPU_PER_MOVE),
];

/// The ranking with the figures of each agent.
pub(crate) fn ranked_table(part: &BudgetReport, goal: Option<u64>) -> Grid {
    let agents = &part.agents;
    let level = percent_with_digits(part.confidence.level);
    let column = columns_of(part, &level);
    let mut columns = vec![column(&RANK, KEEP)];
    if !agents.iter().all(|agent| rank_is_precise(agent, agents)) {
        columns.push(column(&RANK_RANGE, 40));
    }
    columns.extend([column(&NAME, KEEP), column(&GAMES, 90)]);
    // The figures that decide come first.
    match goal {
        None => columns.extend([column(&MEAN, KEEP), column(&MEDIAN, 60)]),
        Some(goal) => columns.extend([
            column(&REACHED, KEEP).with_header(format!("Reached {goal} [{level}]")),
            column(&MOVES_TO_GOAL, 95),
            column(&MEAN, 20),
            column(&MEDIAN, 18),
        ]),
    }
    columns.extend([column(&INTERQUARTILE_RANGE, 10), column(&BEST, 50)]);
    columns.extend(tile_columns(agents, goal));
    let any_fault = agents.iter().any(|agent| agent.summary.n_faults() > 0);
    columns.extend([
        column(&MEAN_MOVES, 30),
        column(&CPU_PER_MOVE, 65),
        column(&FAULTS, if any_fault { 85 } else { 15 }),
    ]);
    let is_first = |row: &usize| agents[*row].rank == Some(1);
    Grid {
        columns,
        bold_rows: (0..agents.len()).filter(is_first).collect(),
    }
}

/// Columns with a row per agent, in the order of the ranking.
fn columns_of<'r>(
    part: &'r BudgetReport,
    level: &'r str,
) -> impl Fn(&AgentColumn, u8) -> TextColumn + 'r {
    let agents: Vec<&AgentReport> = part.agents.iter().collect();
    move |column, importance| column.of(&agents, importance, Some(level))
}

/// The most informative tiles are the most important columns.
fn tile_columns(agents: &[AgentReport], goal: Option<u64>) -> Vec<TextColumn> {
    let tiles = highest_informative_tiles(agents, goal);
    tiles
        .iter()
        .map(|(tile, distance)| {
            let n_less = tiles.iter().filter(|(_, other)| other < distance).count();
            let importance = 80 + u8::try_from(n_less).unwrap_or(0);
            let rates = agents
                .iter()
                .map(|agent| match agent.summary.reach.get(tile) {
                    Some(rate) if rate.games > 0 => percent(rate.rate),
                    _ => NONE.to_owned(),
                });
            TextColumn::right(tile.to_string(), importance, rates)
                .with_help("The share of its games that reached this tile or a higher one.")
        })
        .collect()
}

pub(crate) const ENDS: &str = "How games end (medians; crowded: moves with fewer than \
     a quarter of the cells empty; lost ≤ N: share of losses within N moves of a new highest tile)";

/// How the games of each agent end.
pub(crate) fn end_table(part: &BudgetReport) -> Grid {
    let agents = &part.agents;
    let column = columns_of(part, "");
    let mut columns = vec![
        column(&NAME, KEEP),
        column(&ALL_GAMES, 60),
        column(&MOST_OFTEN_AT, KEEP),
        column(&MEDIAN_MOVES, 90),
        column(&RANGE_OF_MOVES, 30),
    ];
    // Records of hosts up to 1.0.0 lack these.
    if agents
        .iter()
        .any(|agent| agent.ends.since_highest.is_some())
    {
        columns.extend([column(&SINCE_HIGHEST, 85), column(&CROWDED_MOVES, 80)]);
        for (importance, moves) in (70..).zip(MOVES_AFTER) {
            let shares = agents.iter().map(|agent| {
                let rate = agent.ends.lost_within.get(&moves);
                rate.map_or(NONE.into(), |rate| percent(rate.rate))
            });
            columns.push(TextColumn::right(
                format!("Lost ≤ {moves}"),
                importance,
                shares,
            ));
        }
    }
    let is_trivial = agents
        .iter()
        .all(|agent| agent.ends.empty_cells == Some(0.0));
    if !is_trivial {
        columns.push(column(&EMPTY_CELLS, 40));
    }
    columns.push(column(&FAULTS, 65));
    Grid::new(columns)
}

const ALL_GAMES: AgentColumn = AgentColumn::text(
    "Games",
    Text::Numbers(|agent| count(agent.ends.games as u64)),
    "The games that count.",
);
const MOST_OFTEN_AT: AgentColumn = AgentColumn::text(
    "Most often at",
    Text::Numbers(|agent| match agent.ends.usual_highest() {
        Some((tile, share)) => format!("{tile} ({})", percent(share)),
        None => NONE.to_owned(),
    }),
    "The most frequent highest tile, and its share of the games.",
);
const MEDIAN_MOVES: AgentColumn = AgentColumn::text(
    "Moves",
    Text::Numbers(|agent| median(agent.ends.moves)),
    "Half of its games had at most so many moves.",
);
const RANGE_OF_MOVES: AgentColumn = AgentColumn::text(
    "IQR",
    Text::Numbers(|agent| range(agent.ends.moves.map(|moves| (moves.lower, moves.upper)))),
    "The interquartile range: the middle half of its games had so many moves.",
);
const SINCE_HIGHEST: AgentColumn = AgentColumn::text(
    "Since highest",
    Text::Numbers(|agent| median(agent.ends.since_highest)),
    "Of lost games, the median number of moves since the highest tile was made.",
);
const CROWDED_MOVES: AgentColumn = AgentColumn::text(
    "Crowded",
    Text::Numbers(|agent| median(agent.ends.crowded_moves)),
    "Of lost games, the median number of moves since the board last had a quarter of its cells \
     empty.",
);
const EMPTY_CELLS: AgentColumn = AgentColumn::text(
    "Empty cells",
    Text::Numbers(|agent| {
        let mean = agent.ends.empty_cells;
        mean.map_or(NONE.into(), |mean| decimals(mean, 1))
    }),
    "The mean number of empty cells on the last board.",
);

/// The time per move of each agent, so that readers can check that budgets were equal.
pub(crate) fn time_table(part: &BudgetReport) -> Grid {
    let column = columns_of(part, "");
    let mut columns = vec![column(&NAME, KEEP)];
    if let Some(per_move) = part.budget.per_move() {
        let budget = microseconds(per_move.as_secs_f64() * 1e6);
        let cells = part.agents.iter().map(|_| budget.clone());
        columns.push(TextColumn::right("Budget", 30, cells));
        columns.push(column(&BUDGET_SHARE, 100));
    }
    columns.extend([
        column(&MEDIAN_TIME, 80),
        column(&P99_TIME, 70),
        column(&SLOWEST_MOVE, 90),
        column(&CPU_PER_MOVE, 60),
        column(&WALL_PER_MOVE, 50),
        column(&OVERRUNS, 85),
        column(&OVERDRAWN, 20),
        column(&THREADS, 40),
        column(&NODES_PER_CPU_MS, 45),
    ]);
    Grid::new(columns)
}

/// The rank, or why there is none.
pub(crate) fn rank(agent: &AgentReport) -> String {
    match (agent.rank, &agent.disqualified) {
        (Some(rank), _) => rank.to_string(),
        (None, Some(_)) => "out".to_owned(),
        (None, None) => NONE.to_owned(),
    }
}

/// Whether the rank range of the agent is exactly the ranks that agents on its rank share.
fn rank_is_precise(agent: &AgentReport, agents: &[AgentReport]) -> bool {
    let n_sharing = agents.iter().filter(|a| a.rank == agent.rank).count();
    let (Some(rank), Some(range)) = (agent.rank, agent.rank_range) else {
        return true;
    };
    (range.best, range.worst) == (rank, rank + n_sharing - 1)
}

fn rank_range(agent: &AgentReport) -> String {
    match agent.rank_range {
        Some(range) if range.best == range.worst => range.best.to_string(),
        Some(range) => format!("{}–{}", range.best, range.worst),
        None => NONE.to_owned(),
    }
}

fn games(agent: &AgentReport) -> String {
    let games = count(agent.summary.games as u64);
    if agent.summary.few {
        format!("{games} (n < {FEW_GAMES})")
    } else {
        games
    }
}

fn range(ends: Option<(f64, f64)>) -> String {
    match ends {
        Some((low, high)) => format!("{}–{}", amount(low), amount(high)),
        None => NONE.to_owned(),
    }
}

fn median(quartiles: Option<Quartiles>) -> String {
    quartiles.map_or(NONE.into(), median_text)
}

/// A quantile is an estimate: records have a histogram of times, not the times. Its first bucket
/// has all times below a microsecond.
fn estimated(quantile: f64) -> String {
    if quantile < 1.0 {
        "< 1 µs".into()
    } else {
        format!("≈ {}", microseconds(quantile))
    }
}

fn milliseconds(time: f64) -> String {
    microseconds(time * 1e3)
}
