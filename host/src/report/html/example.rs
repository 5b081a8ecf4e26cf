//! Small runs that were really played, for the tests of the page.

use plugin_api::{Direction, Game, Status};

use super::Page;
use crate::{
    entrant::Entrant,
    game_record::{Ending, GameRecord},
    machine::Machine,
    plugin_inspection::Inspection,
    report::{Report, example::record},
    run_plan::RunPlan,
    tournament_file::{TournamentSource, parse},
    worker::Abi,
};

/// A plan over seeds 1 to 40 with agents of these names, which no file would allow.
pub(crate) fn plan(side: u8, names: &[&str]) -> RunPlan {
    let text = format!("board: {side}\nseeds: 1..40\nagents: [{{plugin: a}}]\n");
    let tournament = parse(&TournamentSource::new("x.yaml", &text)).expect("a valid tournament");
    let info = serde_json::json!({"api": "1.0.0", "name": "plugin", "version": "1.2.3"});
    let inspection = Inspection {
        info: plugin_api::PluginInfo::from_json(&info.to_string()).expect("enough information"),
        abi: Abi::Rust,
    };
    let entrant = |name: &&str| Entrant {
        name: (*name).to_owned(),
        path: "plugin.so".into(),
        sha256: "0123".into(),
        plugin: inspection.clone(),
        params: "{}".into(),
        allow_read: Vec::new(),
        file: None,
    };
    RunPlan {
        v: 1,
        host_version: "1.0.0".into(),
        machine: Machine {
            cpu: "a processor".into(),
            cores: 2,
            kernel: "6.1".into(),
            nodes_per_second: Some(20_000_000),
        },
        machines: Vec::new(),
        salt: "0".repeat(48),
        shard: None,
        tournament,
        entrants: names.iter().map(entrant).collect(),
    }
}

/// A game of at most so many moves, each the first legal one of up, left, right, down,
/// but for a few that depend on the agent's name.
pub(super) fn played_game(plan: &RunPlan, agent: &str, seed: u64, most_moves: u64) -> GameRecord {
    use Direction::{Down, Left, Right, Up};
    let mut game = Game::start(plan.tournament.rules(), &plan.salt(), seed);
    let mut moves = String::new();
    while game.status() == Status::Running && game.n_moves() < most_moves {
        let turn = usize::from(game.n_moves() % 7 == agent.len() as u64 % 7);
        let mut order = [Up, Left, Right, Down];
        order.rotate_left(turn);
        let legal = order.into_iter().find(|way| game.play(*way).is_some());
        moves.push(legal.expect("a running game has a legal move").letter());
    }
    GameRecord {
        n_moves: game.n_moves(),
        highest: game.board().highest(),
        board: game.board().tiles(),
        moves,
        ending: Ending::NoMoveLeft,
        ..record(agent, seed, game.score())
    }
}

/// The games of all agents on the first seeds, in the order of the plan.
pub(super) fn played_games(plan: &RunPlan, agents: &[&str], n_seeds: u64) -> Vec<GameRecord> {
    let games = (1..=n_seeds).flat_map(|seed| agents.iter().map(move |agent| (seed, agent)));
    (0..)
        .zip(games)
        .map(|(game, (seed, agent))| GameRecord {
            game,
            ..played_game(plan, agent, seed, 10_000)
        })
        .collect()
}

pub(super) fn page_of(plan: &RunPlan, records: &[GameRecord]) -> String {
    let report = Report::new(&plan.report_input(), records);
    Page::new(&report, plan, records).html(records)
}
