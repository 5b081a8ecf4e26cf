//! What people see while a tournament is played: bars on a terminal, lines elsewhere.
//!
//! A terminal shows one bar an agent, with the time it still needs and how it does so
//! far. A file or pipe gets lines that make sense to `tail -f`: how far all are, when
//! each agent will be done, and now and then who leads.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use arena2048::{
    last_words::shown,
    report::standings::Standings,
    run_folder::Leftovers,
    run_plan::RunPlan,
    tournament_runner::{Contender, Event, GamesOfContenders},
};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// How often a line is printed in the first minute where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// How much of an agent's last words is shown while others play.
const LINES_SHOWN: usize = 3;

/// How often later, together with the standings.
const LATER_LINE_EVERY: Duration = Duration::from_mins(1);

/// More bars than this would push everything else off the screen.
const MOST_BARS: usize = 12;

/// Room for a name before a bar.
const WIDEST_NAME: usize = 24;

pub(super) struct Progress {
    bars: Option<Bars>,
    standings: Standings,
    name: String,
    n_agents: usize,
    n_reused: usize,
    /// What the games are played up to, such as a look.
    aim: String,
    started: Instant,
    last_line: Instant,
    has_warned_of_sandbox: bool,
}

/// One bar an agent and budget and one for all, or the latter alone.
struct Bars {
    screen: MultiProgress,
    of_contenders: BTreeMap<Contender, ProgressBar>,
    of_all: ProgressBar,
}

impl Progress {
    pub(super) fn new(plan: &RunPlan, leftovers: &Leftovers) -> Self {
        let mut standings = Standings::new(plan);
        for record in leftovers.records.values() {
            standings.remember(record);
        }
        Self {
            bars: None,
            standings,
            name: plan.tournament.name.clone(),
            n_agents: plan.entrants.len(),
            n_reused: leftovers.records.len(),
            aim: String::new(),
            started: Instant::now(),
            last_line: Instant::now(),
            has_warned_of_sandbox: false,
        }
    }

    /// Prints a line without disturbing the bars.
    pub(super) fn say(&self, line: &str) {
        let print = || {
            // Without a standard error output there is nobody to tell.
            let _ = writeln!(io::stderr(), "{line}");
        };
        match &self.bars {
            Some(bars) => bars.screen.suspend(print),
            None => print(),
        }
    }

    /// What the next games are played up to.
    pub(super) fn aim_at(&mut self, aim: String) {
        self.aim = aim;
    }

    pub(super) fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { games, n_workers } => self.start(games, *n_workers),
            Event::SandboxLacks(layer) => {
                if !self.has_warned_of_sandbox {
                    self.has_warned_of_sandbox = true;
                    self.say(&format!(
                        "warning: the sandbox is incomplete on this machine: {layer}"
                    ));
                }
            }
            Event::Disqualified {
                agent,
                contender,
                n_games,
            } => {
                self.say(&format!(
                    "{agent} is disqualified: too many faults in a row; {n_games} of its games are not played"
                ));
                self.standings.drop_out(*contender, *n_games);
                self.draw();
            }
            Event::GameEnded { record, last_words } => {
                self.standings.ended(record);
                self.n_reused += 1;
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
                self.draw();
                self.print_now_and_then();
            }
        }
    }

    fn start(&mut self, games: &GamesOfContenders, n_workers: usize) {
        self.standings.start(games);
        self.started = Instant::now();
        self.last_line = self.started;
        let reused = match self.n_reused {
            0 => String::new(),
            n_reused => format!(", {n_reused} already played"),
        };
        let n_games = self.standings.n_games();
        self.say(&format!(
            "{}: {} agents, {n_games} games to play{}{reused}, {n_workers} at once",
            self.name, self.n_agents, self.aim
        ));
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
        self.say(&self.standings.progress_line(elapsed));
        if is_late && !is_last {
            self.say_standings();
        }
    }

    /// Says who leads so far.
    pub(super) fn say_standings(&self) {
        if let Some(line) = self.standings.standings_line() {
            self.say(&line);
        }
    }

    /// Takes the bars away.
    pub(super) fn finish(&mut self) {
        if let Some(bars) = self.bars.take() {
            // A terminal that is gone needs no cleaning.
            let _ = bars.screen.clear();
        }
    }
}

impl Bars {
    fn new(standings: &Standings) -> Self {
        let screen = MultiProgress::new();
        let style = |template: &str| {
            ProgressStyle::with_template(template).expect("the template is well-formed")
        };
        let rows: Vec<_> = standings.rows().collect();
        let name_width = rows.iter().map(|(_, name, ..)| name.chars().count()).max();
        let name_width = name_width.unwrap_or(0).min(WIDEST_NAME);
        let of_agent = format!(
            "{{prefix:{name_width}!}} {{bar:20}} {{pos}}/{{len}}, {{eta}} left  {{wide_msg}}"
        );
        let mut of_contenders = BTreeMap::new();
        if (2..=MOST_BARS).contains(&rows.len()) {
            for (contender, name, _, n_games, _) in rows {
                let bar = screen.add(ProgressBar::new(n_games).with_style(style(&of_agent)));
                bar.set_prefix(name.to_owned());
                of_contenders.insert(contender, bar);
            }
        }
        let of_all = "{pos}/{len} games, {per_sec}, {elapsed} elapsed, {eta} left";
        let of_all = screen.add(ProgressBar::new(standings.n_games()).with_style(style(of_all)));
        of_all.enable_steady_tick(Duration::from_millis(500));
        let bars = Self {
            screen,
            of_contenders,
            of_all,
        };
        bars.draw(standings);
        bars
    }

    fn draw(&self, standings: &Standings) {
        for (contender, _, n_ended, n_games, figure) in standings.rows() {
            if let Some(bar) = self.of_contenders.get(&contender) {
                bar.set_length(n_games);
                bar.set_position(n_ended);
                bar.set_message(figure);
            }
        }
        self.of_all.set_length(standings.n_games());
        self.of_all.set_position(standings.n_ended());
    }
}
