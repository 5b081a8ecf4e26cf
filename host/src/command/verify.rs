//! `host verify`: replays every record of a run and, if asked, lets the agents play again.
//!
//! A run is complete, incomplete or damaged. Records may be missing because the run has not
//! ended; lines that are wrong mean that a disk or a person has changed the log.

mod rerun;

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    sync::atomic::Ordering,
};

use anyhow::anyhow;
use rerun::Rerun;
use run::{
    counted::Counted,
    game_log::{self, LineNumbers},
    merge::{Part, records_of_run},
    run_files,
    run_folder::RunFolder,
    run_plan::RunPlan,
    salt_commitment::SaltCommitment,
    verification::{Extent, Verification, set_wrong_lines_aside, verify as verify_run},
};
use text::{
    listing::first_items, number_text::counted, plugin_words::name_as_code,
    printable::PrintableWriter, program,
};

use super::{CommandError, CommandResult, StandardOutput, warn_of_two_logs};
use crate::command::{
    check::readable,
    chosen_games::{ChosenGames, Options},
    command_line::VerifyArguments,
    exit_code,
    interruption::InterruptionWatch,
    merge::merge_error,
};

pub(crate) fn verify(arguments: &VerifyArguments) -> CommandResult {
    let plan = RunPlan::read(&arguments.run)?;
    check_commitment(arguments, &plan)?;
    warn_of_two_logs(&arguments.run);
    let chosen = chosen_games(arguments, &plan)?;
    let mut rerun = if arguments.rerun {
        let allow_read = readable(&arguments.allow_read)?;
        Some(Rerun::new(&plan, arguments, &allow_read).map_err(plugin_error)?)
    } else {
        None
    };
    // Reading and opening plugins need no cleanup: a signal ends the program at once.
    let watch = arguments.rerun.then(InterruptionWatch::start).transpose()?;
    let extent = extent(arguments, &plan).map_err(unreadable)?;
    let verification = verify_run(&arguments.run, &plan, &extent, |record| {
        let is_chosen = chosen.as_ref().is_none_or(|chosen| chosen.include(record));
        match rerun.as_mut().zip(watch.as_ref()) {
            Some((rerun, watch)) if is_chosen => rerun.difference(record, watch),
            _ => None,
        }
    })
    .map_err(unreadable)?;
    if watch.is_some_and(|watch| watch.stop().load(Ordering::Relaxed)) {
        return Err(CommandError::new(
            exit_code::INTERRUPTED,
            anyhow!("interrupted; start the same command again"),
        ));
    }
    let mut out = PrintableWriter(StandardOutput::default());
    for line in rerun.iter().flat_map(|rerun| &rerun.endings) {
        writeln!(out, "{line}")?;
    }
    print_differences(&mut out, &verification)?;
    let sample = match extent {
        Extent::All => String::new(),
        Extent::Lines(_) => format!(", a sample of {}", verification.n_records),
    };
    let verified = counted(verification.n_verified, "record");
    writeln!(out, "{verified} verified{sample}")?;
    if let Some(commitment) = &plan.salt_commitment {
        writeln!(
            out,
            "the salt is the one that was committed to: {commitment}"
        )?;
    }
    let n_played = rerun.as_ref().map_or(0, |rerun| rerun.n_played);
    if let Some(rerun) = rerun.filter(|rerun| !rerun.is_chosen) {
        writeln!(out, "played again: {}", counted(rerun.n_played, "game"))?;
        if rerun.n_skipped > 0 {
            writeln!(
                out,
                "not played again: {}, because the budget is in time or the clock ended the game",
                counted(rerun.n_skipped, "game")
            )?;
        }
    }
    let n_differences = verification.wrong_lines.n_lines();
    let n_out_of_plan = verification.lines_out_of_plan.n_lines();
    if n_differences > 0 && arguments.repair {
        repair(arguments, &verification.wrong_lines)?;
        writeln!(
            out,
            "moved {} to {}; `{}` plays what is missing",
            counted(n_differences, "line"),
            run_files::DAMAGED_LINES,
            program::command("run")
        )?;
    } else if n_differences > 0 && n_out_of_plan == 0 {
        let lines = counted(n_differences, "line");
        let message = if arguments.rerun {
            format!("verification failed for {lines} of the game log")
        } else {
            format!(
                "the run is damaged: verification failed for {lines} of the game log; --repair \
                 moves what is wrong to damaged.jsonl"
            )
        };
        return Err(CommandError::new(exit_code::VERIFICATION, anyhow!(message)));
    }
    if n_out_of_plan > 0 {
        return Err(another_plan(arguments, n_out_of_plan));
    }
    check_choice(chosen.as_ref(), n_played, &extent, &plan)?;
    check_completeness(arguments, plan)?;
    writeln!(out, "complete: no game of the plan is missing")?;
    Ok(exit_code::OK)
}

