//! `host ask`: which move on this board? Any agents answer, each with its own budget.

use std::io::{self, Write};

use anyhow::anyhow;
use explain::Answered;
use play::{
    agents::plugin_finder::PluginFinder,
    player::{Fault, NoMove},
    runner::AskedAgent,
};
use plugin_api::{Game, Status};
use run::run_plan::RunPlan;
use serde_json::{Value, json};
use text::{
    escape::json_text,
    number_text::{NONE, count, microseconds},
    printable::printable_lines,
};

use super::{
    CommandError, CommandResult,
    asked::{AgentArgument, Position},
    interruption::InterruptionWatch,
    replay::notes_line,
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
    let watch = InterruptionWatch::start()?;
    let mut replies = Vec::new();
    for (agent, plan) in arguments.agents.agents.iter().zip(&plans) {
        let answer = answer(&position, plan, &watch)?;
        replies.push((agent.label(plan), agent, answer));
    }
    let text = if arguments.format == AskFormat::Json {
        let agents: Vec<Value> = replies.iter().map(of_reply).collect();
        let object = json!({"board": position.board.tiles(), "agents": agents});
        json_text(&object).map_err(io::Error::from)? + "\n"
    } else {
        table(&position, &replies)
    };
    match io::stdout().write_all(printable_lines(&text).as_bytes()) {
        // The reader of the pipe has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        result => result?,
    }
    let has_failed = replies.iter().any(|(_, _, answer)| answer.is_err());
    Ok(if has_failed {
        exit_code::PLUGIN
    } else {
        exit_code::OK
    })
}

/// What an agent said, with its label and how it was named; or why it gave no move.
type AgentReply<'a> = (String, &'a AgentArgument, Result<Answered, String>);

fn answer(
    position: &Position,
    plan: &RunPlan,
    watch: &InterruptionWatch,
) -> Result<Result<Answered, String>, CommandError> {
    let game = Game::from_board(position.rules, position.board, &plan.salt, position.seed);
    if game.status() == Status::NoMoveLeft {
        let message = anyhow!("no move is left on this board");
        return Err(CommandError::new(exit_code::USAGE, message));
    }
    let asked = AskedAgent::start(plan, position.seed, watch.stop());
    match asked.and_then(|mut agent| agent.ask(&game)) {
        Ok((choice, reply)) => Ok(Ok(Answered::new(&position.board, choice, &reply))),
        Err(NoMove::Fault(Fault { sentence, .. })) => Ok(Err(sentence)),
        Err(NoMove::Interrupted(interruption)) => {
            let (_, sentence) = interruption.in_words();
            let code = exit_code::INTERRUPTED;
            Err(CommandError::new(code, anyhow!(sentence)))
        }
    }
}

fn of_reply((label, agent, answer): &AgentReply<'_>) -> Value {
    let mut object = agent.json();
    object["agent"] = label.as_str().into();
    let said = match answer {
        Ok(answered) => serde_json::to_value(answered).unwrap_or_default(),
        Err(sentence) => json!({"error": sentence}),
    };
    if let (Some(object), Value::Object(said)) = (object.as_object_mut(), said) {
        object.extend(said);
    }
    object
}

fn table(position: &Position, replies: &[AgentReply<'_>]) -> String {
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
    for (label, _, answer) in replies {
        let Ok(answered) = answer else { continue };
        let [up, right, down, left] = answered.moves.map(|opinion| opinion.in_words());
        rows.push([
            label.clone(),
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
    for (label, _, answer) in replies {
        match answer {
            Ok(Answered { numbers, text, .. }) => {
                let numbers = numbers.iter().map(|(name, value)| (name.as_str(), *value));
                let notes = notes_line(numbers, text.as_deref());
                lines.extend((!notes.is_empty()).then(|| format!("{label}: {notes}")));
            }
            Err(sentence) => lines.push(format!("{label}: no move: {sentence}")),
        }
    }
    if replies.iter().flat_map(|reply| &reply.2).any(has_values) {
        lines.push(String::new());
        lines.push(
            "in brackets: the rank of the value; illegal: the move changes nothing; pruned: \
             legal, but cut off by the search"
                .to_owned(),
        );
    }
    lines.join("\n") + "\n"
}

fn has_values(answered: &Answered) -> bool {
    answered.moves.iter().any(|opinion| opinion.value.is_some())
}

fn none() -> String {
    NONE.to_owned()
}
