//! The progress of a tournament: bars on a terminal, lines in a file or pipe.
//!
//! A terminal shows one bar per agent, with its games and its result so far, and the time left
//! for all games. A file or pipe gets lines for `tail -f`: total progress with the time left, the
//! games of each agent, and from time to time the standings.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, IsTerminal, Write},
    num::NonZeroUsize,
    time::{Duration, Instant, SystemTime},
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use play::runner::Event;
use run::{
    counted::used_up_limit,
    game_plan::{GamesOfSeries, Series},
    game_record::Ending,
    leftovers::Leftovers,
    run_plan::RunPlan,
    stderr_files::shown,
};
use text::{
    duration_text::format_duration,
    number_text::counted,
    printable::printable_lines,
    timestamp::timestamp,
    wrap::{fitted, marked_rows, wrapped},
};
use tournament::Overrun;
use worker::sandbox::is_missing_layer_announced;

use super::standings::Standings;
use crate::command::stderr_width;

/// How often a line is printed in the first minute if there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How often a line is printed later, together with the standings.
const LATER_LINE_EVERY: Duration = Duration::from_mins(1);

/// How many lines of an agent's stderr are shown after a fault.
const LINES_SHOWN: usize = 3;

/// The widest line about the progress in a file or pipe.
const WIDEST_LINE: usize = 100;

pub(super) struct RunProgress {
    bars: Option<Bars>,
    standings: Standings,
    name: String,
    n_agents: usize,
    /// The games that need not be played again: every later stage of a race starts with more.
    n_played: u64,
    /// What the games are played up to: a look of a race, or nothing.
    aim: String,
    started: Instant,
    last_line: Instant,
    has_warned_of_sandbox: bool,
    /// Warnings and hints that were printed.
    printed_once: BTreeSet<String>,
    /// The longest `setup` of the budgets.
    setup: Duration,
    /// The requested number of workers; `None` once the message that there are fewer is printed.
    asked_workers: Option<NonZeroUsize>,
    /// Whether every line has a time, and every game a line.
    is_verbose: bool,
}

impl RunProgress {
    pub(super) fn new(
        plan: &RunPlan,
        leftovers: &Leftovers,
        asked_workers: Option<NonZeroUsize>,
        is_verbose: bool,
    ) -> Self {
        let mut standings = Standings::new(plan);
        let setups = plan.tournament.budgets.iter().map(|budget| budget.setup);
        for (series, tally) in &leftovers.tallies {
            standings.remember(*series, *tally);
        }
        Self {
            bars: None,
            standings,
            name: plan.tournament.name.clone(),
            n_agents: plan.agents.len(),
            n_played: leftovers.played.len(),
            aim: String::new(),
            started: Instant::now(),
            last_line: Instant::now(),
            has_warned_of_sandbox: is_missing_layer_announced(),
            printed_once: BTreeSet::new(),
            setup: setups.max().unwrap_or_default(),
            asked_workers,
            is_verbose,
        }
    }

    /// Prints a line without disturbing the bars.
    pub(super) fn print_line(&self, line: &str) {
        let time = if self.is_verbose {
            timestamp(SystemTime::now()) + " "
        } else {
            String::new()
        };
        let lines = fitted(
            &printable_lines(&format!("{time}{line}")),
            "  ",
            stderr_width(),
        );
        let print = || {
            // If stderr is closed, the line is lost.
            let _ = write!(io::stderr(), "{lines}");
        };
        match &self.bars {
            Some(bars) => bars.suspend(print),
            None => print(),
        }
    }

    /// Sets what the next games are played up to.
    pub(super) fn set_aim(&mut self, aim: String) {
        self.aim = aim;
    }

