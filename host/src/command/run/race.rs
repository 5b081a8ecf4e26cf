//! Plays the games of a run: all of them, or those of a race until every place is settled.

use play::runner::{self, Event, Outcome, RunError, RunOptions};
use run::{
    counted::{Counted, Decision},
    game_figures::GameFigures,
    game_log::{GameLog, LinePosition},
    game_plan::PlannedGame,
    leftovers::Leftovers,
    run_plan::RunPlan,
};
use text::number_text::counted;

use super::run_progress::RunProgress;

/// Plays the games that are missing and wanted. With a stop rule, all games up to a look are
/// played before the next ones begin, so the number of workers has no influence. Looks of
/// an earlier execution are repeated from its records, without playing. `observe` is called
/// with every event before it is shown.
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
    let mut last: Option<Decision> = None;
    loop {
        let counted = Counted::of(plan, &leftovers.figures);
        let Some(decision) = counted.decision.clone() else {
            break;
        };
        print_stops(plan, &decision, last.as_ref(), progress);
        let is_again = last.as_ref() == Some(&decision);
        if decision.is_over() {
            // Private seeds decide nothing, but are played too.
            let is_left = |game: PlannedGame| {
                !leftovers.played.contains(game.number)
                    && counted.needs(game.series(), game.number)
                    && (options.wanted)(&game)
            };
            if is_again || !games.games().any(is_left) {
                progress.print_line(&decision.state.to_string());
                break;
            }
            progress.set_aim(String::new());
        } else if is_again {
            // Games of this look are missing because they were not wanted.
            break;
        } else if chosen_seeds.is_empty() {
            progress.set_aim(format!(" up to the look at {} seeds", decision.seeds()));
        }
        // Seeds chosen with --seed are played now; they count when their look comes.
        let wanted = |game: &PlannedGame| {
            (counted.needs(game.series(), game.number) || !chosen_seeds.is_empty())
                && (options.wanted)(game)
        };
        let options = RunOptions {
            wanted: &wanted,
            ..*options
        };
        let mut ended = Vec::new();
        let outcome = runner::run(plan, leftovers, log, &options, |event| {
            if let Event::GameEnded { record, .. } = &event {
                let series = games.series_of(record.game);
                ended.push(GameFigures::new(record, series, LinePosition::default()));
            }
            observe(&event, progress);
            progress.show(&event);
        })?;
        for figures in &ended {
            leftovers
                .played
                .insert(figures.game, figures.fault_weight());
        }
        leftovers.figures.extend(ended);
        progress.finish();
        if outcome == Outcome::Interrupted {
            return Ok(outcome);
        }
        last = Some(decision);
    }
    Ok(Outcome::Finished)
}

/// Prints which agents have played enough since the last look.
fn print_stops(
    plan: &RunPlan,
    decision: &Decision,
    last: Option<&Decision>,
    progress: &RunProgress,
) {
    for (position, part) in decision.races.iter().enumerate() {
        for (agent, stop) in part.race.stops.iter().enumerate() {
            let was_known =
                last.is_some_and(|last| last.races[position].race.stops[agent].is_some());
            let Some(seeds) = stop.filter(|_| !was_known) else {
                continue;
            };
            let label = plan.budget_label(position);
            let budget = label.map_or_else(String::new, |label| format!(" (budget {label})"));
            progress.print_line(&format!(
                "after {}: the place of {}{budget} is settled",
                counted(seeds as u64, "seed"),
                plan.agents[agent].name
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use statistics::race::looks;
    use tournament::StopRule;

    #[test]
    fn the_fewest_seeds_of_a_stop_rule_are_those_of_the_first_look() {
        assert_eq!(looks(1, 2000).first(), Some(&StopRule::FEWEST_SEEDS));
    }
}
