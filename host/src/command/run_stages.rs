//! Plays the games of a run: all of them, or look by look until neighbours are separated.

use arena2048::{
    game_log::GameLog,
    game_plan::{GamePlan, PlannedGame},
    game_record::GameRecord,
    report::{Decision, decide},
    run_folder::Leftovers,
    run_plan::RunPlan,
    tournament_runner::{self, Event, Outcome, RunError, RunOptions},
};

use super::run_progress::Progress;

/// Plays what is missing and wanted. With a stop rule the games of one look are
/// played to their end before the next look begins, so that the number of workers
/// decides nothing; what an earlier execution decided is decided again from its
/// records, without a game. `watch` hears of everything before it is shown.
pub(super) fn play(
    plan: &RunPlan,
    leftovers: &mut Leftovers,
    log: &mut GameLog,
    options: &RunOptions<'_>,
    chosen_seeds: &[u64],
    progress: &mut Progress,
    mut watch: impl FnMut(&Event<'_>, &Progress),
) -> Result<Outcome, RunError> {
    if plan.stop().is_none() {
        return tournament_runner::run(plan, leftovers, log, options, |event| {
            watch(&event, progress);
            progress.show(&event);
        });
    }
    let games_per_seed = GamePlan::new(&plan.tournament).games_per_seed();
    let mut seeds_of_last_look = 0;
    while let Some(seeds) = next_look(plan, leftovers, seeds_of_last_look, progress) {
        if seeds == seeds_of_last_look {
            // Games of this look are missing because they were not wanted.
            break;
        }
        seeds_of_last_look = seeds;
        progress.aim_at(format!(" up to the look at {seeds} seeds"));
        let n_games = seeds.saturating_mul(games_per_seed);
        // Seeds that were chosen by hand are played now; they count when their look comes.
        let wanted = |game: &PlannedGame| {
            (game.number < n_games || !chosen_seeds.is_empty()) && (options.wanted)(game)
        };
        let options = RunOptions {
            wanted: &wanted,
            ..*options
        };
        let mut ended: Vec<GameRecord> = Vec::new();
        let outcome = tournament_runner::run(plan, leftovers, log, &options, |event| {
            if let Event::GameEnded { record, .. } = &event {
                ended.push(without_moves(record));
            }
            watch(&event, progress);
            progress.show(&event);
        })?;
        let by_number = ended.into_iter().map(|record| (record.game, record));
        leftovers.records.extend(by_number);
        progress.finish();
        if outcome == Outcome::Interrupted {
            return Ok(outcome);
        }
    }
    Ok(Outcome::Finished)
}

/// The seeds of the look whose games are missing; `None` where the tournament has
/// enough. Says what each look after `looked_at` seeds has found.
fn next_look(
    plan: &RunPlan,
    leftovers: &Leftovers,
    looked_at: u64,
    progress: &Progress,
) -> Option<u64> {
    let mut records: Vec<&GameRecord> = leftovers.records.values().collect();
    records.sort_by_key(|record| record.game);
    let decision = decide(&plan.report_input(), &records, |seeds, open| {
        if seeds >= looked_at {
            let open: Vec<String> = open.iter().map(ToString::to_string).collect();
            progress.say(&format!(
                "look at {seeds} seeds: not yet separated: {}",
                open.join("; ")
            ));
            // What an earlier execution looked at is told in one line.
            if looked_at > 0 {
                progress.say_standings();
            }
        }
    })?;
    match decision {
        Decision::Unfinished { seeds } => Some(seeds),
        Decision::Settled { .. } | Decision::Open { .. } => {
            progress.say(&decision.to_string());
            None
        }
    }
}

/// The moves are in the log; they decide nothing.
fn without_moves(record: &GameRecord) -> GameRecord {
    GameRecord {
        moves: String::new(),
        ..record.clone()
    }
}
