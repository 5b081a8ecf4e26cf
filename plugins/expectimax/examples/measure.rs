//! Plays games under a budget and prints figures: the benchmark of this agent.
//!
//! ```text
//! cargo run --release -p expectimax --example measure -- 1..50 1000us
//! cargo run --release -p expectimax --example measure -- 1..200 3000nodes '{"order":20}'
//! cargo run --release -p expectimax --example measure -- 1..200 unlimited '{"depth":2}' 0.2
//! ```
//!
//! The arguments are: seeds, budget per move (CPU time, nodes or none), parameters,
//! share of 4s. The bank works as in the referee: an increment every turn, at most 100
//! ms saved.
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use std::{ops::RangeInclusive, time::Duration};

use expectimax::{Expectimax, Params};
use plugin_api::{
    Agent, Clock, FourShare, Game, GameSetup, Limit, Refusal, Rules, Salt, Status, Turn,
};
use search_kit::trial::allowance;

const BANK: Duration = Duration::from_millis(100);

fn main() -> Result<(), Refusal> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |number: usize, default| words.get(number).map_or(default, String::as_str);
    let seeds = parse_seeds(word(0, "1..10"))?;
    let four = FourShare::new(word(3, "0.1").parse()?).ok_or("a share of 4s is 0 to 1")?;
    let params: Params = serde_json::from_str(word(2, "{}"))?;
    let rules = Rules {
        four,
        ..Rules::default()
    };
    let setup = GameSetup::new()
        .with_rules(rules)
        .with_limit(parse_limit(word(1, "1000us"))?);
    let mut figures = Figures::default();
    for seed in seeds {
        figures.play(&params, &setup, seed)?;
    }
    figures.print();
    Ok(())
}

fn parse_seeds(text: &str) -> Result<RangeInclusive<u64>, Refusal> {
    let (first, last) = text.split_once("..").ok_or("seeds are `first..last`")?;
    Ok(first.parse()?..=last.parse()?)
}

fn parse_limit(text: &str) -> Result<Limit, Refusal> {
    if text == "unlimited" {
        return Ok(Limit::None);
    }
    if let Some(nodes) = text.strip_suffix("nodes") {
        return Ok(Limit::Nodes(nodes.parse()?));
    }
    let micros = text
        .strip_suffix("us")
        .ok_or("a budget is `1000us`, `3000nodes` or `unlimited`")?;
    Ok(Limit::Time {
        clock: Clock::Cpu,
        per_move: Duration::from_micros(micros.parse()?),
        bank: BANK,
    })
}

/// The totals over all games.
#[derive(Default)]
struct Figures {
    scores: Vec<f64>,
    highest: Vec<u64>,
    turns: Vec<Duration>,
    n_nodes: u64,
    depths: u64,
    n_overruns: u64,
    lowest_bank: Option<Duration>,
}

impl Figures {
    fn play(&mut self, params: &Params, setup: &GameSetup, seed: u64) -> Result<(), Refusal> {
        let mut agent = Expectimax::new(params.clone(), setup)?;
        let mut game = Game::start(setup.rules, &Salt::NONE, seed);
        let mut bank = BANK;
        while game.status() == Status::Running {
            let start_ns = Clock::Cpu.now_ns();
            let turn = Turn {
                move_number: game.n_moves() + 1,
                score: game.score(),
                allowance: allowance(setup.limit, bank),
            };
            let choice = agent.choose(game.board(), &turn);
            let used = Duration::from_nanos(Clock::Cpu.now_ns().saturating_sub(start_ns));
            if let Limit::Time { per_move, .. } = setup.limit {
                let available = bank + per_move;
                self.n_overruns += u64::from(used > available);
                bank = available.saturating_sub(used).min(BANK);
                self.lowest_bank = Some(self.lowest_bank.map_or(bank, |lowest| lowest.min(bank)));
            }
            self.turns.push(used);
            self.n_nodes += choice.nodes.unwrap_or(0);
            self.depths += u64::from(choice.depth.unwrap_or(0));
            game.play(choice.direction)
                .ok_or_else(|| format!("{} is illegal in {:?}", choice.direction, game.board()))?;
        }
        self.scores.push(as_f64(game.score()));
        self.highest.push(game.board().highest());
        Ok(())
    }

    fn print(&mut self) {
        let n_games = as_f64(self.scores.len() as u64);
        let mean = self.scores.iter().sum::<f64>() / n_games;
        let squares: f64 = self.scores.iter().map(|score| (score - mean).powi(2)).sum();
        let error = (squares / (n_games - 1.0).max(1.0) / n_games).sqrt();
        println!("games {n_games}, mean score {mean:.0} ± {error:.0} (standard error)");
        for tile in [2048, 4096, 8192, 16384, 32768, 65536] {
            let n_reached = self
                .highest
                .iter()
                .filter(|&&highest| highest >= tile)
                .count();
            println!(
                "{tile:>6} {:5.1} %",
                100.0 * as_f64(n_reached as u64) / n_games
            );
        }
        self.turns.sort_unstable();
        let n_turns = as_f64(self.turns.len() as u64);
        let cpu = self.turns.iter().sum::<Duration>().as_secs_f64();
        let quantile = |permille: usize| {
            let turn = self.turns[(self.turns.len() - 1) * permille / 1000];
            turn.as_secs_f64() * 1e6
        };
        println!(
            "turns {n_turns}, depth {:.2}, nodes {:.0} a turn, {:.1} million a second",
            as_f64(self.depths) / n_turns,
            as_f64(self.n_nodes) / n_turns,
            as_f64(self.n_nodes) / cpu / 1e6,
        );
        println!(
            "CPU {cpu:.1} s; a turn in µs: mean {:.0}, p50 {:.0}, p99 {:.0}, p99.9 {:.0}, max {:.0}",
            cpu / n_turns * 1e6,
            quantile(500),
            quantile(990),
            quantile(999),
            quantile(1000),
        );
        if let Some(bank) = self.lowest_bank {
            println!("lowest bank {bank:?}, overruns {}", self.n_overruns);
        }
        println!("scores {:?}", self.scores);
    }
}

#[expect(clippy::cast_precision_loss, reason = "figures to look at")]
fn as_f64(number: u64) -> f64 {
    number as f64
}
