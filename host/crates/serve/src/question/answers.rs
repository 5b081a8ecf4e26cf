//! The answers to a question, as they come.

use std::{
    convert::Infallible,
    sync::{Arc, atomic::AtomicBool},
    thread,
};

use axum::response::sse::Event;
use futures_util::Stream;
use plugin_api::{Direction, Status};
use serde::Serialize;
use tokio::sync::mpsc::Sender;

use super::question_request::Question;
use play::{
    player::{Fault, Interruption, NoMove},
    runner::AskedAgent,
};
use run::run_plan::RunPlan;

use crate::{
    event_stream::events_from, live_session::budget_label, session_registry::AskedPlaces,
    views::MoveEvaluation,
};

/// One line of the stream.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum AnswerEvent {
    /// The first line: the agents that answer.
    Asked { agents: Vec<AskedView> },
    Answer {
        agent: usize,
        /// How many moves were made before the position.
        n: u64,
        /// The move that was played there.
        played: Option<char>,
        direction: char,
        evaluation: MoveEvaluation,
    },
    /// An agent that answers no more, and what went wrong.
    Failed {
        agent: usize,
        n: u64,
        ending: &'static str,
        sentence: String,
    },
    /// An agent has answered everything.
    Done { agent: usize },
}

#[derive(Debug, Serialize)]
struct AskedView {
    name: String,
    budget: Option<String>,
}

/// Puts a question to its agents, each on a thread of its own.
pub(crate) fn answers(
    question: Question,
    places: AskedPlaces,
) -> impl Stream<Item = Result<Event, Infallible>> {
    events_from(move |sender, stop| {
        let asked = AnswerEvent::Asked {
            agents: question.plans.iter().map(AskedView::new).collect(),
        };
        // The channel is empty, so there is room.
        let _ = sender.try_send(asked);
        let (question, places) = (Arc::new(question), Arc::new(places));
        for agent in 0..question.plans.len() {
            let (question, places) = (Arc::clone(&question), Arc::clone(&places));
            let (sender, stop) = (sender.clone(), Arc::clone(&stop));
            thread::spawn(move || {
                question.put(agent, &stop, &sender);
                drop(places);
            });
        }
    })
}

impl AskedView {
    fn new(plan: &RunPlan) -> Self {
        Self {
            name: plan.agents[0].name.clone(),
            budget: budget_label(plan),
        }
    }
}

impl Question {
    /// Asks one agent about all positions, until the viewer is gone.
    fn put(&self, agent: usize, stop: &AtomicBool, sender: &Sender<AnswerEvent>) {
        let mut n = self.from;
        let last = match self.answer(agent, &mut n, stop, sender) {
            Ok(()) => AnswerEvent::Done { agent },
            Err(error) => AnswerEvent::of_error(agent, n, error),
        };
        // Without a viewer the answer is not needed.
        let _ = sender.blocking_send(last);
    }

    fn answer(
        &self,
        agent: usize,
        n: &mut u64,
        stop: &AtomicBool,
        sender: &Sender<AnswerEvent>,
    ) -> Result<(), NoMove> {
        let mut asked = AskedAgent::start(&self.plans[agent], self.game.seed, stop)?;
        let mut replay = self.game.replay();
        let letters = self.game.moves.chars().map(Some).chain([None]);
        for (number, played) in (0..=self.to).zip(letters) {
            let game = replay.game();
            if number >= self.from && game.status() == Status::Running {
                *n = number;
                let (direction, said) = asked.ask(game)?;
                let answer = AnswerEvent::Answer {
                    agent,
                    n: number,
                    played,
                    direction: Direction::letter(direction),
                    evaluation: MoveEvaluation::new(game.board(), direction, &said),
                };
                if sender.blocking_send(answer).is_err() {
                    return Err(NoMove::Interrupted(Interruption::Stopped));
                }
            }
            // A move that cannot be played ends the replay; `host verify` says more.
            if !matches!(replay.next(), Some(Ok(_))) {
                break;
            }
        }
        Ok(())
    }
}

impl AnswerEvent {
    fn of_error(agent: usize, n: u64, error: NoMove) -> Self {
        let (ending, sentence) = match error {
            NoMove::Fault(Fault {
                ending, sentence, ..
            }) => (ending.name(), sentence),
            NoMove::Interrupted(interruption) => interruption.in_words(),
        };
        Self::Failed {
            agent,
            n,
            ending,
            sentence,
        }
    }
}
