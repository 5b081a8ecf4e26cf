//! Plays games with given parameters and prints what the agent reached.
//!
//! `measure PARAMS N_GAMES [TIME_IN_US | nNODES]`, for instance
//! `measure '{"runs":100}' 100` or `measure '{"tree":false}' 50 1000`.

use std::{env, error::Error, time::Duration};

use mcts::{Mcts, Params};
use plugin_api::{
    Agent, Clock, Game, GameSetup, Limit, Rules, Salt, Status, Turn, agent_random_seed,
};

#[expect(clippy::print_stdout, reason = "the output of an example")]
#[expect(
    clippy::cast_precision_loss,
    reason = "figures are printed with a few digits"
)]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [params, n_games, limit @ ..] = arguments.as_slice() else {
        return Err("usage: measure PARAMS N_GAMES [TIME_IN_US | nNODES]".into());
    };
    let params: Params = serde_json::from_str(params)?;
    let n_games: u64 = n_games.parse()?;
    let limit = limit.first().map(String::as_str);
    let mut scores = Vec::new();
    let mut times: Vec<u64> = Vec::new();
    let mut n_nodes = 0;
    for seed in 1..=n_games {
        let setup = GameSetup::new().with_random_seed(agent_random_seed(&Salt::NONE, seed, "mcts"));
        let mut agent = Mcts::new(params.clone(), &setup)?;
        let mut game = Game::start(Rules::default(), &Salt::NONE, seed);
        while game.status() == Status::Running {
            let before = Clock::Cpu.now_ns();
            let turn = match limit.map(|text| (text, text.strip_prefix('n'))) {
                None => Turn::unlimited(),
                Some((_, Some(nodes))) => Turn::with_nodes(nodes.parse()?),
                Some((time, None)) => {
                    Turn::with_time(Clock::Cpu, Duration::from_micros(time.parse()?))
                }
            };
            let choice = agent.choose(game.board(), &turn);
            times.push(Clock::Cpu.now_ns() - before);
            n_nodes += choice.nodes.unwrap_or(0);
            game.play(choice.direction).ok_or("an illegal move")?;
        }
        scores.push(game.score() as f64);
    }
    times.sort_unstable();
    let time = |share: usize| times[(times.len() - 1) * share / 1000] as f64 / 1000.0;
    let mean = scores.iter().sum::<f64>() / n_games as f64;
    let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    let error = (squares / (n_games - 1) as f64 / n_games as f64).sqrt();
    println!(
        "{arguments:?}: {mean:.0} ± {error:.0} (n = {n_games}), CPU a move: p50 {:.0} p99 {:.0} max {:.0} µs, {:.0} nodes a move",
        time(500),
        time(990),
        time(1000),
        n_nodes as f64 / times.len() as f64,
    );
    println!("{scores:?}");
    Ok(())
}
