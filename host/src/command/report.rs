//! `host report`: the tables or the page of a run, computed from its log.

mod figure_files;
mod grades;
mod participants;

use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::Path,
};

use report::{
    AgentReport, Report,
    formats::{
        csv, json, latex, markdown,
        report_table::ReportTable,
        terminal_text::{summary_text, terminal_text},
    },
    html::FigureWidth,
    layout::{Layout, Style},
    run_report::RunReport,
};
use run::{
    atomic_file, game_log::Unfit, pseudonyms::Pseudonyms, run_files, run_plan::RunPlan, salt_file,
};
use text::{
    listing::first_listed, number_text::counted, program, shell_word::quoted_path, wrap::wrapped,
};

use crate::command::{
    command_line::{Format, ReportArguments, ReportFormat},
    exit_code,
};
use anyhow::anyhow;
use clap::ValueEnum;

use super::{
    CommandError, CommandResult, MOST_LINES, create_folder_of, print, stdout_width,
    warn_of_two_logs,
};
use figure_files::write_figures;
use grades::write_grades;
use participants::write_participants;

pub(crate) fn report(arguments: &ReportArguments) -> CommandResult {
    let folder = arguments.run.as_path();
    let plan = RunPlan::read(folder)?;
    let pseudonyms = match &arguments.pseudonyms {
        Some(file) => pseudonyms_in(file, &plan)?,
        None => Pseudonyms::default(),
    };
    if let Some(pages) = &arguments.participants {
        let run = report_of(folder, &plan, &Pseudonyms::default())?;
        return write_participants(pages, folder, &plan, &run, &pseudonyms);
    }
    if let Some(file) = &arguments.grades {
        let run = report_of(folder, &plan, &Pseudonyms::default())?;
        write_grades(file, &plan, &run.report, &pseudonyms).map_err(|error| {
            let message = anyhow!("cannot write the grade sheet `{}`: {error}", file.display());
            CommandError::new(exit_code::UNEXPECTED, message)
        })?;
        return Ok(exit_code::OK);
    }
    let run = report_of(folder, &plan, &pseudonyms)?;
    let plan = &pseudonyms.plan(&plan);
    if let Some(file) = &arguments.html {
        let page = run.page(folder, plan)?;
        if file == Path::new("-") {
            print(page.as_bytes())?;
        } else {
            // `write_page` names the file in its error.
            let _ = create_folder_of(file);
            write_page(file, &page)?;
        }
    } else if let Some(folder) = &arguments.figures {
        let width = arguments
            .figure_width
            .map_or(FigureWidth::Screen, FigureWidth::Print);
        let figures = run.figures(plan, width);
        write_figures(folder, &figures, arguments.figure_format)?;
    } else {
        if arguments.format == ReportFormat::Csv {
            // If stderr is closed, the warning is lost.
            let sentence = run.report.incompleteness();
            let _ = sentence.map(|it| writeln!(io::stderr(), "warning: {it}"));
        }
        print(chosen_tables(arguments, plan, &run)?.as_bytes())?;
    }
    Ok(exit_code::OK)
}

/// Reads the file, adds the agents of the plan that it lacks, and writes it.
fn pseudonyms_in(file: &Path, plan: &RunPlan) -> Result<Pseudonyms, CommandError> {
    let usage = |message: String| {
        let message = anyhow!("--pseudonyms {}: {message}", file.display());
        CommandError::new(exit_code::USAGE, message)
    };
    let mut pseudonyms = match fs::read_to_string(file) {
        Ok(text) => Pseudonyms::parse(&text).map_err(usage)?,
        Err(error) if error.kind() == ErrorKind::NotFound => Pseudonyms::default(),
        Err(error) => return Err(usage(error.to_string())),
    };
    let n_new = pseudonyms.complete(plan, &salt_file::draw());
    if n_new > 0 {
        atomic_file::replace_private(file, pseudonyms.to_text())?;
        // If stderr is closed, the message is lost.
        let _ = writeln!(
            io::stderr(),
            "{} in {}; keep this file to yourself",
            counted(n_new as u64, "new pseudonym"),
            file.display()
        );
    }
    pseudonyms.check(plan).map_err(usage)?;
    Ok(pseudonyms)
}

/// The report as text, in the format and with the tables that were chosen.
fn chosen_tables(
    arguments: &ReportArguments,
    plan: &RunPlan,
    run: &RunReport,
) -> Result<String, CommandError> {
    let usual = ReportTable::usual();
    let (report, chosen) = match arguments.tables.as_slice() {
        chosen if chosen.contains(&ReportTable::All) => (&run.report, usual.as_slice()),
        chosen => (&run.report, chosen),
    };
    let usage = |message: &str| Err(CommandError::new(exit_code::USAGE, anyhow!("{message}")));
    let or = |usual| if chosen.is_empty() { usual } else { chosen };
    if arguments.format != ReportFormat::Csv && chosen.contains(&ReportTable::Curves) {
        return usage("--tables curves: the points of curves are only available with --format csv");
    }
    Ok(match arguments.format {
        ReportFormat::Table if chosen.is_empty() => {
            terminal_text(report, &ReportTable::FIRST, layout()) + &other_tables()
        }
        ReportFormat::Table => terminal_text(report, chosen, layout()),
        ReportFormat::Markdown => markdown::markdown(report, or(&usual)),
        ReportFormat::Latex => latex::latex(report, or(&latex::USUAL)),
        ReportFormat::Csv => match chosen {
            [] | [ReportTable::Ranking] => csv::csv(report),
            [ReportTable::Pairs] => csv::pairs_csv(report),
            [ReportTable::Matrix] => csv::matrix_csv(report),
            [ReportTable::Scores] => csv::scores_csv(report),
            [ReportTable::Highest] => csv::highest_csv(report),
            [ReportTable::Curves] => run.curves_csv(plan),
            _ => {
                return usage(
                    "--format csv: a CSV file has one table; choose ranking, pairs, matrix, \
                     scores, highest or curves with --tables",
                );
            }
        },
        ReportFormat::Json if !chosen.is_empty() => {
            return usage("--tables selects nothing in this format, which is always complete");
        }
        ReportFormat::Json if arguments.all_pairs => {
            json::json_with_all_pairs(report).map_err(io::Error::from)?
        }
        ReportFormat::Json => json::json(report).map_err(io::Error::from)?,
    })
}

