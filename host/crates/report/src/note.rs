//! Notes: what a reader must know before relying on the figures.
//!
//! A note is made, with its sentence, by the function that finds its reason.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
};

use plugin_api::Tiles;

use super::{
    agent_summary::AgentSummary,
    budget_report::{AgentReport, BudgetReport},
    control_pair::is_suspicious,
    estimate_text::of_measure,
    fault_example::FaultExample,
    pair_report::{PairReport, PairVerdict},
};
use run::{
    counted::{Decision, GameCounts},
    game_figures::GameFigures,
    game_record::Ending,
    machine::{Machine, TOLERATED_FACTOR, factor},
    run_plan::RunPlan,
    shard::Shard,
};
use statistics::{FEW_GAMES, as_f64, game_outcome::Measure, joint_flips::smallest_p_value};
use text::{
    listing::{first_listed, listed},
    number_text::{
        count, counted, decimals, microseconds, p_value_in_a_sentence, percent_with_digits,
    },
    program,
};

/// How many games that were played again are named.
const N_EXAMPLES: usize = 5;
/// How many attempts of such a game are described.
const N_ATTEMPTS: usize = 10;

/// A lead worth fewer games may be one that rare early ends would undo: if 4 of all games ended
/// early on average, samples without any would be rarer than 1 in 50. In ordinary tournaments, no
/// lead that small is significant; see `docs/statistics.md`.
const SMALL_LEAD: f64 = 4.0;

/// A sentence about a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The label of the budget that it is about, where the tournament has several.
    pub budget: Option<String>,
    pub kind: NoteKind,
    /// The sentence, without the budget.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// How to read the figures.
    Figures,
    /// Games that ended with a fault and count; the page has a section on them.
    Faults,
}

impl Note {
    /// A note on the whole report.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self {
            budget: None,
            kind: NoteKind::Figures,
            text: text.into(),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(label) = &self.budget {
            write!(f, "budget {label}: ")?;
        }
        f.write_str(&self.text)
    }
}

/// Games are missing that a host which resumes the run would play.
pub(super) fn incomplete(games: &GameCounts) -> Option<Note> {
    (games.missing > 0).then(|| {
        Note::new(format!(
            "the run is incomplete: {} of {} are missing; `{}` with its tournament file plays \
             them",
            count(games.missing),
            counted(games.planned, "game"),
            program::command("run")
        ))
    })
}

pub(super) fn notes(
    plan: &RunPlan,
    budgets: &[BudgetReport],
    decision: Option<&Decision>,
    games: &GameCounts,
    records: &[&GameFigures],
) -> Vec<Note> {
    let planned = decision.map_or(plan.tournament.seeds.len(), Decision::seeds);
    let mut notes: Vec<Note> = incomplete(games).into_iter().collect();
    notes.extend(plan.shard.filter(|shard| !shard.is_whole()).map(one_shard));
    notes.extend(decision.map(|decision| stop_rule(decision, budgets)));
    for part in budgets {
        let on_budget = notes_on_budget(plan, part, planned).into_iter();
        notes.extend(on_budget.map(|note| Note {
            budget: part.label.clone(),
            ..note
        }));
    }
    notes.extend(several_budgets(plan, budgets));
    notes.extend(time_budget(plan));
    notes.extend(unequal_machines(plan));
    notes.extend(stolen_time(records));
    notes.extend(played_again(plan, records));
    notes.extend(known_tiles(plan));
    notes
}

fn notes_on_budget(plan: &RunPlan, part: &BudgetReport, planned: u64) -> Vec<Note> {
    let mut notes = Vec::new();
    notes.extend(part.control.as_ref().and_then(control));
    notes.extend(private_seeds(part));
    notes.extend(unequal_games(plan, part, planned));
    notes.extend(few_games(part));
    notes.extend(too_few_seeds(part));
    notes.extend(cut_games(plan, part));
    notes.extend(small_leads(part));
    notes.extend(same_moves(part));
    notes.extend(shared_ranks(part));
    notes.extend(part.agents.iter().flat_map(faults));
    notes
}

fn one_shard(shard: Shard) -> Note {
    Note::new(format!(
        "these are only the games of shard {shard}, which do not rank or disqualify agents; \
         `{}` combines all shards into one run",
        program::command("merge")
    ))
}

