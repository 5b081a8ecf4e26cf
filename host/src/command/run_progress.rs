//! What people see while a tournament is played: a bar on a terminal, lines elsewhere.

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use arena2048::{
    last_words::shown, run_folder::Leftovers, run_plan::RunPlan, tournament_runner::Event,
};
use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// How much of an agent's last words is shown while others play.
const LINES_SHOWN: usize = 3;

pub(super) struct Progress {
    bar: Option<ProgressBar>,
    name: String,
    n_agents: usize,
    n_reused: usize,
    n_games: u64,
    n_ended: u64,
    started: Instant,
    last_line: Instant,
    has_warned_of_sandbox: bool,
}

impl Progress {
    pub(super) fn new(plan: &RunPlan, leftovers: &Leftovers) -> Self {
        Self {
            bar: None,
            name: plan.tournament.name.clone(),
            n_agents: plan.entrants.len(),
            n_reused: leftovers.records.len(),
            n_games: 0,
            n_ended: 0,
            started: Instant::now(),
            last_line: Instant::now(),
            has_warned_of_sandbox: false,
        }
    }

    /// Prints a line without disturbing the bar.
    pub(super) fn say(&self, line: &str) {
        let print = || {
            // Without a standard error output there is nobody to tell.
            let _ = writeln!(io::stderr(), "{line}");
        };
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub(super) fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { n_games, n_workers } => self.start(*n_games, *n_workers),
            Event::SandboxLacks(layer) => {
                if !self.has_warned_of_sandbox {
                    self.has_warned_of_sandbox = true;
                    self.say(&format!(
                        "warning: the sandbox is incomplete on this machine: {layer}"
                    ));
                }
            }
            Event::Disqualified { agent, n_games } => {
                self.say(&format!(
                    "{agent} is disqualified: too many faults in a row; {n_games} of its games are not played"
                ));
                self.n_games = self.n_games.saturating_sub(*n_games);
                if let Some(bar) = &self.bar {
                    bar.set_length(self.n_games);
                }
            }
            Event::GameEnded { record, last_words } => {
                self.n_ended += 1;
                if let Some(fault) = &record.fault {
                    self.say(&format!(
                        "fault: {} on seed {} {fault}",
                        record.agent, record.seed
                    ));
                    let lines = shown(last_words);
                    for line in &lines[lines.len().saturating_sub(LINES_SHOWN)..] {
                        self.say(&format!("  | {line}"));
                    }
                }
                self.advance();
            }
        }
    }

    fn start(&mut self, n_games: u64, n_workers: usize) {
        self.n_games = n_games;
        self.started = Instant::now();
        self.last_line = self.started;
        let reused = match self.n_reused {
            0 => String::new(),
            n_reused => format!(", {n_reused} already played"),
        };
        self.say(&format!(
            "{}: {} agents, {n_games} games to play{reused}, {n_workers} at once",
            self.name, self.n_agents
        ));
        if io::stderr().is_terminal() && n_games > 0 {
            let style = "{bar:30} {pos}/{len} games, {per_sec}, {elapsed} elapsed, {eta} left";
            let style = ProgressStyle::with_template(style).expect("the template is well-formed");
            let bar = ProgressBar::new(n_games).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(500));
            self.bar = Some(bar);
        }
    }

    fn advance(&mut self) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.n_ended);
            return;
        }
        let is_last = self.n_ended == self.n_games;
        if self.last_line.elapsed() < LINE_EVERY && !is_last {
            return;
        }
        self.last_line = Instant::now();
        let elapsed = self.started.elapsed();
        let n_left = self.n_games.saturating_sub(self.n_ended);
        #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
        let left = elapsed.mul_f64(n_left as f64 / self.n_ended.max(1) as f64);
        self.say(&format!(
            "{}/{} games, {} elapsed, about {} left",
            self.n_ended,
            self.n_games,
            in_seconds(elapsed),
            in_seconds(left)
        ));
    }

    pub(super) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn in_seconds(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}