/// A compressed log may be damaged as a whole.
fn unreadable(error: io::Error) -> CommandError {
    let code = match error.kind() {
        io::ErrorKind::InvalidData => exit_code::VERIFICATION,
        _ => exit_code::UNEXPECTED,
    };
    CommandError::new(code, error)
}

/// These records are intact, so moving them aside would repair nothing.
fn another_plan(arguments: &VerifyArguments, n_records: u64) -> CommandError {
    let (whose, are) = match n_records {
        1 => ("which is sound", "is"),
        _ => ("which are sound", "are"),
    };
    let records = counted(n_records, "record");
    let plan = run_files::plan(&arguments.run);
    CommandError::new(
        exit_code::VERIFICATION,
        anyhow!(
            "{records}, {whose}, {are} not of the plan {}: the plan was changed, or the log has \
             records of another run; put the right {} back, or let `{}` correct them or set them \
             aside",
            name_as_code(&plan.to_string_lossy()),
            run_files::PLAN,
            program::command("run")
        ),
    )
}

fn plugin_error(sentence: String) -> CommandError {
    CommandError::new(exit_code::PLUGIN, anyhow!(sentence))
}

fn print_differences(out: &mut impl Write, verification: &Verification) -> io::Result<()> {
    let shown = &verification.differences;
    let sentences = shown.iter().map(|difference| {
        let (log, line) = (run_files::GAME_LOG, difference.line);
        format!("{log} line {line}: {}", difference.sentence)
    });
    let n_differences = usize::try_from(verification.n_differences()).unwrap_or(usize::MAX);
    for line in first_items(sentences, n_differences, shown.len()) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The lines to replay: all, or a new random sample.
fn extent(arguments: &VerifyArguments, plan: &RunPlan) -> io::Result<Extent> {
    let Some(n_sampled) = arguments.sample.map(NonZeroUsize::get) else {
        return Ok(Extent::All);
    };
    let mut n_lines: usize = 0;
    game_log::read_run(&arguments.run, plan, |_, _| n_lines += 1)?;
    let mut random = rand::make_rng::<rand::rngs::StdRng>();
    let drawn = rand::seq::index::sample(&mut random, n_lines, n_sampled.min(n_lines));
    let lines = drawn.into_iter().map(|index| index as u64 + 1);
    Ok(Extent::Lines(lines.collect()))
}

/// Moves lines out of the log.
fn repair(arguments: &VerifyArguments, wrong_lines: &LineNumbers) -> Result<(), CommandError> {
    let unexpected = |error: anyhow::Error| CommandError::new(exit_code::UNEXPECTED, error);
    let folder = RunFolder::open(&arguments.run).map_err(|error| unexpected(error.into()))?;
    Ok(set_wrong_lines_aside(&folder, wrong_lines)?)
}

/// Says how many games a host that resumes the run would still play.
fn check_completeness(arguments: &VerifyArguments, plan: RunPlan) -> Result<(), CommandError> {
    let run = Part {
        folder: arguments.run.clone(),
        plan,
    };
    let records = records_of_run(&run).map_err(merge_error)?;
    let counts = Counted::of(&run.plan, &records).counts_of(&records);
    if counts.missing == 0 {
        return Ok(());
    }
    let how = if RunFolder::is_held(&arguments.run) {
        "a host is playing them now".to_owned()
    } else {
        format!("`{}` plays them", program::command("run"))
    };
    Err(CommandError::new(
        exit_code::VERIFICATION,
        anyhow!(
            "the run is incomplete: {} of {} games are missing; {how}",
            counts.missing,
            counts.planned
        ),
    ))
}

/// Compares the salt with a commitment that was published before the games.
fn check_commitment(arguments: &VerifyArguments, plan: &RunPlan) -> Result<(), CommandError> {
    let found = SaltCommitment::to(&plan.salt);
    match &arguments.commitment {
        Some(published) if *published != found => Err(CommandError::new(
            exit_code::VERIFICATION,
            anyhow!(
                "the run was not played with the salt that was committed to: its commitment is \
                 {found}, not {published}"
            ),
        )),
        _ => Ok(()),
    }
}

/// The games that are to be played again; `None` for all.
fn chosen_games(
    arguments: &VerifyArguments,
    plan: &RunPlan,
) -> Result<Option<ChosenGames>, CommandError> {
    let chosen = arguments.agent.as_ref().map(|agent| {
        let budget = arguments.budget.as_deref();
        ChosenGames::new(plan, Options::USUAL, agent, arguments.seed, budget)
    });
    let usage = |error: anyhow::Error| CommandError::new(exit_code::USAGE, error);
    chosen.transpose().map_err(usage)
}

/// Rejects a choice of games of which none has a record.
fn check_choice(
    chosen: Option<&ChosenGames>,
    n_played: u64,
    extent: &Extent,
    plan: &RunPlan,
) -> Result<(), CommandError> {
    match chosen {
        Some(chosen) if n_played == 0 && matches!(extent, Extent::All) => {
            Err(CommandError::new(exit_code::USAGE, chosen.not_played(plan)))
        }
        _ => Ok(()),
    }
}
