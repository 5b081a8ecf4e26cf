//! Expectimax: plays by the mean over the new tiles.
//!
//! With `depth` it is the paper's agent with the evaluation `H`. Without it, it plays
//! as well as the budget allows: a search over row tables that deepens as long as time
//! or nodes last.

use std::time::Duration;

use plugin_api::{
    Agent, Board, Choice, Direction, Extension, GameSetup, Info, Limit, Limits, Refusal, Turn,
    explain::{self, ExplainExtension, ExplainRequest, Explainer, Explanation},
    export_agent, parameters,
};
use search_kit::{
    BudgetSearch, ChanceSearch, LineSearch, LineValues, LostBoard, NoRecorder, PAPER_ORDER,
    PaperEvaluation, PaperWeights, Recorder, TreeRecorder, Weights, check_is_seen_exactly,
    line_search::LateMoves, root_moves,
};

/// The paper's value of a board without a legal move.
const LOST_IN_THE_PAPER: f64 = -1e9;
/// The most moves of the parameter `depth`.
const MOST_MOVES: u8 = 8;
/// Each time a move is this much worse than the best one, it is searched one level less.
const LEVEL_LESS: i32 = 50_000;
/// The budget per move from which the weights are those for a deep search.
const DEEP_TIME: Duration = Duration::from_micros(500);
const DEEP_NODES: u64 = 40_000;
/// A move that leads by this much after a part of the time needs no more of it.
const EASY_LEAD: f64 = 10_000.0;

parameters! {
    /// Parameters of expectimax.
    pub struct Params {
        /// If set, the agent of the paper plays: it looks this many moves ahead with
        /// the paper's evaluation and ignores budgets. If not, the search goes as deep
        /// as the budget allows, or 5 moves deep without a budget.
        #[schemars(range(min = 1, max = 8))]
        pub depth: Option<u8> = None,
        /// The value of an empty cell in a row or column. If not set, 270 for a deep search (0.5
        /// ms, 40,000 nodes or more per move) and 1800 otherwise.
        #[schemars(range(min = 0, max = 100_000))]
        pub empty: Option<f64> = None,
        /// The value of a tile with an equal neighbour.
        #[schemars(range(min = 0, max = 100_000))]
        pub merges: f64 = 700.0,
        /// The cost of disorder in a row or column. If not set, 47 for a deep search and 24
        /// otherwise.
        #[schemars(range(min = 0, max = 1000))]
        pub order: Option<f64> = None,
        /// The cost of tiles; small tiles cost more than the large one they merge into.
        #[schemars(range(min = 0, max = 1000))]
        pub tiles: f64 = 11.0,
        /// One eighth of the cost of a lost board.
        #[schemars(range(min = 0, max = 10_000_000))]
        pub lost: f64 = 200_000.0,
        /// With `depth`, A in the paper's evaluation A·E − B·D − C·P: what an empty cell is worth.
        #[schemars(range(min = 0, max = 1_000_000))]
        pub a: u32 = 4096,
        /// With `depth`, B: what a difference between neighbours costs.
        #[schemars(range(min = 0, max = 2000))]
        pub b: u32 = 10,
        /// With `depth`, C: what a tile away from the edge costs.
        #[schemars(range(min = 0, max = 2000))]
        pub c: u32 = 10,
        /// With `depth`: whether boards are stored in a table. Without, the search finds the same
        /// values with more nodes.
        pub table: bool = true,
    }
}

/// The agent.
pub struct Expectimax(Mode<NoRecorder>);

/// How it plays; the recorder sees the tree.
enum Mode<R> {
    Paper {
        search: Box<ChanceSearch<PaperEvaluation, R>>,
        depth: u8,
    },
    Budget(Box<BudgetSearch<LineSearch<LineValues, R>>>),
}

