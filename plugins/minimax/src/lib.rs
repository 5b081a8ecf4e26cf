//! Minimax: plays against an opponent who places the worst tile.
//!
//! Without a budget or with `depth` it is the paper's agent over the paper's `H`: it
//! searches `depth` plies, or as many of them as a budget allows. That agent is
//! pessimistic: if the worst tiles would end the game whatever it does, a deeper search
//! no longer distinguishes the moves, and it keeps its previous choice.
//!
//! With a budget and without `depth` it plays as well as it can, with the evaluation of
//! `expectimax` under other weights and against an opponent of limited power
//! (`worst_tiles`), which makes a deeper search a better one.

mod search;
mod worst_tiles;

use plugin_api::{
    Agent, Board, Choice, Extension, GameSetup, Info, Limit, Limits, Refusal, Turn,
    explain::{self, ExplainExtension, ExplainRequest, Explainer, Explanation, NodeKind},
    export_agent, parameters,
};
use search_kit::{
    AlphaBeta, BudgetSearch, LineValues, MoveValues, NoRecorder, PAPER_ORDER, PaperEvaluation,
    PaperWeights, Recorder, RootMove, SearchBudget, TreeRecorder, Weights, check_is_seen_exactly,
    root_moves,
};

use crate::search::OpponentSearch;

/// The plies without a budget and without the parameter: the paper's fast agent.
const DEFAULT_PLIES: u8 = 4;
/// The most plies of the parameter.
const MOST_PLIES: u8 = 20;

parameters! {
    /// Parameters of minimax.
    pub struct Params {
        /// If set, the agent of the paper plays: it looks this many plies ahead, where a
        /// move and a new tile are one ply each, or as many of them as a budget allows. If
        /// not, it plays as well as a budget allows, or as the paper's with 4 plies without
        /// a budget.
        #[schemars(range(min = 1, max = 20))]
        pub depth: Option<u8> = None,
        /// With a budget and without `depth`: how many times as likely as by chance the
        /// opponent can make a tile. With 1 it is chance itself, and with 1000 it places the
        /// worst tile.
        #[schemars(range(min = 1, max = 1000))]
        pub power: f32 = 2.0,
        /// A in the paper's evaluation A·E − B·D − C·P: what an empty cell is worth.
        #[schemars(range(min = 0, max = 1_000_000))]
        pub a: u32 = 4096,
        /// B: what a difference between neighbours costs.
        #[schemars(range(min = 0, max = 2000))]
        pub b: u32 = 10,
        /// C: what a tile away from the edge costs.
        #[schemars(range(min = 0, max = 2000))]
        pub c: u32 = 10,
        /// Whether the agent of the paper prunes by alpha and beta. Without, it finds the same
        /// values with more nodes.
        pub prune: bool = true,
        /// Whether the agent of the paper stores boards in a table. Without, it finds the same
        /// values with more nodes.
        pub table: bool = true,
    }
}

/// The agent.
pub struct Minimax(Mode<NoRecorder>);

/// How it plays; the recorder sees the tree.
enum Mode<R> {
    Paper(Box<PaperAgent<R>>),
    Budget(Box<BudgetSearch<OpponentSearch<R>>>),
}

/// The agent of the paper.
struct PaperAgent<R> {
    search: AlphaBeta<PaperEvaluation, R>,
    plies: u8,
}

impl Agent for Minimax {
    const INFO: Info = Info::new("minimax", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("plays against an opponent who places the worst tile")
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

impl Explainer for Minimax {
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
            Mode::Paper(agent) => {
                let pruning = if params.prune {
                    " with alpha–beta"
                } else {
                    ""
                };
                let plural = if agent.plies == 1 { "y" } else { "ies" };
                let method = format!("minimax{pruning}, {} pl{plural}", agent.plies);
                let recorder = agent.search.into_recorder();
                Explanation {
                    formula: Some(params.paper_weights().formula()),
                    ..recorder.into_explanation(method, &choice)
                }
            }
            Mode::Budget(search) => {
                let method = format!("minimax against an opponent of power {}", params.power);
                let recorder = search.into_search().into_recorder();
                let turn = format!(
                    "the mean over the worst tiles, each up to {} times as likely as by chance",
                    params.power
                );
                Explanation {
                    turns: [(NodeKind::Min, turn)].into(),
                    ..recorder.into_explanation(method, &choice)
                }
            }
        })
    }
}