/// A difference that stopped its pair was large by luck as well. By how much was simulated; see
/// `docs/statistics.md`.
fn stop_rule(decision: &Decision, budgets: &[BudgetReport]) -> Note {
    let mut pairs = budgets.iter().flat_map(|part| &part.pairs);
    let stopped_early = pairs.any(|pair| {
        let is_win = pair.win().is_some();
        is_win && pair.decided_after == Some(pair.comparison.games)
    });
    let exaggerated = if stopped_early {
        "; a difference that ended the games of its pair is too large on average, by about a \
         tenth where agents are close"
    } else {
        ""
    };
    Note::new(format!(
        "{}; an agent stops when its place is settled, and the intervals of scores and differences \
         hold at any number of seeds{exaggerated}",
        decision.state
    ))
}

/// The two entries of the control.
fn control(control: &PairReport) -> Option<Note> {
    let (agent, comparison) = (&control.a, &control.comparison);
    // Intervals are those of claims at 5%, and a control is suspect at 1%.
    let figure = of_measure(comparison.measure, comparison.mean_difference?);
    // One test of its own, so there is nothing to correct.
    let p_value = p_value_in_a_sentence(comparison.p_value?);
    Some(Note::new(if is_suspicious(control) {
        format!(
            "THIS RUN IS SUSPECT: {agent} and its second entry are the same agent with different \
             random seeds, but they differ significantly ({figure}, {p_value}); something other \
             than the agents affects the results"
        )
    } else {
        format!(
            "control: {agent} and its second entry cannot be distinguished at the 1% level \
             ({figure}, {p_value}), as expected"
        )
    }))
}

/// Scores on shared and on private seeds.
fn private_seeds(part: &BudgetReport) -> Option<Note> {
    let tests = || {
        let agents = part.agents.iter();
        agents.filter_map(|agent| Some((&agent.name, agent.private_seeds.as_ref()?)))
    };
    tests().next()?;
    let suspects: Vec<String> = tests()
        .filter(|(_, test)| test.is_suspicious())
        .map(|(name, test)| test.figures(name))
        .collect();
    if suspects.is_empty() {
        return Some(Note::new(
            "private seeds: no agent scores significantly higher on shared seeds than on its own",
        ));
    }
    Some(Note::new(format!(
        "THIS RUN IS SUSPECT: scores are higher on shared seeds than on private ones for {}; \
         an agent that knows nothing of the games of others cannot do this",
        listed(&suspects)
    )))
}

fn in_the_race(part: &BudgetReport) -> impl Iterator<Item = &AgentReport> {
    let agents = part.agents.iter();
    agents.filter(|agent| agent.disqualified.is_none())
}

/// Agents played different numbers of seeds, or fewer than planned.
fn unequal_games(plan: &RunPlan, part: &BudgetReport, planned: u64) -> Option<Note> {
    let others: Vec<String> = in_the_race(part)
        .map(|agent| (&agent.name, agent.summary.games as u64))
        .filter(|(_, n_games)| *n_games != planned)
        .map(|(name, n_games)| format!("{name} {}", count(n_games)))
        .collect();
    let is_random = plan.tournament.tiles == Tiles::Random;
    let is_told = !others.is_empty() && is_random && plan.stop().is_none();
    is_told.then(|| {
        Note::new(format!(
            "not all agents played all {} ({}); pairs are compared on the seeds that both played",
            counted(planned, "seed"),
            listed(&others)
        ))
    })
}

fn few_games(part: &BudgetReport) -> Option<Note> {
    let few: Vec<String> = in_the_race(part)
        .filter(|agent| agent.summary.few && agent.summary.games > 0)
        .map(|agent| agent.name.clone())
        .collect();
    (!few.is_empty()).then(|| {
        Note::new(format!(
            "n < {FEW_GAMES}: {} played fewer than {FEW_GAMES} games, so intervals may miss the true \
             value more often than stated",
            listed(&few)
        ))
    })
}

/// With sign flips, the number of seeds limits how small a p-value can be, whatever the number of
/// agents.
fn too_few_seeds(part: &BudgetReport) -> Option<Note> {
    part.patterns?;
    let significance = part.confidence.significance();
    let seeds = part.pairs.iter().map(|pair| pair.comparison.games).max()?;
    let enough = (1..u64::BITS as usize).find(|seeds| smallest_p_value(*seeds) <= significance)?;
    (seeds < enough).then(|| {
        Note::new(format!(
            "{} cannot prove a difference, however large: no p-value can be below {}; it takes at \
             least {}",
            counted(seeds as u64, "seed"),
            smallest_p_value(seeds),
            counted(enough as u64, "seed")
        ))
    })
}