impl Agent for Expectimax {
    const INFO: Info = Info::new("expectimax", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("plays by the mean over the new tiles, as deep as the budget allows")
        .boards(2, 4)
        .honours(&[Limits::Time, Limits::Nodes])
        .extensions(&[explain::NAME]);
    type Params = Params;

    fn new(params: Params, setup: &GameSetup) -> Result<Self, Refusal> {
        Mode::new(&params, setup, NoRecorder).map(Self)
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        self.0.choose(board, turn)
    }

    fn extension(name: &str) -> Option<Box<dyn Extension>> {
        (name == explain::NAME).then(|| Box::new(ExplainExtension::<Self>::new()) as _)
    }
}

impl Explainer for Expectimax {
    fn explain(
        params: Params,
        board: &Board,
        request: &ExplainRequest,
    ) -> Result<Explanation, Refusal> {
        check_is_seen_exactly(board)?;
        let recorder = TreeRecorder::new(request.nodes);
        let mut mode = Mode::new(&params, &request.setup, recorder)?;
        if let Some(depth) = request.depth {
            mode.set_deepest(depth)?;
        }
        let choice = mode.choose(board, &request.turn());
        Ok(match mode {
            Mode::Paper { search, depth } => {
                let moves = if depth == 1 { "move" } else { "moves" };
                let method = format!("expectimax, {depth} {moves} deep");
                Explanation {
                    formula: Some(params.paper_weights().formula()),
                    ..search.into_recorder().into_explanation(method, &choice)
                }
            }
            Mode::Budget(search) => {
                let recorder = search.into_search().into_recorder();
                recorder.into_explanation("expectimax over rows and columns".to_owned(), &choice)
            }
        })
    }
}

impl<R: Recorder> Mode<R> {
    fn new(params: &Params, setup: &GameSetup, recorder: R) -> Result<Self, Refusal> {
        let mode = match params.depth {
            Some(depth) => Self::paper(depth, params, setup, recorder),
            None => Self::budget(&params.weights(setup.limit), setup, recorder),
        };
        mode.ok_or_else(|| "expectimax supports boards up to 4×4".into())
    }

    fn paper(depth: u8, params: &Params, setup: &GameSetup, recorder: R) -> Option<Self> {
        let rules = &setup.rules;
        let lost = LostBoard::Worth(LOST_IN_THE_PAPER);
        let evaluation = PaperEvaluation::weighted(rules.side, params.paper_weights())?;
        let search = ChanceSearch::new(evaluation, rules, lost)?.with_table(params.table);
        Some(Self::Paper {
            search: Box::new(search.with_recorder(recorder)),
            depth,
        })
    }

    fn budget(weights: &Weights, setup: &GameSetup, recorder: R) -> Option<Self> {
        let values = LineValues::new(weights, setup.rules.side);
        let search = LineSearch::new(values, &setup.rules)?
            .with_late_moves(LateMoves::ByDifference(LEVEL_LESS))
            .with_recorder(recorder);
        let search = BudgetSearch::new(search, setup.limit).with_easy_lead(EASY_LEAD);
        Some(Self::Budget(Box::new(search)))
    }

    /// Searches this deep, or as far as a budget allows.
    fn set_deepest(&mut self, deepest: u32) -> Result<(), Refusal> {
        match self {
            Self::Paper { depth, .. } => {
                let moves = u8::try_from(deepest).ok();
                let moves = moves.filter(|moves| (1..=MOST_MOVES).contains(moves));
                *depth = moves.ok_or_else(|| {
                    format!("depth {deepest}: it searches 1 to {MOST_MOVES} moves, as its parameter `depth`")
                })?;
            }
            Self::Budget(search) => search.set_deepest(deepest),
        }
        Ok(())
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        let choice = match self {
            Self::Paper { search, depth } => choose_as_in_the_paper(search, *depth, board),
            Self::Budget(search) => {
                root_moves(board, Direction::ALL).and_then(|moves| search.choose(&moves, turn))
            }
        };
        choice.expect("a turn has a legal move, and `new` accepts sides up to 4 only")
    }
}

impl Params {
    fn paper_weights(&self) -> PaperWeights {
        PaperWeights {
            empty: self.a,
            difference: self.b,
            inner: self.c,
        }
    }

    /// A deep search sees for itself what empty cells are good for.
    fn weights(&self, limit: Limit) -> Weights {
        let is_deep = match limit {
            Limit::Time { per_move, .. } => per_move >= DEEP_TIME,
            Limit::Nodes(nodes) => nodes >= DEEP_NODES,
            Limit::None => false,
        };
        let (empty, order) = if is_deep {
            (270.0, 47.0)
        } else {
            (1800.0, 24.0)
        };
        Weights {
            lost: self.lost,
            empty: self.empty.unwrap_or(empty),
            merges: self.merges,
            order: self.order.unwrap_or(order),
            tiles: self.tiles,
        }
    }
}

fn choose_as_in_the_paper<R: Recorder>(
    search: &mut ChanceSearch<PaperEvaluation, R>,
    depth: u8,
    board: &Board,
) -> Option<Choice> {
    let moves = root_moves(board, PAPER_ORDER)?;
    let mut budget = Turn::unlimited().budget();
    let values = search.move_values(&moves, depth.into(), &mut budget)?;
    let choice = values.to_choice()?;
    Some(choice.depth(depth.into()).nodes(budget.nodes()))
}

export_agent!(Expectimax);

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::{FourShare, Rules, Side};
    use search_kit::trial::play_game;

