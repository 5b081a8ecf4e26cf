//! Games played by an agent inside this process, for tests and for tuning.
//!
//! Tournaments are played by the host, in worker processes, under a referee. This
//! module tells an agent's author quickly what a change is worth.

use std::{fmt, time::Duration};

use plugin_api::{
    Agent, Allowance, Clock, FourShare, Game, GameSetup, Limit, Refusal, Salt, Side, Status, Turn,
};

/// The result of a game.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The final score.
    pub score: u64,
    /// The face value of the highest tile.
    pub highest: u64,
    /// The CPU time of each move in nanoseconds.
    pub turn_ns: Vec<u64>,
    /// The nodes of all moves, as reported by the agent.
    pub nodes: u64,
    /// The sum of the depths of all moves, as reported by the agent.
    pub depths: u64,
}

/// Plays the game of a seed to its end, without salt.
///
/// # Errors
/// If the agent rejects the game, chooses an illegal move, or reports more nodes than
/// it was allowed.
pub fn play_game<A: Agent>(
    params: A::Params,
    setup: &GameSetup,
    seed: u64,
) -> Result<Trial, Refusal> {
    let mut agent = A::new(params, setup)?;
    let mut game = Game::start(setup.rules, &Salt::NONE, seed);
    let mut trial = Trial::default();
    while game.status() == Status::Running {
        let turn = Turn {
            move_number: game.n_moves() + 1,
            score: game.score(),
            allowance: allowance(setup.limit, Duration::ZERO),
        };
        let start_ns = Clock::Cpu.now_ns();
        let choice = agent.choose(game.board(), &turn);
        trial
            .turn_ns
            .push(Clock::Cpu.now_ns().saturating_sub(start_ns));
        let nodes = choice.nodes.unwrap_or(0);
        if let Limit::Nodes(allowed) = setup.limit
            && nodes > allowed
        {
            return Err(format!("{nodes} nodes of {allowed} on {:?}", game.board()).into());
        }
        trial.nodes += nodes;
        trial.depths += u64::from(choice.depth.unwrap_or(0));
        let board = *game.board();
        game.play(choice.direction)
            .ok_or_else(|| format!("{} is illegal on {board:?}", choice.direction))?;
    }
    trial.score = game.score();
    trial.highest = game.board().highest();
    Ok(trial)
}

/// What an agent may spend on a turn that starts now.
#[must_use]
pub fn allowance(limit: Limit, bank: Duration) -> Allowance {
    match limit {
        Limit::None => Allowance::Unlimited,
        Limit::Nodes(nodes) => Allowance::Nodes(nodes),
        Limit::Time {
            clock, per_move, ..
        } => Allowance::Time {
            clock,
            start_ns: clock.now_ns(),
            income: per_move,
            bank,
        },
    }
}

/// The summary of many games of an agent; printed as one line of figures.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    trials: Vec<Trial>,
}

impl Summary {
    /// Adds a game.
    pub fn add(&mut self, trial: Trial) {
        self.trials.push(trial);
    }

    /// The mean score and its standard error.
    #[must_use]
    pub fn mean(&self) -> (f64, f64) {
        let n_games = as_f64(self.trials.len() as u64).max(1.0);
        let scores = || self.trials.iter().map(|trial| as_f64(trial.score));
        let mean = scores().sum::<f64>() / n_games;
        let squares: f64 = scores().map(|score| (score - mean).powi(2)).sum();
        (mean, (squares / (n_games - 1.0).max(1.0) / n_games).sqrt())
    }

    /// The share of games that reached a tile.
    #[must_use]
    pub fn reach(&self, tile: u64) -> f64 {
        let n_reached = self
            .trials
            .iter()
            .filter(|trial| trial.highest >= tile)
            .count();
        as_f64(n_reached as u64) / as_f64(self.trials.len() as u64).max(1.0)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mean, error) = self.mean();
        let mut turn_ns: Vec<u64> = self
            .trials
            .iter()
            .flat_map(|trial| trial.turn_ns.iter().copied())
            .collect();
        turn_ns.sort_unstable();
        let n_moves = as_f64(turn_ns.len() as u64).max(1.0);
        let sum = |part: fn(&Trial) -> u64| as_f64(self.trials.iter().map(part).sum());
        let micros = |permille: usize| {
            let place = (turn_ns.len() * permille / 1000).min(turn_ns.len().saturating_sub(1));
            as_f64(turn_ns.get(place).copied().unwrap_or(0)) / 1e3
        };
        let total_ns = as_f64(turn_ns.iter().sum());
        write!(
            f,
            "n={} mean={mean:.0}±{error:.0} 2048={:.3} 4096={:.3} 8192={:.3} 16384={:.3} \
             cpu/move: mean={:.1}µs p50={:.1} p99={:.1} p99.9={:.1} max={:.1} \
             moves/game={:.0} nodes/move={:.0} depth={:.2} Mnodes/s={:.1}",
            self.trials.len(),
            self.reach(2048),
            self.reach(4096),
            self.reach(8192),
            self.reach(16384),
            total_ns / n_moves / 1e3,
            micros(500),
            micros(990),
            micros(999),
            micros(1000),
            n_moves / as_f64(self.trials.len() as u64).max(1.0),
            sum(|trial| trial.nodes) / n_moves,
            sum(|trial| trial.depths) / n_moves,
            sum(|trial| trial.nodes) * 1e3 / total_ns.max(1.0),
        )
    }
}

/// Plays games according to command-line arguments, `key=value` each: `games`, `from`
/// (the first seed), `side`, `four`, and `time_us` or `nodes` per move. Other keys are
/// the agent's parameters. What they do not say is as in `setup`.
///
/// # Errors
/// If an argument is invalid or a game fails.
pub fn measure<A: Agent<Params: Clone>>(
    setup: GameSetup,
    words: impl Iterator<Item = String>,
    params: &mut A::Params,
    set: impl Fn(&mut A::Params, &str, &str) -> Result<(), Refusal>,
) -> Result<Summary, Refusal> {
    let (mut rules, mut limit) = (setup.rules, setup.limit);
    let (mut from, mut games) = (1u64, 10u64);
    for word in words {
        let (key, value) = word.split_once('=').ok_or("arguments must be key=value")?;
        match key {
            "games" => games = value.parse()?,
            "from" => from = value.parse()?,
            "side" => rules.side = Side::new(value.parse()?).ok_or("side is 2 to 8")?,
            "four" => rules.four = FourShare::new(value.parse()?).ok_or("four is 0 to 1")?,
            "nodes" => limit = Limit::Nodes(value.parse()?),
            "time_us" => {
                limit = Limit::Time {
                    clock: Clock::Cpu,
                    per_move: Duration::from_micros(value.parse()?),
                    bank: Duration::ZERO,
                }
            }
            _ => set(params, key, value)?,
        }
    }
    let setup = setup.with_rules(rules).with_limit(limit);
    let mut summary = Summary::default();
    for seed in from..from + games {
        summary.add(play_game::<A>(params.clone(), &setup, seed)?);
    }
    Ok(summary)
}

#[expect(clippy::cast_precision_loss, reason = "figures to look at")]
fn as_f64(number: u64) -> f64 {
    number as f64
}