/// Games that `max_moves` ended: early ends that were not seen count half a game.
fn cut_games(plan: &RunPlan, part: &BudgetReport) -> Option<Note> {
    let is_cut = |ending: &Ending| *ending == Ending::MoveLimit;
    let agents = in_the_race(part).map(|agent| &agent.ends);
    let (n_cut, n_games) = agents.fold((0, 0), |(n_cut, n_games), ends| {
        let of_agent = ends.endings.iter().filter(|(ending, _)| is_cut(ending));
        let n_of_agent: u64 = of_agent.map(|(_, n_games)| n_games).sum();
        (n_cut + n_of_agent, n_games + ends.games as u64)
    });
    (n_cut > 0 && plan.tournament.tiles == Tiles::Random).then(|| {
        Note::new(format!(
            "max_moves ended {} of {}: the few that end early are far below, and too few may have \
             been seen, so intervals of scores and of their differences are wider by half a game, \
             and claims must hold against as much",
            count(n_cut),
            counted(n_games, "game")
        ))
    })
}

/// Claims that a few early ends would undo. Of agents with few games another note warns.
fn small_leads(part: &BudgetReport) -> Option<Note> {
    let agents = part.agents.iter();
    let summaries: HashMap<&str, &AgentSummary> = agents
        .map(|agent| (agent.name.as_str(), &agent.summary))
        .collect();
    let leads: Vec<String> = part
        .pairs
        .iter()
        .filter(|pair| pair.p_adjusted.is_some() && pair.comparison.measure == Measure::Score)
        .filter_map(|pair| {
            let (winner, loser) = match pair.verdict {
                PairVerdict::FirstIsBetter => (&pair.a, &pair.b),
                PairVerdict::SecondIsBetter => (&pair.b, &pair.a),
                PairVerdict::Equal | PairVerdict::Open => return None,
            };
            let [better, worse] = [winner, loser].map(|name| summaries[name.as_str()]);
            let (difference, n_games) = (pair.comparison.mean_difference?, pair.comparison.games);
            let lead = difference.abs() / better.mean? * as_f64(n_games);
            (lead < SMALL_LEAD && !better.few && !worse.few).then(|| {
                format!(
                    "{winner} leads {loser} by what it scores in {} of {}",
                    decimals(lead, 1),
                    counted(n_games as u64, "game")
                )
            })
        })
        .collect();
    (!leads.is_empty()).then(|| {
        Note::new(format!(
            "{}: rare early ends that were not seen could undo a lead of fewer than {SMALL_LEAD} \
             games",
            first_listed(leads.into_iter(), N_EXAMPLES)
        ))
    })
}

/// One note for each group of agents that made the same moves on all seeds.
fn same_moves(part: &BudgetReport) -> Vec<Note> {
    let groups: BTreeSet<Vec<String>> = part
        .agents
        .iter()
        .filter(|agent| !agent.same_games_as.is_empty())
        .map(|agent| {
            let mut group = agent.same_games_as.clone();
            group.push(agent.name.clone());
            group.sort_unstable();
            group
        })
        .collect();
    let note = |agents: Vec<String>| {
        Note::new(format!(
            "{} made the same moves on all seeds: as players they are the same program",
            listed(&agents)
        ))
    };
    groups.into_iter().map(note).collect()
}

/// Agents share a rank although one is better than another: ranks are separated only where every
/// agent above is significantly better than every agent below. One note per rank, for its most
/// significant pair.
fn shared_ranks(part: &BudgetReport) -> Vec<Note> {
    let agents = part.agents.iter();
    let ranks: HashMap<&str, Option<usize>> = agents
        .map(|agent| (agent.name.as_str(), agent.rank))
        .collect();
    let rank_of = |name: &str| ranks.get(name).copied().flatten();
    let mut of_rank: BTreeMap<usize, (f64, &str, &str)> = BTreeMap::new();
    for pair in &part.pairs {
        let (better, worse) = match pair.verdict {
            PairVerdict::FirstIsBetter => (&pair.a, &pair.b),
            PairVerdict::SecondIsBetter => (&pair.b, &pair.a),
            PairVerdict::Equal | PairVerdict::Open => continue,
        };
        let Some(rank) = rank_of(better).filter(|rank| rank_of(worse) == Some(*rank)) else {
            continue;
        };
        let p_value = pair.p_adjusted.unwrap_or(0.0);
        if of_rank
            .get(&rank)
            .is_none_or(|(lowest, ..)| p_value < *lowest)
        {
            of_rank.insert(rank, (p_value, better, worse));
        }
    }
    let note = |(rank, (_, better, worse))| {
        Note::new(format!(
            "{better} is better than {worse}, but both have rank {rank}: other agents of this rank \
             cannot be distinguished from one of them, and ranks are separated only where every \
             agent above is significantly better than every agent below"
        ))
    };
    of_rank.into_iter().map(note).collect()
}

