//! The progress of a tournament: how many games each agent has played, and with what result.

use std::{collections::BTreeMap, time::Duration};

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

    /// The progress of all agents, and the expected time left. Agents play in turns, so no time
    /// is known for each of them.
    #[must_use]
    pub(super) fn progress_line(&self, elapsed: Duration) -> String {
        let mut unfinished: Vec<&SeriesProgress> = self
            .series
            .values()
            .filter(|progress| progress.n_ended < progress.n_games)
            .collect();
        // The slowest agent first.
        let share = |progress: &SeriesProgress| as_f64(progress.n_ended) / as_f64(progress.n_games);
        unfinished.sort_by(|a, b| share(a).total_cmp(&share(b)));
        let agents = unfinished.iter().map(|progress| {
            let (n_ended, n_games) = (progress.n_ended, progress.n_games);
            format!("{} {n_ended}/{n_games}", progress.label)
        });
        let agents = first_items(agents, unfinished.len(), MOST_IN_A_LINE);
        let agents = if agents.is_empty() {
            String::new()
        } else {
            format!(" ({})", agents.join("; "))
        };
        let (n_ended, n_games) = (self.n_ended(), self.n_games());
        let left = match time_left(elapsed, n_ended, n_games) {
            Some(left) if n_ended < n_games => format!(", about {} left", in_words(left)),
            _ => String::new(),
        };
        format!(
            "{}/{} games in {}{left}{agents}",
            count(n_ended),
            count(n_games),
            in_words(elapsed)
        )
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

fn time_left(elapsed: Duration, n_ended: u64, n_games: u64) -> Option<Duration> {
    let n_left = n_games.saturating_sub(n_ended);
    (n_ended > 0).then(|| elapsed.mul_f64(as_f64(n_left) / as_f64(n_ended)))
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

    fn standings(goal: Option<u64>) -> Standings {
        let progress = |label: &str| SeriesProgress {
            label: label.into(),
            n_games: 0,
            n_ended: 0,
            n_known: 0,
            sum: 0,
        };
        let series = |agent| Series { agent, budget: 0 };
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
                ..record("", 1, score)
            };
            standings.ended(&record);
        }
        standings
    }

    #[test]
    fn a_line_names_the_slowest_agent_first() {
        let line = standings(None).progress_line(Duration::from_mins(1));
        assert_eq!(
            line,
            "3/8 games in 1 min 0 s, about 1 min 40 s left \
             (slow 1/4; fast 2/4)"
        );
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
        let line = standings.progress_line(Duration::from_mins(1));
        assert_eq!(line, "3/5 games in 1 min 0 s, about 40 s left (fast 2/4)");
    }
}
