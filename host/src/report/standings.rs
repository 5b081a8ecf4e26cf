//! How far every agent has come while a tournament is played, and how it did so far.

use std::{collections::BTreeMap, time::Duration};

use super::number_text::{amount, count, percent};
use crate::{
    game_record::GameRecord,
    run_plan::RunPlan,
    statistics::as_f64,
    tournament_runner::{Contender, GamesOfContenders},
};

/// A line names no more than this many agents.
const MOST_IN_A_LINE: usize = 8;

/// The progress of every agent under every budget.
#[derive(Clone, Debug)]
pub struct Standings {
    contenders: BTreeMap<Contender, Progress>,
    n_agents: usize,
    n_budgets: usize,
    goal: Option<u64>,
}

#[derive(Clone, Debug)]
struct Progress {
    label: String,
    n_games: u64,
    n_ended: u64,
    /// All games, those of earlier executions too.
    n_known: u64,
    /// Of scores, or of games that reached the goal.
    sum: u64,
}

impl Standings {
    /// Before the first game.
    #[must_use]
    pub fn new(plan: &RunPlan) -> Self {
        let budgets = &plan.tournament.budgets;
        let mut contenders = BTreeMap::new();
        for (budget, of_budget) in budgets.iter().enumerate() {
            for (agent, entrant) in plan.entrants.iter().enumerate() {
                let label = if budgets.len() == 1 {
                    entrant.name.clone()
                } else {
                    format!("{} ({})", entrant.name, of_budget.label())
                };
                let progress = Progress {
                    label,
                    n_games: 0,
                    n_ended: 0,
                    n_known: 0,
                    sum: 0,
                };
                contenders.insert(Contender { budget, agent }, progress);
            }
        }
        Self {
            contenders,
            n_agents: plan.entrants.len(),
            n_budgets: budgets.len(),
            goal: plan.tournament.goal,
        }
    }

    /// Begins to count how many of these games have ended.
    pub fn start(&mut self, games: &GamesOfContenders) {
        for (contender, progress) in &mut self.contenders {
            progress.n_games = games.get(contender).copied().unwrap_or(0);
            progress.n_ended = 0;
        }
    }

    /// Takes note of a game that was played before.
    pub fn remember(&mut self, record: &GameRecord) {
        let worth = match self.goal {
            Some(goal) => u64::from(record.highest >= goal),
            None => record.score,
        };
        if let Some(progress) = self.contenders.get_mut(&self.contender_of(record)) {
            progress.n_known += 1;
            progress.sum += worth;
        }
    }

    /// Takes note of a game that has ended now.
    pub fn ended(&mut self, record: &GameRecord) {
        self.remember(record);
        if let Some(progress) = self.contenders.get_mut(&self.contender_of(record)) {
            progress.n_ended += 1;
        }
    }

    /// A disqualified agent plays no further game.
    pub fn drop_out(&mut self, contender: Contender, n_games: u64) {
        if let Some(progress) = self.contenders.get_mut(&contender) {
            progress.n_games = progress.n_games.saturating_sub(n_games);
        }
    }

    /// See `GamePlan` for the order of games.
    #[must_use]
    pub fn contender_of(&self, record: &GameRecord) -> Contender {
        let per_seed = (self.n_agents * self.n_budgets).max(1);
        let index = usize::try_from(record.game % per_seed as u64).unwrap_or(0);
        Contender {
            agent: index % self.n_agents.max(1),
            budget: index / self.n_agents.max(1),
        }
    }

    #[must_use]
    pub fn n_games(&self) -> u64 {
        self.contenders.values().map(|p| p.n_games).sum()
    }

    #[must_use]
    pub fn n_ended(&self) -> u64 {
        self.contenders.values().map(|p| p.n_ended).sum()
    }

    /// Those that have games to play: name, games ended, games, and how they do.
    pub fn rows(&self) -> impl Iterator<Item = (Contender, &str, u64, u64, String)> {
        let playing = self.contenders.iter().filter(|(_, p)| p.n_games > 0);
        playing.map(|(contender, progress)| {
            let figure = self.figure(progress);
            let label = progress.label.as_str();
            (
                *contender,
                label,
                progress.n_ended,
                progress.n_games,
                figure,
            )
        })
    }

