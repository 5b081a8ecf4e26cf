//! The progress of a tournament: how many games each agent has played, and with what result.

use std::{collections::BTreeMap, time::Duration};

use play::runner::Playing;
use run::{
    game_plan::{GamePlan, GamesOfSeries, Series},
    game_record::GameRecord,
    leftovers::Tally,
    run_plan::RunPlan,
};
use statistics::as_f64;
use text::{
    listing::first_items,
    number_text::{amount, count, percent},
};

/// The most agents that a line names.
const MOST_IN_A_LINE: usize = 8;

/// A shorter time left is not shown: the last game may take longer than those before.
const SHORTEST_LEFT: Duration = Duration::from_secs(1);

/// After so long without the end of a game, the line shows one that is played.
const QUIET: Duration = Duration::from_secs(2);

/// When a line about the progress is written.
pub(super) struct Moment<'a> {
    pub(super) elapsed: Duration,
    pub(super) since_last_end: Duration,
    pub(super) n_workers: usize,
    /// What the games are played up to: a look of a race, or nothing.
    pub(super) aim: &'a str,
    /// In the order of the plan.
    pub(super) playing: &'a [Playing],
}

/// The progress of every agent under every budget.
#[derive(Clone, Debug)]
pub(super) struct Standings {
    series: BTreeMap<Series, SeriesProgress>,
    games: GamePlan,
    goal: Option<u64>,
}

#[derive(Clone, Debug)]
struct SeriesProgress {
    label: String,
    n_games: u64,
    n_ended: u64,
    /// All games, including those of earlier executions.
    n_known: u64,
    /// How long the games took that have ended.
    time: Duration,
    /// The sum of scores, or the number of games that reached the goal.
    sum: u64,
}

impl Standings {
    /// Before the first game.
    #[must_use]
    pub(super) fn new(plan: &RunPlan) -> Self {
        let mut series = BTreeMap::new();
        for budget in 0..plan.tournament.budgets.len() {
            for (index, agent) in plan.agents.iter().enumerate() {
                let label = match plan.budget_label(budget) {
                    Some(label) => format!("{} ({label})", agent.name),
                    None => agent.name.clone(),
                };
                let progress = SeriesProgress {
                    label,
                    n_games: 0,
                    n_ended: 0,
                    n_known: 0,
                    time: Duration::ZERO,
                    sum: 0,
                };
                let place = Series {
                    budget,
                    agent: index,
                };
                series.insert(place, progress);
            }
        }
        Self {
            series,
            games: plan.games(),
            goal: plan.tournament.ranking_goal(),
        }
    }

    /// Starts counting these games.
    pub(super) fn start(&mut self, games: &GamesOfSeries) {
        for (series, progress) in &mut self.series {
            progress.n_games = games.get(series).copied().unwrap_or(0);
            progress.n_ended = 0;
            progress.time = Duration::ZERO;
        }
    }

    /// Counts the games of earlier executions.
    pub(super) fn remember(&mut self, series: Series, tally: Tally) {
        let sum = match self.goal {
            Some(_) => tally.n_goals,
            None => tally.sum_of_scores,
        };
        if let Some(progress) = self.series.get_mut(&series) {
            progress.n_known += tally.n_games;
            progress.sum = progress.sum.saturating_add(sum);
        }
    }

    /// Counts a game that has just ended.
    pub(super) fn ended(&mut self, record: &GameRecord) {
        self.remember(self.series_of(record), Tally::of(record, self.goal));
        if let Some(progress) = self.series.get_mut(&self.series_of(record)) {
            progress.n_ended += 1;
            let milliseconds = record.setup_ms + record.wall_ms;
            progress.time += Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default();
        }
    }

    /// Removes the remaining games of a disqualified agent.
    pub(super) fn drop_out(&mut self, series: Series, n_games: u64) {
        if let Some(progress) = self.series.get_mut(&series) {
            progress.n_games = progress.n_games.saturating_sub(n_games);
        }
    }

    /// The series that a record belongs to.
    #[must_use]
    pub(super) fn series_of(&self, record: &GameRecord) -> Series {
        self.games.series_of(record.game)
    }

    #[must_use]
    pub(super) fn n_games(&self) -> u64 {
        self.series.values().map(|p| p.n_games).sum()
    }

    #[must_use]
    pub(super) fn n_ended(&self) -> u64 {
        self.series.values().map(|p| p.n_ended).sum()
    }