    pub(super) fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { games, n_workers } => self.start(games, *n_workers),
            Event::Unanswered(_) => self.finish(),
            Event::Warning(sentence) => {
                // Every stage of a run checks again.
                self.print_once(&format!("warning: {sentence}"));
            }
            Event::SandboxLacks(layer) => {
                if !self.has_warned_of_sandbox {
                    self.has_warned_of_sandbox = true;
                    self.print_line(&format!(
                        "warning: the sandbox is incomplete on this machine: {layer}"
                    ));
                }
            }
            Event::Disqualified {
                agent,
                series,
                n_games,
                timeout,
            } => {
                self.print_line(&disqualification(agent, *timeout, *n_games));
                self.standings.drop_out(*series, *n_games);
                self.draw();
            }
            Event::GameEnded {
                record,
                stderr_tail,
            } => {
                self.standings.ended(record);
                self.n_played += 1;
                if self.is_verbose && !record.ending.is_fault() {
                    self.print_line(&format!(
                        "{} on seed {}: {} after {} moves, score {}",
                        record.agent, record.seed, record.ending, record.n_moves, record.score
                    ));
                }
                if let Some(fault) = record.fault_sentence() {
                    let budget = record.budget.as_ref();
                    let budget = budget.map_or(String::new(), |label| format!(" (budget {label})"));
                    self.print_line(&format!(
                        "fault: {}{budget} on seed {} {fault}",
                        record.agent, record.seed
                    ));
                    let lines = shown(stderr_tail);
                    for line in &lines[lines.len().saturating_sub(LINES_SHOWN)..] {
                        for row in marked_rows("  | ", line, stderr_width()) {
                            self.print_line(&row);
                        }
                    }
                    match (record.ending, record.timeout) {
                        (Ending::Overrun, true) => {
                            let more = format_duration(self.setup.saturating_mul(4));
                            self.print_once(&format!(
                                "hint: an agent that needs longer to get ready can have it: \
                                 `budget: {{ setup: {more} }}`"
                            ));
                        }
                        (Ending::Overrun, false) => {
                            self.print_once(&format!("hint: {}", Overrun::ADVICE));
                        }
                        _ => {}
                    }
                }
                self.draw();
                self.print_now_and_then();
            }
        }
    }

    fn start(&mut self, games: &GamesOfSeries, n_workers: usize) {
        self.standings.start(games);
        self.started = Instant::now();
        self.last_line = self.started;
        let played = match self.n_played {
            0 => String::new(),
            n_played => format!(", {n_played} already played"),
        };
        let n_games = self.standings.n_games();
        let at_once = match n_games {
            0 => String::new(),
            _ => format!(", {n_workers} at a time"),
        };
        self.print_line(&format!(
            "{}: {}, {} to play{}{played}{at_once}",
            self.name,
            counted(self.n_agents as u64, "agent"),
            counted(n_games, "game"),
            self.aim
        ));
        if let Some(asked) = self.asked_workers
            && asked.get() > n_workers
            && n_games > n_workers as u64
        {
            self.asked_workers = None;
            let cores = counted(n_workers as u64, "core");
            self.print_line(&format!(
                "note: {asked} workers were asked for, but every worker needs a core of its own, \
                 and the host may use {cores}"
            ));
        }
        if io::stderr().is_terminal() && n_games > 0 {
            self.bars = Some(Bars::new(&self.standings));
        }
    }

    fn draw(&self) {
        if let Some(bars) = &self.bars {
            bars.draw(&self.standings);
        }
    }

    fn print_now_and_then(&mut self) {
        let is_last = self.standings.n_ended() == self.standings.n_games();
        let elapsed = self.started.elapsed();
        let is_late = elapsed >= LATER_LINE_EVERY;
        let every = if is_late {
            LATER_LINE_EVERY
        } else {
            LINE_EVERY
        };
        if self.bars.is_some() || (self.last_line.elapsed() < every && !is_last) {
            return;
        }
        self.last_line = Instant::now();
        self.print_wrapped(&self.standings.progress_line(elapsed));
        if is_late && !is_last {
            self.print_standings();
        }
    }

    /// Prints the standings so far.
    pub(super) fn print_standings(&self) {
        if let Some(line) = self.standings.standings_line() {
            self.print_wrapped(&line);
        }
    }

    /// Prints a line, in several if it is long.
    fn print_wrapped(&self, line: &str) {
        let lines = wrapped(line, "  ", Some(WIDEST_LINE));
        self.print_line(lines.trim_end());
    }

    /// Prints a line that may come up again.
    fn print_once(&mut self, line: &str) {
        if self.printed_once.insert(line.to_owned()) {
            self.print_line(line);
        }
    }

    /// Removes the bars.
    pub(super) fn finish(&mut self) {
        if let Some(bars) = self.bars.take() {
            bars.clear();
        }
    }
}

