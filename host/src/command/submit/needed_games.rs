//! The games that the shards of a tournament have to play next.

use std::num::NonZeroU32;

use run::{
    counted::{Counted, Decision, DecisionState},
    merge::{Merger, Part},
    run_plan::RunPlan,
    shard::Shard,
    stage::Stage,
};

use crate::command::{CommandError, merge::merge_error};

/// What is missing, according to the logs of the shards.
pub(super) struct NeededGames {
    /// The numbers of the shards that lack games.
    pub(super) shards: Vec<u32>,
    /// How many games every shard has in the end, or in this stage.
    pub(super) games_of_shards: Vec<u64>,
    /// Where there is a stop rule.
    pub(super) stage: Option<Stage>,
    /// The seeds of the look that the stage leads to.
    pub(super) look: Option<u64>,
}

impl NeededGames {
    /// `parts` are the shards that have begun.
    pub(super) fn of(
        plan: &RunPlan,
        n_shards: NonZeroU32,
        parts: &[Part],
    ) -> Result<Self, CommandError> {
        let games = plan.games();
        if parts.is_empty() {
            let decision = Counted::of(plan, []).decision;
            let stage = decision.as_ref().map(|decision| Stage::of(plan, decision));
            let games_of_shards = counts(plan, n_shards, stage.as_ref());
            let with_games = (1..)
                .zip(&games_of_shards)
                .filter(|(_, n_games)| **n_games > 0);
            return Ok(Self {
                shards: with_games.map(|(number, _)| number).collect(),
                games_of_shards,
                look: decision.as_ref().and_then(next_look),
                stage,
            });
        }
        let merger = Merger::new(parts).map_err(merge_error)?;
        let shards = merger.missing.iter().filter_map(|games| games.shard);
        let decision = merger.counted.decision.as_ref();
        // The secret salt of the shards orders the games.
        let plan = parts.first().map_or(plan, |part| &part.plan);
        let stage = decision.map(|decision| Stage::of(plan, decision));
        debug_assert_eq!(games.n_games(), plan.games().n_games());
        Ok(Self {
            shards: shards.map(Shard::number).collect(),
            games_of_shards: counts(plan, n_shards, stage.as_ref()),
            look: decision.and_then(next_look),
            stage,
        })
    }
}

fn next_look(decision: &Decision) -> Option<u64> {
    match decision.state {
        DecisionState::Unfinished { seeds } => Some(seeds),
        DecisionState::Settled { .. } | DecisionState::Open { .. } => None,
    }
}

fn counts(plan: &RunPlan, n_shards: NonZeroU32, stage: Option<&Stage>) -> Vec<u64> {
    let games = plan.games();
    let Some(stage) = stage else {
        return Shard::all(n_shards)
            .map(|shard| shard.n_games(&games))
            .collect();
    };
    let mut counts = vec![0; usize::try_from(n_shards.get()).unwrap_or(usize::MAX)];
    for game in games.games().filter(|game| stage.has(&games, game)) {
        let shard = Shard::of_game(game.number, games.games_per_seed(), n_shards);
        counts[usize::try_from(shard.number() - 1).unwrap_or(usize::MAX)] += 1;
    }
    counts
}