impl<R: Recorder> Mode<R> {
    fn new(params: &Params, setup: &GameSetup, recorder: R) -> Result<Self, Refusal> {
        let mode = match (params.depth, setup.limit) {
            (None, Limit::Nodes(_) | Limit::Time { .. }) => {
                Self::budget(params.power, setup, recorder)
            }
            (..) => Self::paper(params, setup, recorder),
        };
        mode.ok_or_else(|| "minimax supports boards up to 4×4".into())
    }

    fn paper(params: &Params, setup: &GameSetup, recorder: R) -> Option<Self> {
        let rules = &setup.rules;
        let plies = params.depth.unwrap_or(DEFAULT_PLIES);
        let evaluation = PaperEvaluation::weighted(rules.side, params.paper_weights())?;
        let search = AlphaBeta::new(evaluation, rules)?
            .with_savings(params.prune, params.table)
            .with_recorder(recorder);
        Some(Self::Paper(Box::new(PaperAgent { search, plies })))
    }

    fn budget(power: f32, setup: &GameSetup, recorder: R) -> Option<Self> {
        let values = LineValues::new(&Weights::default(), setup.rules.side);
        let search = OpponentSearch::new(values, power, &setup.rules)?.with_recorder(recorder);
        Some(Self::Budget(Box::new(BudgetSearch::new(
            search,
            setup.limit,
        ))))
    }

    /// Searches this deep, or as far as a budget allows.
    fn set_deepest(&mut self, depth: u32) -> Result<(), Refusal> {
        match self {
            Self::Paper(agent) => {
                let plies = u8::try_from(depth).ok();
                let plies = plies.filter(|plies| (1..=MOST_PLIES).contains(plies));
                agent.plies = plies.ok_or_else(|| {
                    format!("depth {depth}: it searches 1 to {MOST_PLIES} plies, as its parameter `depth`")
                })?;
            }
            Self::Budget(search) => search.set_deepest(depth),
        }
        Ok(())
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        let moves = root_moves(board, PAPER_ORDER).expect("`new` accepts sides up to 4 only");
        let choice = match self {
            Self::Paper(agent) => agent.choose(&moves, turn),
            Self::Budget(search) => search.choose(&moves, turn),
        };
        choice.expect("a turn has a legal move")
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
}

impl<R: Recorder> PaperAgent<R> {
    fn choose(&mut self, moves: &[RootMove], turn: &Turn) -> Option<Choice> {
        let mut budget = SearchBudget::of(turn);
        let (values, plies) = if budget.is_limited() {
            self.deepen(moves.to_vec(), &mut budget)
        } else {
            let found = self.search.best_moves(moves, self.plies, &mut budget);
            (found.values, self.plies)
        };
        let choice = match values.to_choice() {
            Some(choice) => choice,
            None => moves.first()?.direction.into(),
        };
        let moves_ahead = u32::from(plies.div_ceil(2));
        Some(choice.depth(moves_ahead).nodes(budget.nodes()))
    }

    /// Searches with increasing depth. Returns the values of the deepest usable search,
    /// and its plies.
    fn deepen(&mut self, mut moves: Vec<RootMove>, budget: &mut SearchBudget) -> (MoveValues, u8) {
        let mut used = (MoveValues::default(), 0);
        for plies in 1..=self.plies {
            // An interrupted search is useful too: the previous best move comes first, and
            // a move that beats it is better.
            let found = self.search.best_moves(&moves, plies, budget);
            let Some((best, value)) = found.values.best() else {
                break;
            };
            if value == f64::NEG_INFINITY {
                break;
            }
            used = (found.values, plies);
            if !found.is_complete {
                break;
            }
            moves.sort_by_key(|root| root.direction != best);
        }
        used
    }
}

export_agent!(Minimax);