/// Says why an agent plays no more.
fn disqualification(agent: &str, timeout: Option<Ending>, n_games: u64) -> String {
    let reason = match timeout {
        Some(ending) => format!("because it used up {}", used_up_limit(ending)),
        None => "after too many consecutive faults".to_owned(),
    };
    let games = match n_games {
        0 => String::new(),
        1 => "; 1 of its games is not played".to_owned(),
        _ => format!("; {n_games} of its games are not played"),
    };
    format!("{agent} is disqualified {reason}{games}")
}

/// The widest name in front of a bar.
const WIDEST_NAME: usize = 24;

/// More bars would push everything else off the screen.
const MOST_BARS: usize = 12;

/// One bar per series and one for all games, or the latter alone.
pub(super) struct Bars {
    screen: MultiProgress,
    of_series: BTreeMap<Series, ProgressBar>,
    of_all: ProgressBar,
}

impl Bars {
    pub(super) fn new(standings: &Standings) -> Self {
        let screen = MultiProgress::new();
        let style = |template: &str| {
            ProgressStyle::with_template(template).expect("the template is well-formed")
        };
        let rows: Vec<_> = standings.rows().collect();
        let name_width = rows.iter().map(|(_, name, ..)| name.chars().count()).max();
        let name_width = name_width.unwrap_or(0).min(WIDEST_NAME);
        // Agents play in turns: no time is known for each of them.
        let of_agent = format!("{{prefix:{name_width}!}} {{bar:20}} {{pos}}/{{len}}  {{wide_msg}}");
        let mut of_series = BTreeMap::new();
        if (2..=MOST_BARS).contains(&rows.len()) {
            for (series, name, _, n_games, _) in rows {
                let bar = screen.add(ProgressBar::new(n_games).with_style(style(&of_agent)));
                bar.set_prefix(name.to_owned());
                of_series.insert(series, bar);
            }
        }
        let of_all = "{pos}/{len} games, {per_sec}, {elapsed} elapsed, {eta} left";
        let of_all = screen.add(ProgressBar::new(standings.n_games()).with_style(style(of_all)));
        of_all.enable_steady_tick(Duration::from_millis(500));
        let bars = Self {
            screen,
            of_series,
            of_all,
        };
        bars.draw(standings);
        bars
    }

    /// Shows the games that have ended.
    pub(super) fn draw(&self, standings: &Standings) {
        for (series, _, n_ended, n_games, figure) in standings.rows() {
            if let Some(bar) = self.of_series.get(&series) {
                bar.set_length(n_games);
                bar.set_position(n_ended);
                bar.set_message(figure);
            }
        }
        self.of_all.set_length(standings.n_games());
        self.of_all.set_position(standings.n_ended());
    }

    /// Prints without disturbing the bars.
    pub(super) fn suspend(&self, print: impl FnOnce()) {
        self.screen.suspend(print);
    }

    /// Removes the bars.
    pub(super) fn clear(&self) {
        // A closed terminal needs no cleaning.
        let _ = self.screen.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disqualification_names_the_limit_that_was_used_up() {
        for (timeout, n_games, sentence) in [
            (
                Some(Ending::Overrun),
                0,
                "anna is disqualified because it used up `setup`, the CPU time before its first move",
            ),
            (
                Some(Ending::Hang),
                2,
                "anna is disqualified because it used up `hang`, the CPU time of one move; \
                 2 of its games are not played",
            ),
            (
                None,
                1,
                "anna is disqualified after too many consecutive faults; 1 of its games is not played",
            ),
        ] {
            assert_eq!(disqualification("anna", timeout, n_games), sentence);
        }
    }
}
