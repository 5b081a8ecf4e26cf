//! `host ask`: which move on this board? Any agents answer, each with its own budget.

use std::io;

use anyhow::anyhow;
use explain::{AgentReply, Answered, Said, replies_json};
use play::{
    agents::plugin_finder::PluginFinder,
    player::{Fault, NoMove},
};
use run::run_plan::RunPlan;
use text::{
    escape::json_text,
    number_text::{NONE, count, microseconds},
    printable::printable_lines,
    wrap::wrapped,
};

use super::{
    CommandError, CommandResult,
    asked::{AgentArgument, Position},
    interruption::InterruptionWatch,
    print,
    replay::notes_line,
    stdout_width,
};
use crate::command::{
    command_line::{AskArguments, AskFormat},
    exit_code,
};

pub(crate) fn ask(arguments: &AskArguments) -> CommandResult {
    let position = arguments.position.position()?;
    let finder = PluginFinder::new(&arguments.plugins.folders, None);
    let plans: Vec<RunPlan> = arguments
        .agents
        .agents
        .iter()
        .map(|agent| agent.plan(&position, &finder))
        .collect::<Result<_, _>>()?;
    if position.board.is_over() {
        let message = anyhow!("no move is left on this board");
        return Err(CommandError::new(exit_code::USAGE, message));
    }
    let watch = InterruptionWatch::start()?;
    let mut replies = Vec::new();
    for (entry, plan) in arguments.agents.agents.iter().zip(&plans) {
        replies.push(AgentReply {
            agent: entry.label(plan),
            entry,
            said: said(&position, plan, &watch)?,
        });
    }
    let text = if arguments.format == AskFormat::Json {
        let replies = replies_json(&position.board, &replies);
        json_text(&replies).map_err(io::Error::from)? + "\n"
    } else {
        table(&position, &replies)
    };
    print(printable_lines(&text).as_bytes())?;
    let is_failed = |reply: &AgentReply<_>| matches!(reply.said, Said::Nothing { .. });
    let has_failed = replies.iter().any(is_failed);
    Ok(if has_failed {
        exit_code::PLUGIN
    } else {
        exit_code::OK
    })
}

fn said(
    position: &Position,
    plan: &RunPlan,
    watch: &InterruptionWatch,
) -> Result<Said, CommandError> {
    match Answered::ask(plan, position.seed, position.board, watch.stop()) {
        Ok(answered) => Ok(Said::Move(Box::new(answered))),
        Err(NoMove::Fault(Fault { sentence, .. })) => Ok(Said::Nothing { error: sentence }),
        Err(NoMove::Interrupted(interruption)) => {
            let (_, sentence) = interruption.in_words();
            let code = exit_code::INTERRUPTED;
            Err(CommandError::new(code, anyhow!(sentence)))
        }
    }
}

fn table(position: &Position, replies: &[AgentReply<&AgentArgument>]) -> String {
    let mut lines: Vec<String> = position
        .board
        .to_string()
        .lines()
        .map(|row| format!("    {row}"))
        .collect();
    lines.push(String::new());
    let mut rows = vec![
        [
            "agent", "move", "up", "right", "down", "left", "depth", "nodes", "CPU time",
        ]
        .map(str::to_owned),
    ];
    let (mut remarks, mut has_values) = (Vec::new(), false);
    for AgentReply { agent, said, .. } in replies {
        let answered = match said {
            Said::Move(answered) => answered,
            Said::Nothing { error } => {
                remarks.push(format!("{agent}: no move: {error}"));
                continue;
            }
        };
        let numbers = answered
            .numbers
            .iter()
            .map(|(name, value)| (name.as_str(), *value));
        let notes = notes_line(numbers, answered.text.as_deref());
        remarks.extend((!notes.is_empty()).then(|| format!("{agent}: {notes}")));
        has_values |= answered.moves.iter().any(|opinion| opinion.value.is_some());
        let [up, right, down, left] = answered.moves.map(|opinion| opinion.in_words());
        rows.push([
            agent.clone(),
            answered.choice.to_string(),
            up,
            right,
            down,
            left,
            answered.depth.map_or_else(none, |depth| depth.to_string()),
            answered.nodes.map_or_else(none, count),
            microseconds(answered.cpu_us),
        ]);
    }
    let width_of = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    };
    for row in &rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = width_of(column);
            match column {
                0 | 1 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        lines.push(line.trim_end().to_owned());
    }
    let wrapped_remarks = remarks.iter().map(|it| wrapped(it, "  ", stdout_width()));
    lines.extend(wrapped_remarks.map(|it| it.trim_end().to_owned()));
    if has_values {
        lines.push(String::new());
        lines.push(
            "in brackets: the rank of the value; −∞: lost; illegal: the move changes \
             nothing; pruned: legal, but cut off by the search"
                .to_owned(),
        );
    }
    lines.join("\n") + "\n"
}

fn none() -> String {
    NONE.to_owned()
}
