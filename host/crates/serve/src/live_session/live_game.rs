//! The current state of one game of a live session.

use plugin_api::Board;
use serde::Serialize;

use play::{player::Interruption, referee::WatchedMove};
use run::{game_record::GameRecord, thought_files::GameThoughts};

use crate::{
    saved_session::EndedGame,
    views::{EndingView, MoveEvaluation, StepView},
};

/// A game and everything that viewers can see of it.
#[derive(Clone, Debug)]
pub(super) struct LiveGame {
    moves: String,
    board: Board,
    score: u64,
    evaluation: Option<MoveEvaluation>,
    thoughts: GameThoughts,
    /// The last move.
    step: Option<StepView>,
    end: Option<LiveGameEnd>,
}

/// How a game ended. A game that was stopped has no record.
#[derive(Clone, Debug)]
struct LiveGameEnd {
    view: LiveEnding,
    record: Option<GameRecord>,
    stderr_tail: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct LiveEnding {
    #[serde(flatten)]
    ending: EndingView,
    stderr_tail: String,
}

/// What a viewer who has seen the first `from` moves needs to catch up.
#[derive(Debug, Serialize)]
pub(super) struct GameUpdate<'g> {
    /// The index of the game in the session.
    game: usize,
    from: usize,
    n: usize,
    moves: &'g str,
    board: &'g [u8],
    score: u64,
    highest: u64,
    evaluation: Option<&'g MoveEvaluation>,
    /// The tile paths, if the update is exactly one move, so that the page can animate it.
    step: Option<&'g StepView>,
    ending: Option<&'g LiveEnding>,
}

/// How much of a game a viewer has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ViewerPosition {
    n_moves: usize,
    has_ended: bool,
}

impl LiveGame {
    pub(super) fn new(start: Board) -> Self {
        Self {
            moves: String::new(),
            board: start,
            score: 0,
            evaluation: None,
            thoughts: GameThoughts::default(),
            step: None,
            end: None,
        }
    }

    pub(super) fn n_moves(&self) -> u64 {
        self.moves.len() as u64
    }

    pub(super) fn moves(&self) -> &str {
        &self.moves
    }

    pub(super) fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// A game that was played to its end.
    pub(super) fn ended(&self) -> Option<EndedGame> {
        let end = self.end.as_ref()?;
        Some(EndedGame {
            record: end.record.clone()?,
            stderr_tail: end.stderr_tail.clone(),
            thoughts: self.thoughts.clone(),
        })
    }

    pub(super) fn add_move(&mut self, made: &WatchedMove<'_>) {
        let after = made.game.board();
        self.step = Some(StepView::new(&self.board, made.direction, made.gain, after));
        let evaluation = MoveEvaluation::new(&self.board, made.direction, made.reply);
        self.evaluation = Some(evaluation);
        made.reply.add_to(&mut self.thoughts, made.direction);
        self.moves.push(made.direction.letter());
        self.board = *after;
        self.score = made.game.score();
    }

    pub(super) fn finish(&mut self, result: Result<(GameRecord, String), Interruption>) {
        self.end = Some(match result {
            Ok((record, stderr_tail)) => LiveGameEnd::of_record(record, stderr_tail),
            Err(interruption) => LiveGameEnd::of_interruption(interruption),
        });
    }

    pub(super) fn position(&self) -> ViewerPosition {
        ViewerPosition {
            n_moves: self.moves.len(),
            has_ended: self.has_ended(),
        }
    }

    /// What has changed since a viewer's position; `index` is the game's place in the session.
    pub(super) fn update_since(
        &self,
        index: usize,
        position: Option<ViewerPosition>,
    ) -> Option<GameUpdate<'_>> {
        if position == Some(self.position()) {
            return None;
        }
        let from = position.map_or(0, |position| position.n_moves);
        let n = self.moves.len();
        let is_one_move = position.is_some() && n == from + 1;
        Some(GameUpdate {
            game: index,
            from,
            n,
            moves: &self.moves[from..],
            board: self.board.exponents(),
            score: self.score,
            highest: self.board.highest(),
            evaluation: self.evaluation.as_ref(),
            step: self.step.as_ref().filter(|_| is_one_move),
            ending: self.end.as_ref().map(|end| &end.view),
        })
    }
}

impl LiveGameEnd {
    fn of_record(record: GameRecord, stderr_tail: String) -> Self {
        Self {
            view: LiveEnding {
                ending: EndingView::of_record(&record),
                stderr_tail: run::stderr_files::shown(&stderr_tail).join("\n"),
            },
            record: Some(record),
            stderr_tail,
        }
    }

    fn of_interruption(interruption: Interruption) -> Self {
        Self {
            view: LiveEnding {
                ending: EndingView::of_interruption(interruption),
                stderr_tail: String::new(),
            },
            record: None,
            stderr_tail: String::new(),
        }
    }
}
