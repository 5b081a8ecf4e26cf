//! One game of a show as it stands.

use plugin_api::Board;
use serde::Serialize;

use crate::{
    game_record::GameRecord,
    referee::{Interruption, WatchedMove},
    serve::views::{StepView, Thought},
};

/// A game and all that is told of it.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    moves: String,
    board: Board,
    score: u64,
    thought: Option<Thought>,
    /// The last move.
    step: Option<StepView>,
    end: Option<LaneEnd>,
}

/// How a game ended; without a record it was stopped.
#[derive(Clone, Debug)]
struct LaneEnd {
    view: EndView,
    record: Option<GameRecord>,
    last_words: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct EndView {
    kind: &'static str,
    /// Whether the agent did something wrong.
    fault: bool,
    sentence: String,
    last_words: String,
}

/// What a viewer is told who knew the game after `from` moves.
#[derive(Debug, Serialize)]
pub(super) struct LaneNews<'l> {
    lane: usize,
    from: usize,
    n: usize,
    moves: &'l str,
    board: &'l [u8],
    score: u64,
    highest: u64,
    thought: Option<&'l Thought>,
    /// Where it is one move: enough to show it slide.
    step: Option<&'l StepView>,
    ending: Option<&'l EndView>,
}

/// How much of a game a viewer knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    n_moves: usize,
    has_ended: bool,
}

impl Lane {
    pub(super) fn new(start: Board) -> Self {
        Self {
            moves: String::new(),
            board: start,
            score: 0,
            thought: None,
            step: None,
            end: None,
        }
    }

    pub(super) fn n_moves(&self) -> u64 {
        self.moves.len() as u64
    }

    pub(super) fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// The record of a game that came to its end, and what the agent printed last.
    pub(super) fn record(&self) -> Option<(&GameRecord, &str)> {
        let end = self.end.as_ref()?;
        Some((end.record.as_ref()?, &end.last_words))
    }

    pub(super) fn add_move(&mut self, made: &WatchedMove<'_>) {
        let after = made.game.board();
        self.step = Some(StepView::new(&self.board, made.direction, made.gain, after));
        self.thought = Some(Thought::new(made.reply));
        self.moves.push(made.direction.letter());
        self.board = *after;
        self.score = made.game.score();
    }

    pub(super) fn finish(&mut self, result: Result<(GameRecord, String), Interruption>) {
        let without_record = |kind, sentence: String| LaneEnd {
            view: EndView {
                kind,
                fault: false,
                sentence,
                last_words: String::new(),
            },
            record: None,
            last_words: String::new(),
        };
        self.end = Some(match result {
            Ok((record, last_words)) => LaneEnd {
                view: EndView {
                    kind: record.ending.name(),
                    fault: record.ending.is_fault(),
                    sentence: record
                        .fault
                        .clone()
                        .unwrap_or_else(|| record.ending.sentence().to_owned()),
                    last_words: crate::last_words::shown(&last_words).join("\n"),
                },
                record: Some(record),
                last_words,
            },
            Err(Interruption::Stopped) => without_record("stopped", "was stopped".to_owned()),
            Err(Interruption::KilledFromOutside(signal)) => without_record(
                "killed",
                format!("its worker was killed from outside ({signal})"),
            ),
        });
    }

    pub(super) fn known(&self) -> Known {
        Known {
            n_moves: self.moves.len(),
            has_ended: self.has_ended(),
        }
    }

    /// What is new to who knew so much; `lane` is its place in the show.
    pub(super) fn news(&self, lane: usize, known: Option<Known>) -> Option<LaneNews<'_>> {
        if known == Some(self.known()) {
            return None;
        }
        let from = known.map_or(0, |known| known.n_moves);
        let n = self.moves.len();
        let is_one_move = known.is_some() && n == from + 1;
        Some(LaneNews {
            lane,
            from,
            n,
            moves: &self.moves[from..],
            board: self.board.exponents(),
            score: self.score,
            highest: self.board.highest(),
            thought: self.thought.as_ref(),
            step: self.step.as_ref().filter(|_| is_one_move),
            ending: self.end.as_ref().map(|end| &end.view),
        })
    }
}