    /// The series with games to play: label, games ended, games, and the result so far.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Series, &str, u64, u64, String)> {
        let playing = self.series.iter().filter(|(_, p)| p.n_games > 0);
        playing.map(|(series, progress)| {
            let figure = self.figure(progress);
            let label = progress.label.as_str();
            (*series, label, progress.n_ended, progress.n_games, figure)
        })
    }

    /// How many games have ended, and the expected time left. Without an expectation, the game that
    /// has been played for longest shows that something happens.
    #[must_use]
    pub(super) fn progress_line(&self, moment: &Moment<'_>) -> String {
        let (n_ended, n_games) = (self.n_ended(), self.n_games());
        let so_far = format!(
            "{}/{} games{} in {}",
            count(n_ended),
            count(n_games),
            moment.aim,
            in_words(moment.elapsed)
        );
        let left = self.time_left(moment.n_workers);
        let left = left.map(|left| left.saturating_sub(moment.since_last_end));
        match (left, moment.playing.first()) {
            _ if n_ended >= n_games => so_far,
            (Some(left), _) if left >= SHORTEST_LEFT => {
                format!("{so_far}, about {} left", in_words(left))
            }
            (_, Some(playing)) if moment.since_last_end >= QUIET => format!(
                "{so_far}; playing: {} on seed {}, move {}, score {}",
                self.label(playing.game.series()),
                playing.game.seed,
                count(playing.n_moves),
                count(playing.score)
            ),
            _ => so_far,
        }
    }

    fn label(&self, series: Series) -> &str {
        self.series
            .get(&series)
            .map_or("", |progress| progress.label.as_str())
    }

    /// The expected time left: as long as the games of each series took so far. `None` until one of
    /// each has ended, because agents differ by orders of magnitude.
    fn time_left(&self, n_workers: usize) -> Option<Duration> {
        let mut all = Duration::ZERO;
        let mut longest = Duration::ZERO;
        for progress in self.series.values() {
            let n_left = progress.n_games.saturating_sub(progress.n_ended);
            if n_left == 0 {
                continue;
            }
            if progress.n_ended == 0 {
                return None;
            }
            let of_a_game = progress.time.div_f64(as_f64(progress.n_ended));
            all += of_a_game.mul_f64(as_f64(n_left));
            longest = longest.max(of_a_game);
        }
        Some(all.div_f64(as_f64(n_workers.max(1) as u64)).max(longest))
    }

    /// The leaders so far; `None` before the first game.
    #[must_use]
    pub(super) fn standings_line(&self) -> Option<String> {
        let mut known: Vec<&SeriesProgress> = self
            .series
            .values()
            .filter(|progress| progress.n_known > 0)
            .collect();
        known.sort_by(|a, b| b.average().total_cmp(&a.average()));
        let agents = known.iter().map(|progress| {
            let figure = self.figure(progress);
            format!("{} {figure} in {}", progress.label, count(progress.n_known))
        });
        let agents = first_items(agents, known.len(), MOST_IN_A_LINE);
        let what = match self.goal {
            Some(goal) => format!("reached {goal}"),
            None => "mean score".to_owned(),
        };
        (!agents.is_empty()).then(|| format!("so far, {what}: {}", agents.join("; ")))
    }

    fn figure(&self, progress: &SeriesProgress) -> String {
        match (progress.n_known, self.goal) {
            (0, _) => String::new(),
            (_, Some(_)) => percent(progress.average()),
            (_, None) => amount(progress.average()),
        }
    }
}

impl SeriesProgress {
    fn average(&self) -> f64 {
        as_f64(self.sum) / as_f64(self.n_known.max(1))
    }
}

/// `42 s`, `3 min 20 s`, `2 h 5 min`.
fn in_words(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::example::{plan, record};

    fn series(agent: usize) -> Series {
        Series { agent, budget: 0 }
    }

    fn standings(goal: Option<u64>) -> Standings {
        let progress = |label: &str| SeriesProgress {
            label: label.into(),
            n_games: 0,
            n_ended: 0,
            n_known: 0,
            time: Duration::ZERO,
            sum: 0,
        };
        let mut standings = Standings {
            series: [(series(0), progress("slow")), (series(1), progress("fast"))].into(),
            games: plan(4, &["slow", "fast"]).games(),
            goal,
        };
        standings.start(&[(series(0), 4), (series(1), 4)].into());
        for (game, score) in [(0, 3_000), (1, 1_000), (3, 2_001)] {
            let record = GameRecord {
                game,
                highest: score / 10,
                setup_ms: 0.0,
                wall_ms: if game == 0 { 30_000.0 } else { 3_000.0 },
                ..record("", 1, score)
            };
            standings.ended(&record);
        }
        standings
    }

    fn line(standings: &Standings, since_last_end: u64, playing: &[Playing]) -> String {
        standings.progress_line(&Moment {
            elapsed: Duration::from_mins(1),
            since_last_end: Duration::from_secs(since_last_end),
            n_workers: 2,
            aim: "",
            playing,
        })
    }

    #[test]
    fn the_time_left_is_that_of_the_games_of_each_agent() {
        // Three games of 30 s and two of 3 s, two at a time, less than the second one of `slow`.
        assert_eq!(
            line(&standings(None), 10, &[]),
            "3/8 games in 1 min 0 s, about 38 s left"
        );
        // The last games take longer than expected.
        assert_eq!(line(&standings(None), 48, &[]), "3/8 games in 1 min 0 s");
    }

    #[test]
    fn without_an_expectation_a_long_game_shows_its_move_and_score() {
        let mut standings = standings(None);
        standings.start(&[(series(0), 4), (series(1), 4)].into());
        let playing = Playing {
            game: standings.games.game(0).expect("a game"),
            n_moves: 3_210,
            score: 58_000,
        };
        assert_eq!(
            line(&standings, 60, &[playing]),
            "0/8 games in 1 min 0 s; playing: slow on seed 1, move 3,210, score 58,000"
        );
        assert_eq!(line(&standings, 60, &[]), "0/8 games in 1 min 0 s");
    }

    #[test]
    fn a_line_shows_the_leader() {
        assert_eq!(
            standings(None).standings_line().unwrap(),
            "so far, mean score: slow 3,000 in 1; fast 1,500 in 2"
        );
        assert_eq!(
            standings(Some(200)).standings_line().unwrap(),
            "so far, reached 200: slow 100% in 1; fast 50.0% in 2"
        );
    }

    #[test]
    fn the_games_of_a_disqualified_agent_are_not_waited_for() {
        let mut standings = standings(None);
        standings.drop_out(
            Series {
                agent: 0,
                budget: 0,
            },
            3,
        );
        assert_eq!(
            line(&standings, 0, &[]),
            "3/5 games in 1 min 0 s, about 3 s left"
        );
    }
}