    fn setup(side: u8, limit: Limit) -> GameSetup {
        let rules = Rules {
            side: Side::new(side).unwrap(),
            ..Rules::default()
        };
        GameSetup::new().with_rules(rules).with_limit(limit)
    }

    /// `play_game` fails on an illegal move and on more nodes than allowed.
    #[test]
    fn whole_games_are_legal_within_their_nodes_and_repeatable() {
        for (side, nodes) in [(2, 500), (3, 300), (4, 0), (4, 60)] {
            let play = || {
                let setup = setup(side, Limit::Nodes(nodes));
                let trial = play_game::<Expectimax>(Params::default(), &setup, 3).unwrap();
                (trial.score, trial.turn_ns.len(), trial.nodes, trial.depths)
            };
            assert_eq!(play(), play());
        }
    }

    #[test]
    fn the_weights_follow_the_budget_unless_they_are_set() {
        let empty = |params: &Params, nodes| params.weights(Limit::Nodes(nodes)).empty;
        let empties = [DEEP_NODES - 1, DEEP_NODES].map(|nodes| empty(&Params::default(), nodes));
        assert!(empties[0] > empties[1]);
        let set = Params {
            empty: Some(empties[0]),
            ..Params::default()
        };
        assert!((empty(&set, DEEP_NODES) - empties[0]).abs() < 1e-9);
    }

    #[test]
    fn more_nodes_play_better() {
        let score = |nodes| -> u64 {
            let setup = setup(4, Limit::Nodes(nodes));
            let games =
                (1..=4).map(|seed| play_game::<Expectimax>(Params::default(), &setup, seed));
            games.map(|trial| trial.unwrap().score).sum()
        };
        assert!(score(400) > 2 * score(4));
    }

    #[test]
    fn boards_with_tiles_too_large_to_pack_are_played() {
        let boards = [
            "65536 65536 0 0 / 2 4 8 16 / 4 8 16 32 / 2 4 2 4",
            "131072 65536 32768 16384 / 2 4 8 8192 / 4 2 4 2 / 2 4 2 2",
            "32768 32768 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2",
            "131072 2 4 2 / 131072 4 2 4 / 2 8 4 2 / 4 2 8 4",
        ];
        for params in [
            Params::default(),
            Params {
                depth: Some(2),
                ..Params::default()
            },
        ] {
            for text in boards {
                let board: Board = text.parse().unwrap();
                let mut agent = Expectimax::new(params.clone(), &GameSetup::new()).unwrap();
                let choice = agent.choose(&board, &Turn::with_nodes(2000));
                assert!(board.slide(choice.direction).is_some(), "{text}");
            }
        }
    }

    #[test]
    fn without_limit_and_parameters_the_depth_is_five_moves() {
        let board: Board = "2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 2 0 4 0"
            .parse()
            .unwrap();
        let mut agent = Expectimax::new(Params::default(), &GameSetup::new()).unwrap();
        let choice = agent.choose(&board, &Turn::unlimited());
        assert_eq!(choice.depth, Some(5));
        assert!(choice.nodes > Some(0));
        assert!(choice.values[choice.direction.index()].is_some());
    }

    /// The values of the first board of the reference vectors, with a share of 4s of
    /// 0.2.
    #[test]
    fn paper_mode_has_the_reference_values_and_ignores_budgets() {
        let board: Board = "128 256 512 1024 / 16 128 64 32 / 2 4 2 16 / 8 4 2 2"
            .parse()
            .unwrap();
        let rules = Rules {
            four: FourShare::new(0.2).unwrap(),
            ..Rules::default()
        };
        let setup = GameSetup::new().with_rules(rules);
        let known = [
            (1, [-28504.0, -32440.0, -55980.0, -32432.0]),
            (2, [-28870.0, -32382.4, -50006.0, -32462.4]),
        ];
        for (depth, values) in known {
            let params = Params {
                depth: Some(depth),
                ..Params::default()
            };
            let mut agent = Expectimax::new(params, &setup).unwrap();
            let choice = agent.choose(&board, &Turn::with_nodes(1));
            for (found, value) in choice.values.into_iter().zip(values) {
                assert!(
                    (found.unwrap() - value).abs() < 1e-6,
                    "{found:?} is not {value}"
                );
            }
            assert_eq!(choice.direction, Direction::Up);
        }
    }

    #[test]
    fn a_board_that_is_too_large_is_rejected() {
        let refusal = Expectimax::new(Params::default(), &setup(5, Limit::None))
            .err()
            .unwrap();
        assert_eq!(refusal.to_string(), "expectimax supports boards up to 4×4");
    }
}
