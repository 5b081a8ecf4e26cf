//! An agent that has learned: expectimax over the values of an n-tuple network.
//!
//! The network was trained by temporal-difference learning from its own games
//! (`docs/learning.md`). Its weights lie in a file beside the plugin, `ntuple.weights`,
//! which the build unpacks and which all workers share.

mod mapped_file;
mod network;
mod search;
mod slides;

use ntuple_network::downgraded_exponents;
use plugin_api::{
    Agent, Board, Choice, GameSetup, Info, Limits, NoParameters, PackedBoard, Refusal, Side, Turn,
    export_agent,
};
use search_kit::{Deepening, ThinkingTime};

pub use crate::{
    network::Network,
    search::{BoardValues, Search},
    slides::Moved,
};

/// The depth without a budget.
const DEFAULT_DEPTH: i32 = 3;
/// The most that an early end of the game can cost: a turn is hard if the search sees a part of
/// this lost.
const COST_OF_LOSS: f64 = 200_000.0;
/// The file of weights, beside the plugin.
const WEIGHTS: &str = "ntuple.weights";

/// The agent.
pub struct NTuple {
    search: Search<Network>,
    time: ThinkingTime,
}

impl Agent for NTuple {
    const INFO: Info = Info::new("ntuple", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("expectimax over values that were learned from its own games")
        .boards(4, 4)
        .honours(&[Limits::Time, Limits::Nodes])
        .files(&[WEIGHTS]);
    type Params = NoParameters;

    fn new(_params: NoParameters, setup: &GameSetup) -> Result<Self, Refusal> {
        if setup.rules.side != Side::FOUR {
            return Err("ntuple has learned 4×4 boards only".into());
        }
        let folder = setup
            .folder
            .as_deref()
            .ok_or("the host did not say where `ntuple.weights` lies")?;
        let network = Network::open(&folder.join(WEIGHTS))?;
        Ok(Self {
            search: Search::new(network, &setup.rules),
            time: ThinkingTime::new(setup.limit, COST_OF_LOSS),
        })
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        let deepening = Deepening::new(self.search.root_moves(fitting(board)));
        let level = |value| final_score(turn, value);
        self.time
            .think(&mut self.search, deepening, turn, DEFAULT_DEPTH, level)
            .expect("a turn has a legal move")
    }
}

/// The board, with tiles too large to pack downgraded. All moves start from it, so that their
/// gains are on the same scale; what merges with what is the same as on the exact board.
fn fitting(board: &Board) -> PackedBoard {
    let exponents = board.exponents().try_into();
    let exponents = exponents.expect("`new` accepts boards of 4×4 only");
    PackedBoard::from_bits(downgraded_exponents(exponents))
}

/// What the game is expected to score at its end. It changes little from turn to turn unless
/// a turn is hard, while the value, which is what is still to come, falls with every merge.
#[expect(
    clippy::cast_precision_loss,
    reason = "scores are far below the limit of exact numbers"
)]
fn final_score(turn: &Turn, value: f64) -> f64 {
    turn.score as f64 + value
}

export_agent!(NTuple);

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::{FourShare, Limit, Rules, Tiles};
    use search_kit::{conduct, trial::play_game};

    /// Where the build has unpacked the weights: above the folder of the test program.
    fn setup(limit: Limit) -> GameSetup {
        let program = std::env::current_exe().unwrap();
        let folder = program.ancestors().nth(2).unwrap();
        GameSetup::new()
            .with_limit(limit)
            .with_folder(folder.to_path_buf())
    }

    /// `play_game` fails on an illegal move and on more nodes than allowed.
    #[test]
    fn whole_games_are_legal_within_their_nodes_and_repeatable() {
        for nodes in [0, 7, 60] {
            let play = || {
                let trial = play_game::<NTuple>(NoParameters {}, &setup(Limit::Nodes(nodes)), 3);
                let trial = trial.unwrap();
                (trial.score, trial.turn_ns.len(), trial.nodes, trial.depths)
            };
            assert_eq!(play(), play());
        }
    }

    #[test]
    fn more_nodes_play_better() {
        let score = |nodes| -> u64 {
            let game =
                |seed| play_game::<NTuple>(NoParameters {}, &setup(Limit::Nodes(nodes)), seed);
            (1..=3).map(|seed| game(seed).unwrap().score).sum()
        };
        let (few, many) = (score(0), score(300));
        assert!(many > few, "{few} {many}");
    }

    #[test]
    fn other_rules_are_played_to_the_end() {
        let four = FourShare::new(0.6).unwrap();
        for tiles in [Tiles::Random, Tiles::Deterministic] {
            let rules = Rules {
                four,
                tiles,
                goal: Some(512),
                ..Rules::default()
            };
            let setup = setup(Limit::Nodes(50)).with_rules(rules);
            let trial = play_game::<NTuple>(NoParameters {}, &setup, 5).unwrap();
            assert_eq!(trial.highest, 512, "{tiles:?}");
        }
    }

    #[test]
    fn the_goal_is_worth_more_than_anything_else() {
        let board: Board = "1024 1024 512 4 / 512 64 32 8 / 0 0 0 0 / 0 0 0 0"
            .parse()
            .unwrap();
        let rules = Rules {
            goal: Some(2048),
            ..Rules::default()
        };
        let mut agent =
            NTuple::new(NoParameters {}, &setup(Limit::None).with_rules(rules)).unwrap();
        let choice = agent.choose(&board, &Turn::unlimited());
        assert!(board.slide(choice.direction).unwrap().board.highest() == 2048);
    }

    #[test]
    fn boards_with_tiles_too_large_to_pack_are_played() {
        conduct::moves_are_legal_with_the_highest_tiles::<NTuple>(
            &NoParameters {},
            &setup(Limit::None),
        );
    }

    #[test]
    fn without_limit_the_depth_is_three_moves() {
        let board: Board = "2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 2 0 4 0"
            .parse()
            .unwrap();
        let mut agent = NTuple::new(NoParameters {}, &setup(Limit::None)).unwrap();
        let choice = agent.choose(&board, &Turn::unlimited());
        assert_eq!(choice.depth, Some(3));
        assert!(choice.nodes > Some(0));
        assert!(choice.values[choice.direction.index()].is_some());
    }

    #[test]
    fn other_boards_and_missing_weights_are_refused() {
        let refusal = |setup: &GameSetup| {
            NTuple::new(NoParameters {}, setup)
                .err()
                .unwrap()
                .to_string()
        };
        let rules = Rules {
            side: Side::new(3).unwrap(),
            ..Rules::default()
        };
        assert_eq!(
            refusal(&setup(Limit::None).with_rules(rules)),
            "ntuple has learned 4×4 boards only"
        );
        assert!(refusal(&GameSetup::new()).starts_with("the host did not say"));
        let nowhere = refusal(&GameSetup::new().with_folder("/nowhere".into()));
        assert!(
            nowhere.starts_with("`/nowhere/ntuple.weights` cannot be read"),
            "{nowhere}"
        );
    }
}