/// The note about a disqualified agent; of another one, those about its games on shared and on
/// private seeds.
fn faults(agent: &AgentReport) -> Vec<Note> {
    let name = &agent.name;
    if let Some(disqualified) = &agent.disqualified {
        let (seed, fault) = (disqualified.seed, &disqualified.fault);
        let reason = match (disqualified.used_up, disqualified.faults_in_a_row) {
            (Some(limit), _) => format!("because it used up {limit}, on seed {seed}"),
            (None, 1) => format!("after one fault, on seed {seed}"),
            (None, n_faults) => {
                format!("after {n_faults} faults in a row, the last on seed {seed}")
            }
        };
        let text = format!("{name} was disqualified {reason}: {fault}");
        return vec![Note::new(text)];
    }
    let note = |which, counts, n_games, faults: &BTreeMap<Ending, u64>, first: &FaultExample| {
        let kinds = faults.iter().map(|(ending, n)| format!("{ending} {n}"));
        let text = format!(
            "{name} ended {} of {}{which} with a fault ({}), which count {counts}; the first was on \
             seed {}: {}",
            count(faults.values().sum()),
            counted(n_games as u64, "game"),
            kinds.collect::<Vec<_>>().join(", "),
            first.seed,
            first.sentence
        );
        Note {
            kind: NoteKind::Faults,
            ..Note::new(text)
        }
    };
    let (summary, private) = (&agent.summary, &agent.private_games);
    let on_shared = agent.faults.first().map(|first| {
        let counts = "with the score at that point";
        note("", counts, summary.games, &summary.faults, first)
    });
    let on_private = private.first_fault.as_ref().map(|first| {
        let which = " on private seeds";
        note(which, "in no figure", private.games, &private.faults, first)
    });
    on_shared.into_iter().chain(on_private).collect()
}

/// The error rate is that of one ranking.
fn several_budgets(plan: &RunPlan, budgets: &[BudgetReport]) -> Option<Note> {
    let significance = budgets.first()?.confidence.significance();
    let together = significance * as_f64(budgets.len());
    let is_inferred = plan.tournament.tiles == Tiles::Random && budgets.len() > 1;
    is_inferred.then(|| {
        Note::new(format!(
            "the error rate of {} holds for the claims under each budget; for those under all {} \
             together it is at most {}",
            percent_with_digits(significance),
            budgets.len(),
            percent_with_digits(together.min(1.0))
        ))
    })
}

/// What was measured is in `docs/statistics.md`.
fn time_budget(plan: &RunPlan) -> Option<Note> {
    let mut budgets = plan.tournament.budgets.iter();
    let has_time = budgets.any(|budget| budget.per_move().is_some());
    (has_time && plan.tournament.tiles == Tiles::Random).then(|| Note::new(
        "games under a time budget do not repeat: another run of the same seeds on the same machine \
         plays other games (of 90 games played three times, no two were alike)",
    ))
}

/// A time budget on machines of different speeds. With a node budget the speed has no effect.
fn unequal_machines(plan: &RunPlan) -> Option<Note> {
    let mut budgets = plan.tournament.budgets.iter();
    budgets.find(|budget| budget.per_move().is_some())?;
    let machines = || plan.machines.iter().map(|part| &part.machine);
    let factor = factor(machines()).filter(|factor| *factor > TOLERATED_FACTOR)?;
    let measured = || machines().filter(|machine| machine.nodes_per_second.is_some());
    let slowest = measured().min_by_key(|machine| machine.nodes_per_second)?;
    let fastest = measured().max_by_key(|machine| machine.nodes_per_second)?;
    let speed = |machine: &Machine| count(machine.nodes_per_second.unwrap_or(0));
    Some(Note::new(format!(
        "the machines have different speeds: a fixed search made {} nodes per second on the slowest \
         ({}) and {} on the fastest ({}), {factor:.2} times as many, so equal time was not equal \
         work; use a node budget, which is the same work on every machine",
        speed(slowest),
        slowest.cpu,
        speed(fastest),
        fastest.cpu
    )))
}

