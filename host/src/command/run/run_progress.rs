//! The progress of a tournament: bars on a terminal, lines in a file or pipe.
//!
//! A terminal shows one bar per agent, with its games and its result so far, and below them all
//! games with the time left. A file or pipe gets that line for `tail -f`, and from time to time the
//! standings.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    io::{self, IsTerminal, Write},
    num::NonZeroUsize,
    time::{Duration, Instant, SystemTime},
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use play::runner::{Event, Playing};
use run::{
    counted::used_up_limit,
    game_plan::{GamesOfSeries, Series},
    game_record::{Ending, GameRecord},
    leftovers::Leftovers,
    run_plan::RunPlan,
    stderr_files::shown,
};
use text::{
    duration_text::format_duration,
    listing::first_listed,
    number_text::{count, counted},
    printable::printable_lines,
    timestamp::timestamp,
    wrap::{fitted, marked_rows, wrapped},
};
use tournament::Overrun;
use worker::sandbox::is_missing_layer_announced;

use super::standings::{Moment, Standings};
use crate::command::{stderr_width, with_colours};

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
    last_end: Instant,
    last_line: Instant,
    n_workers: usize,
    /// Whether the first line was printed: a race begins anew after every look.
    has_begun: bool,
    faults: RepeatedFaults,
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
            last_end: Instant::now(),
            last_line: Instant::now(),
            has_warned_of_sandbox: is_missing_layer_announced(),
            n_workers: 1,
            has_begun: false,
            faults: RepeatedFaults::default(),
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
        let lines = with_colours(&lines);
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
                self.print_repeated_faults();
                self.print_line(&disqualification(agent, *timeout, *n_games));
                self.standings.drop_out(*series, *n_games);
                self.draw(&[]);
            }
            Event::Playing(games) => {
                self.draw(games);
                self.print_now_and_then(games);
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
                self.last_end = Instant::now();
                if let Some(fault) = record.fault_sentence() {
                    self.show_fault(record, &fault, stderr_tail);
                }
                self.draw(&[]);
                self.print_now_and_then(&[]);
            }
        }
    }

    fn show_fault(&mut self, record: &GameRecord, fault: &str, stderr_tail: &str) {
        let budget = record.budget.as_ref();
        let budget = budget.map_or(String::new(), |label| format!(" (budget {label})"));
        let agent = format!("{}{budget}", record.agent);
        if self.faults.repeats(&agent, fault, record.seed) {
            return;
        }
        // A fault of the first move may have been before it.
        let place = match record.n_moves {
            0 => String::new(),
            _ if fault.contains(" move ") => String::new(),
            n_moves => format!(", move {},", count(n_moves + 1)),
        };
        self.print_line(&format!(
            "fault: {agent} on seed {}{place} {fault}",
            record.seed
        ));
        // What an agent printed before its time was up says nothing about the time.
        if record.ending != Ending::Overrun {
            let lines = shown(stderr_tail);
            for line in &lines[lines.len().saturating_sub(LINES_SHOWN)..] {
                for row in marked_rows("  | ", line, stderr_width()) {
                    self.print_line(&row);
                }
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

    fn print_repeated_faults(&mut self) {
        for line in self.faults.take() {
            self.print_line(&line);
        }
    }

    fn start(&mut self, games: &GamesOfSeries, n_workers: usize) {
        self.standings.start(games);
        self.started = Instant::now();
        self.last_end = self.started;
        self.last_line = self.started;
        self.n_workers = n_workers;
        let played = match self.n_played {
            0 => String::new(),
            n_played => format!(", {n_played} already played"),
        };
        let n_games = self.standings.n_games();
        let at_once = match n_games {
            0 => String::new(),
            _ => format!(", {n_workers} at a time"),
        };
        if !self.has_begun {
            self.has_begun = true;
            self.print_line(&format!(
                "{}: {}, {} to play{}{played}{at_once}",
                self.name,
                counted(self.n_agents as u64, "agent"),
                counted(n_games, "game"),
                self.aim
            ));
        }
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
            self.draw(&[]);
        }
    }

    fn draw(&self, playing: &[Playing]) {
        if let Some(bars) = &self.bars {
            bars.draw(&self.standings, self.progress_line(playing));
        }
    }

    fn progress_line(&self, playing: &[Playing]) -> String {
        self.standings.progress_line(&Moment {
            elapsed: self.started.elapsed(),
            since_last_end: self.last_end.elapsed(),
            n_workers: self.n_workers,
            aim: &self.aim,
            playing,
        })
    }

    fn print_now_and_then(&mut self, playing: &[Playing]) {
        // A race has a next look.
        let is_last = self.standings.n_ended() == self.standings.n_games() && self.aim.is_empty();
        let is_late = self.started.elapsed() >= LATER_LINE_EVERY;
        let every = if is_late {
            LATER_LINE_EVERY
        } else {
            LINE_EVERY
        };
        if self.last_line.elapsed() < every && !is_last {
            return;
        }
        self.last_line = Instant::now();
        self.print_repeated_faults();
        if self.bars.is_some() {
            return;
        }
        self.print_wrapped(&self.progress_line(playing));
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
        self.print_repeated_faults();
    }
}

/// Faults that only repeat one that was printed before, but for its numbers.
#[derive(Default)]
struct RepeatedFaults {
    /// The first seed and further ones, by agent and fault.
    seeds: BTreeMap<(String, String), (u64, Vec<u64>)>,
}

impl RepeatedFaults {
    /// The most seeds that a line names.
    const MOST_SEEDS: usize = 8;

    /// Takes note of a fault; whether it repeats an earlier one.
    fn repeats(&mut self, agent: &str, fault: &str, seed: u64) -> bool {
        let words = fault
            .split(|c: char| c.is_ascii_digit())
            .filter(|it| !it.is_empty());
        let kind = words.collect::<Vec<_>>().join("0");
        match self.seeds.entry((agent.to_owned(), kind)) {
            Entry::Vacant(entry) => {
                entry.insert((seed, Vec::new()));
                false
            }
            Entry::Occupied(mut entry) => {
                entry.get_mut().1.push(seed);
                true
            }
        }
    }

    /// A line for each fault that was repeated since the last time.
    fn take(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for ((agent, _), (first, others)) in &mut self.seeds {
            let seeds = std::mem::take(others);
            if !seeds.is_empty() {
                let noun = if seeds.len() == 1 { "seed" } else { "seeds" };
                let seeds = first_listed(&seeds, Self::MOST_SEEDS);
                lines.push(format!(
                    "fault: {agent}: the same on {noun} {seeds} as on seed {first}"
                ));
            }
        }
        lines
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
        let of_all = screen.add(ProgressBar::new(1).with_style(style("{wide_msg}")));
        Self {
            screen,
            of_series,
            of_all,
        }
    }

    /// Shows the games that have ended, and a line about all.
    pub(super) fn draw(&self, standings: &Standings, line: String) {
        for (series, _, n_ended, n_games, figure) in standings.rows() {
            if let Some(bar) = self.of_series.get(&series) {
                bar.set_length(n_games);
                bar.set_position(n_ended);
                bar.set_message(figure);
            }
        }
        self.of_all.set_message(line);
    }

    /// Prints without disturbing the bars.
    pub(super) fn suspend(&self, print: impl FnOnce()) {
        self.screen.suspend(print);
    }

    /// Removes the bars.
    pub(super) fn clear(&self) {
        // A bar that is dropped before it has finished would draw the others once more.
        for bar in self.of_series.values().chain([&self.of_all]) {
            bar.finish_and_clear();
        }
        // A closed terminal needs no cleaning.
        let _ = self.screen.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_that_differs_in_numbers_only_is_printed_once() {
        let mut faults = RepeatedFaults::default();
        let overrun = |n| format!("had no time left on move {n}: it used {n}.5ms");
        assert!(!faults.repeats("anna", &overrun(3), 1));
        assert!(!faults.repeats("bert", &overrun(3), 1));
        assert!(!faults.repeats("anna", "ended its process", 2));
        assert!(faults.repeats("anna", &overrun(17), 3));
        assert!(faults.repeats("anna", &overrun(5), 4));
        assert_eq!(
            faults.take(),
            ["fault: anna: the same on seeds 3 and 4 as on seed 1"]
        );
        assert!(faults.take().is_empty());
    }

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
