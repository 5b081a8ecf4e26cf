//! Plays the games of a run: all of them, or up to the interim analysis that settles it.

use crate::{
    play::runner::{self, Event, Outcome, RunError, RunOptions},
    report::{Decision, ReportInput, decide},
    run::{
        game_log::GameLog, game_plan::PlannedGame, game_record::GameRecord, leftovers::Leftovers,
        run_plan::RunPlan,
    },
};

use super::run_progress::RunProgress;

/// Plays the games that are missing and wanted. With a stop rule, all games up to an
/// interim analysis are played before the next ones begin, so that the number of workers
/// has no influence. Analyses of an earlier execution are repeated from its records,
/// without playing. `observe` is called with every event before it is shown.
pub(super) fn play(
    plan: &RunPlan,
    leftovers: &mut Leftovers,
    log: &mut GameLog,
    options: &RunOptions<'_>,
    chosen_seeds: &[u64],
    progress: &mut RunProgress,
    mut observe: impl FnMut(&Event<'_>, &RunProgress),
) -> Result<Outcome, RunError> {
    if plan.stop().is_none() {
        return runner::run(plan, leftovers, log, options, |event| {
            observe(&event, progress);
            progress.show(&event);
        });
    }
    let games = plan.games();
    let mut seeds_of_last_analysis = 0;
    while let Some(seeds) = next_analysis(plan, leftovers, seeds_of_last_analysis, progress) {
        if seeds == seeds_of_last_analysis {
            // Games of this analysis are missing because they were not wanted.
            break;
        }
        seeds_of_last_analysis = seeds;
        progress.set_aim(format!(" up to the interim analysis at {seeds} seeds"));
        let end = games.end_of_seeds(seeds);
        // Seeds chosen with --seed are played now; they count when their analysis comes.
        let wanted = |game: &PlannedGame| {
            (game.number < end || !chosen_seeds.is_empty()) && (options.wanted)(game)
        };
        let options = RunOptions {
            wanted: &wanted,
            ..*options
        };
        let mut ended: Vec<GameRecord> = Vec::new();
        let outcome = runner::run(plan, leftovers, log, &options, |event| {
            if let Event::GameEnded { record, .. } = &event {
                ended.push(without_moves(record));
            }
            observe(&event, progress);
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

/// The number of seeds of the next interim analysis that lacks games; `None` if the
/// tournament is over. Prints the result of each analysis after `analysed` seeds.
fn next_analysis(
    plan: &RunPlan,
    leftovers: &Leftovers,
    analysed: u64,
    progress: &RunProgress,
) -> Option<u64> {
    let mut records: Vec<&GameRecord> = leftovers.records.values().collect();
    records.sort_by_key(|record| record.game);
    let decision = decide(&ReportInput::of(plan), &records, |seeds, open| {
        if seeds >= analysed {
            let open: Vec<String> = open.iter().map(ToString::to_string).collect();
            progress.print_line(&format!(
                "interim analysis at {seeds} seeds: not yet separated: {}",
                open.join("; ")
            ));
            // Analyses of an earlier execution get one line each.
            if analysed > 0 {
                progress.print_standings();
            }
        }
    })?;
    match decision {
        Decision::Unfinished { seeds } => Some(seeds),
        Decision::Settled { .. } | Decision::Open { .. } => {
            progress.print_line(&decision.to_string());
            None
        }
    }
}

/// The record without its moves, which are in the log and not needed for the analysis.
fn without_moves(record: &GameRecord) -> GameRecord {
    GameRecord {
        moves: String::new(),
        ..record.clone()
    }
}