/// A hypervisor took CPU time from agents.
fn stolen_time(records: &[&GameFigures]) -> Option<Note> {
    let robbed = records.iter().filter(|record| record.stolen_us() > 0);
    let (n_games, stolen_us) = robbed.fold((0, 0_u64), |(n_games, sum), record| {
        (n_games + 1, sum.saturating_add(record.stolen_us()))
    });
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let time = microseconds(stolen_us as f64);
    (n_games > 0).then(|| {
        Note::new(format!(
            "the hypervisor took {time} of CPU time from agents in {}; they were not charged for it",
            counted(n_games, "game")
        ))
    })
}

/// Games that were played again, because something outside ended them.
fn played_again(plan: &RunPlan, records: &[&GameFigures]) -> Option<Note> {
    let repeated = records.iter().filter(|record| !record.retries().is_empty());
    let games = repeated.clone().map(|record| {
        // A stranger's record may list any number of attempts.
        let retries = record.retries().iter().take(N_ATTEMPTS);
        let details: Vec<&str> = retries.map(|retry| retry.detail.as_str()).collect();
        let reason = details.join(", then ");
        let agent = &plan.agents[record.series.agent].name;
        format!("{agent} on seed {} ({reason})", record.seed)
    });
    let n_games = repeated.count();
    let verb = if n_games == 1 { "was" } else { "were" };
    (n_games > 0).then(|| {
        Note::new(format!(
            "{} {verb} played again: {}; `retries` in the records lists all attempts",
            counted(n_games as u64, "game"),
            first_listed(games, N_EXAMPLES)
        ))
    })
}