    /// How far all are, and when each will be done if it goes on as it went.
    #[must_use]
    pub fn progress_line(&self, elapsed: Duration) -> String {
        let (n_ended, n_games) = (self.n_ended(), self.n_games());
        let mut unfinished: Vec<(&Progress, Option<Duration>)> = self
            .contenders
            .values()
            .filter(|progress| progress.n_ended < progress.n_games)
            .map(|progress| {
                let left = time_left(elapsed, progress.n_ended, progress.n_games);
                (progress, left)
            })
            .collect();
        // Who keeps the others waiting comes first; who has played nothing yet before all.
        unfinished.sort_by_key(|(_, left)| std::cmp::Reverse(left.unwrap_or(Duration::MAX)));
        let mut agents: Vec<String> = unfinished
            .iter()
            .take(MOST_IN_A_LINE)
            .map(|(progress, left)| {
                let left = left.map_or("?".to_owned(), in_words);
                format!(
                    "{} {}/{}, {left}",
                    progress.label, progress.n_ended, progress.n_games
                )
            })
            .collect();
        if unfinished.len() > MOST_IN_A_LINE {
            agents.push(format!("{} more", unfinished.len() - MOST_IN_A_LINE));
        }
        let left = match time_left(elapsed, n_ended, n_games) {
            Some(left) if n_ended < n_games => format!(", about {} left", in_words(left)),
            _ => String::new(),
        };
        let agents = if agents.is_empty() {
            String::new()
        } else {
            format!(" ({})", agents.join("; "))
        };
        format!(
            "{}/{} games in {}{left}{agents}",
            count(n_ended),
            count(n_games),
            in_words(elapsed)
        )
    }

    /// Who leads so far; `None` before the first game.
    #[must_use]
    pub fn standings_line(&self) -> Option<String> {
        let mut known: Vec<&Progress> = self
            .contenders
            .values()
            .filter(|progress| progress.n_known > 0)
            .collect();
        known.sort_by(|a, b| b.average().total_cmp(&a.average()));
        let mut agents: Vec<String> = known
            .iter()
            .take(MOST_IN_A_LINE)
            .map(|progress| {
                let figure = self.figure(progress);
                format!("{} {figure} in {}", progress.label, count(progress.n_known))
            })
            .collect();
        if known.len() > MOST_IN_A_LINE {
            agents.push(format!("{} more", known.len() - MOST_IN_A_LINE));
        }
        let what = match self.goal {
            Some(goal) => format!("reached {goal}"),
            None => "mean score".to_owned(),
        };
        (!agents.is_empty()).then(|| format!("so far, {what}: {}", agents.join("; ")))
    }

    fn figure(&self, progress: &Progress) -> String {
        match (progress.n_known, self.goal) {
            (0, _) => String::new(),
            (_, Some(_)) => percent(progress.average()),
            (_, None) => amount(progress.average()),
        }
    }
}

impl Progress {
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
    use crate::report::example::record;

    fn standings(goal: Option<u64>) -> Standings {
        let progress = |label: &str| Progress {
            label: label.into(),
            n_games: 0,
            n_ended: 0,
            n_known: 0,
            sum: 0,
        };
        let contender = |agent| Contender { agent, budget: 0 };
        let mut standings = Standings {
            contenders: [
                (contender(0), progress("slow")),
                (contender(1), progress("fast")),
            ]
            .into(),
            n_agents: 2,
            n_budgets: 1,
            goal,
        };
        standings.start(&[(contender(0), 4), (contender(1), 4)].into());
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
    fn a_line_tells_when_each_agent_will_be_done() {
        let line = standings(None).progress_line(Duration::from_mins(1));
        assert_eq!(
            line,
            "3/8 games in 1 min 0 s, about 1 min 40 s left \
             (slow 1/4, 3 min 0 s; fast 2/4, 1 min 0 s)"
        );
    }

    #[test]
    fn a_line_tells_who_leads() {
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
    fn who_is_disqualified_keeps_nobody_waiting() {
        let mut standings = standings(None);
        standings.drop_out(
            Contender {
                agent: 0,
                budget: 0,
            },
            3,
        );
        let line = standings.progress_line(Duration::from_mins(1));
        assert_eq!(
            line,
            "3/5 games in 1 min 0 s, about 40 s left (fast 2/4, 1 min 0 s)"
        );
    }
}