/// The names of the tables that a report in a terminal begins without.
fn other_tables() -> String {
    let others = ReportTable::all().iter().filter(|table| {
        let is_first = ReportTable::FIRST.contains(table);
        !is_first && **table != ReportTable::Curves
    });
    let names = others.filter_map(ValueEnum::to_possible_value);
    let names: Vec<String> = names.map(|value| value.get_name().to_owned()).collect();
    wrapped(
        &format!("more: --tables {}", names.join(",")),
        "  ",
        layout().width,
    )
}

/// Prints the report after a run and writes the page into its folder; returns the number
/// of faults.
pub(super) fn print_report(
    folder: &Path,
    plan: &RunPlan,
    format: Format,
) -> Result<u64, CommandError> {
    let run = report_of(folder, plan, &Pseudonyms::default())?;
    print_run(&run, folder, plan, format)
}

/// The same for a report that was already computed.
pub(super) fn print_run(
    run: &RunReport,
    folder: &Path,
    plan: &RunPlan,
    format: Format,
) -> Result<u64, CommandError> {
    let printed = print(in_format(&run.report, format)?.as_bytes());
    // The files are written even if stdout is closed.
    write_page(&run_files::report_page(folder), &run.page(folder, plan)?)?;
    let matrix = run_files::matrix(folder);
    if run.report.has_many_agents() {
        write_text(&matrix, "matrix", &csv::matrix_csv(&run.report))?;
    } else if matrix.exists() {
        // An earlier report of this folder may have had more agents.
        fs::remove_file(&matrix)?;
    }
    printed?;
    let agents = run.report.budgets.iter().flat_map(|part| &part.agents);
    Ok(agents.map(AgentReport::n_faults).sum())
}

fn write_page(file: &Path, page: &str) -> Result<(), CommandError> {
    write_text(file, "page", page)
}

fn write_text(file: &Path, what: &str, text: &str) -> Result<(), CommandError> {
    let replaced = if file.is_symlink() {
        // For example /dev/stdout, a link that the text would replace.
        Err(io::Error::other("it is a link; name the file itself"))
    } else {
        atomic_file::replace(file, text)
    };
    replaced.map_err(|error| {
        CommandError::new(
            exit_code::UNEXPECTED,
            anyhow!("cannot write the {what} `{}`: {error}", file.display()),
        )
    })
}

fn report_of(folder: &Path, plan: &RunPlan, pseudonyms: &Pseudonyms) -> io::Result<RunReport> {
    warn_of_two_logs(folder);
    let run = RunReport::read(folder, plan, pseudonyms)?;
    for unfit in Unfit::ALL {
        let Some(lines) = run.left_out.get(&unfit) else {
            continue;
        };
        let (noun, subject) = match lines.n_lines() {
            1 => ("line", "it"),
            _ => ("lines", "each"),
        };
        // If stderr is closed, the warning is lost.
        let _ = writeln!(
            io::stderr(),
            "warning: ignored {noun} {} of the game log: {subject} {}; `{} verify {}` says more",
            first_listed(lines.one_by_one(), MOST_LINES),
            unfit.sentence(),
            program::as_called(),
            quoted_path(folder)
        );
    }
    Ok(run)
}

/// Where to find what the summary of a run leaves out.
pub(super) fn where_the_rest_is(folder: &Path) -> String {
    let matrix = run_files::matrix(folder);
    let matrix = if matrix.exists() {
        format!("\nwho beats whom  {}", matrix.display())
    } else {
        String::new()
    };
    // One on each line, so that a terminal can open it.
    format!(
        "more tables     {} report {}\nreport page     {}{matrix}",
        program::as_called(),
        quoted_path(folder),
        run_files::report_page(folder).display()
    )
}

/// What a run prints at its end: a summary on a terminal, the whole report for other programs.
fn in_format(report: &Report, format: Format) -> io::Result<String> {
    Ok(match format {
        Format::Table => summary_text(report, layout()),
        Format::Json => json::json(report)?,
        Format::Csv => csv::csv(report),
        Format::Markdown => markdown::markdown(report, &ReportTable::usual()),
    })
}

/// Text for a terminal has its width and may have colours; text for a file or pipe does not.
fn layout() -> Layout {
    let Some(width) = stdout_width() else {
        return Layout::default();
    };
    let style = if std::env::var_os("NO_COLOR").is_some() {
        Style::Plain
    } else {
        Style::Coloured
    };
    Layout {
        width: Some(width),
        style,
    }
}