/// Tiles that agents may know in advance.
fn known_tiles(plan: &RunPlan) -> Option<Note> {
    if plan.tournament.tiles == Tiles::Deterministic {
        return Some(Note::new(
            "deterministic tiles: identical games count once, figures have no intervals, and an \
             agent is better than another if each of its games is better than each of the other's",
        ));
    }
    plan.salt.is_none().then(|| {
        Note::new(
            "predictable tiles: the run has no salt, so agents could compute the tiles in advance",
        )
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::{
        Report,
        example::{plan, report_of, time_budget},
    };
    use run::{
        example::figures,
        example::machine,
        game_figures::GameDetails,
        game_record::{Retry, RetryReason},
        machine::PlayedOn,
    };
    use tournament::BudgetLimit;

    use super::*;

    fn untimed_plan(names: &[&str]) -> RunPlan {
        let mut plan = plan(names);
        plan.tournament.budgets[0].limit = BudgetLimit::None;
        plan
    }

    #[test]
    fn a_note_says_for_what_the_error_rate_of_several_budgets_holds() {
        let mut plan = untimed_plan(&["a", "b"]);
        plan.tournament.budgets.push(time_budget(2));
        plan.tournament.budgets.push(time_budget(3));
        let notes = Report::new(&plan, &[]).notes;
        // Before them, the run and each budget have a note about their missing games.
        let notes: Vec<String> = notes[4..].iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(notes.join("\n"), @"
        the error rate of 5% holds for the claims under each budget; for those under all 3 together it is at most 15%
        games under a time budget do not repeat: another run of the same seeds on the same machine plays other games (of 90 games played three times, no two were alike)
        ");
    }

    /// 40 games of agents with these scores on odd and even seeds.
    fn notes_on(agents: &[(&str, [u64; 2])]) -> Vec<String> {
        let names: Vec<&str> = agents.iter().map(|(name, _)| *name).collect();
        let records: Vec<_> = (0..40)
            .flat_map(|seed| {
                let score = move |scores: [u64; 2]| scores[usize::from(seed % 2 == 0)] + seed;
                (0..)
                    .zip(agents)
                    .map(move |(agent, (_, scores))| figures(agent, seed + 1, score(*scores)))
            })
            .collect();
        let report = report_of(&untimed_plan(&names), records);
        report.notes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_complete_tournament_has_nothing_to_note() {
        assert!(notes_on(&[("a", [900, 1_000]), ("b", [600, 750])]).is_empty());
    }

    /// Forty games of two agents on machines of these speeds, with or without time.
    fn notes_on_machines(speeds: [u64; 3], per_move: Option<Duration>) -> Vec<String> {
        let machines = [
            ("Old CPU", speeds[0]),
            ("New CPU", speeds[1]),
            ("Old CPU", speeds[2]),
        ];
        let machines = machines.map(|(cpu, speed)| PlayedOn {
            shard: None,
            machine: machine(cpu, Some(speed)),
        });
        let mut plan = plan(&["a", "b"]);
        plan.machines = machines.into();
        plan.tournament.budgets[0].limit = match per_move {
            Some(per_move) => BudgetLimit::Time { per_move },
            None => BudgetLimit::None,
        };
        let notes = Report::new(&plan, &[]).notes;
        notes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn machines_of_different_speeds_are_noted_where_the_budget_is_in_time() {
        let time = Some(Duration::from_millis(1));
        let notes = notes_on_machines([20_000_000, 31_000_000, 21_000_000], time);
        insta::assert_snapshot!(notes.last().unwrap(), @"the machines have different speeds: a fixed search made 20,000,000 nodes per second on the slowest (Old CPU) and 31,000,000 on the fastest (New CPU), 1.55 times as many, so equal time was not equal work; use a node budget, which is the same work on every machine");
        let about_machines =
            |notes: Vec<String>| notes.iter().any(|note| note.contains("machines"));
        assert!(!about_machines(notes_on_machines(
            [20_000_000, 24_900_000, 21_000_000],
            time
        )));
        assert!(!about_machines(notes_on_machines(
            [20_000_000, 31_000_000, 21_000_000],
            None
        )));
    }

    #[test]
    fn a_lead_that_rare_early_ends_could_undo_is_noted() {
        let notes = notes_on(&[("a", [900, 1_000]), ("b", [800, 950])]);
        insta::assert_snapshot!(notes.join("\n"), @"a leads b by what it scores in 3.1 of 40 games: rare early ends that were not seen could undo a lead of fewer than 4 games");
    }

    #[test]
    fn games_that_max_moves_ended_are_noted() {
        let games = (1..=40).flat_map(|seed| {
            let game = |agent, score| GameFigures {
                ending: Ending::MoveLimit,
                ..figures(agent, seed, score)
            };
            [game(0, 1_000 + seed), game(1, 500 + seed % 7)]
        });
        let report = report_of(&untimed_plan(&["a", "b"]), games);
        let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(notes.join("\n"), @"max_moves ended 80 of 80 games: the few that end early are far below, and too few may have been seen, so intervals of scores and of their differences are wider by half a game, and claims must hold against as much");
        // Half a game of the better agent, in whole points.
        let allowance = report.budgets[0].pairs[0].comparison.allowance;
        assert!((allowance - 13.0).abs() < 1e-9, "{allowance}");
    }

    #[test]
    fn a_rank_shared_through_an_unsteady_agent_is_noted() {
        let notes = notes_on(&[
            ("best", [1_050, 1_050]),
            ("steady", [900, 900]),
            ("unsteady", [100, 1_660]),
        ]);
        insta::assert_snapshot!(notes.join("\n"), @"best is better than steady, but both have rank 1: other agents of this rank cannot be distinguished from one of them, and ranks are separated only where every agent above is significantly better than every agent below");
    }

    #[test]
    fn games_that_were_played_again_are_named_with_what_ended_them() {
        let mut records = [figures(0, 7, 100), figures(1, 7, 100)];
        let of = |records: &[GameFigures]| {
            let records: Vec<&GameFigures> = records.iter().collect();
            played_again(&plan(&["a", "b"]), &records).map(|note| note.to_string())
        };
        assert_eq!(of(&records), None);
        let retry = Retry {
            reason: RetryReason::Killed,
            n_moves: 3,
            detail: "SIGKILL".to_owned(),
        };
        records[1].details = Some(Box::new(GameDetails {
            retries: vec![retry],
            ..GameDetails::default()
        }));
        assert_eq!(
            of(&records).unwrap(),
            "1 game was played again: b on seed 7 (SIGKILL); `retries` in the records lists all attempts"
        );
    }
}
