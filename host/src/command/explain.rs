//! `host explain`: the tree that an agent searches on a board, as text or drawn.

use std::{
    fs,
    io::{self, IsTerminal},
    num::{NonZeroU32, NonZeroUsize},
    path::Path,
    sync::atomic::Ordering,
};

use anyhow::anyhow;
use explain::{ExplainError, ExplainedTree, Question, drawing::Drawing};
use play::agents::plugin_finder::PluginFinder;
use plugin_api::explain::ExplainRequest;
use text::{escape::json_text, printable::printable_lines, program};

use super::{
    CommandError, CommandResult, create_folder_of, interruption::InterruptionWatch, print,
};
use crate::command::{
    command_line::{ExplainArguments, ExplainFormat, FigureFormat},
    converter::convert,
    exit_code,
};

/// A person reads fewer nodes than a program.
const NODES_AS_TEXT: usize = 100;

pub(crate) fn explain(arguments: &ExplainArguments) -> CommandResult {
    let usage = |message: String| CommandError::new(exit_code::USAGE, anyhow!(message));
    let format = format(arguments).map_err(usage)?;
    let [agent] = &arguments.agents.agents[..] else {
        let message = format!(
            "--agent: only one agent is explained; `{}` compares several",
            program::command("ask")
        );
        return Err(usage(message));
    };
    let position = arguments.position.position()?;
    let finder = PluginFinder::new(&arguments.plugins.folders, None);
    let plan = agent.plan(&position, &finder)?;
    let question = Question {
        plan: &plan,
        seed: position.seed,
        board: position.board,
        depth: arguments.depth.map(NonZeroU32::get),
        nodes: (arguments.nodes).map_or(usual_nodes(format), NonZeroUsize::get),
    };
    let watch = InterruptionWatch::start()?;
    let out = arguments.out.as_deref();
    show(&question, format, arguments.width, out, &watch)?;
    Ok(exit_code::OK)
}

/// The largest number of nodes of an explanation, if nothing else is chosen.
pub(super) fn usual_nodes(format: ExplainFormat) -> usize {
    match format {
        ExplainFormat::Text => NODES_AS_TEXT,
        _ => ExplainRequest::DEFAULT_NODES,
    }
}

/// Asks, and writes the answer to a file or to standard output.
pub(super) fn show(
    question: &Question,
    format: ExplainFormat,
    width: f64,
    out: Option<&Path>,
    watch: &InterruptionWatch,
) -> Result<(), CommandError> {
    let tree = question.ask(watch.stop()).map_err(|error| {
        let code = match error {
            _ if watch.stop().load(Ordering::Relaxed) => exit_code::INTERRUPTED,
            ExplainError::NoMoveLeft => exit_code::USAGE,
            _ => exit_code::PLUGIN,
        };
        CommandError::new(code, error)
    })?;
    let content = written(&tree, format, width)?;
    match out {
        Some(file) => write_file(file, &content)?,
        None => print(&content)?,
    }
    Ok(())
}

/// The format that was chosen, or that the name of the file says.
fn format(arguments: &ExplainArguments) -> Result<ExplainFormat, String> {
    let of_file = arguments.out.as_deref().and_then(Path::extension);
    let of_file = of_file.and_then(|ending| ExplainFormat::of_ending(&ending.to_string_lossy()));
    match (arguments.format, of_file) {
        (Some(format), Some(of_file)) if format != of_file => {
            return Err(format!(
                "--out: the ending of the file says {}, and --format says {}; omit --format or \
                 choose another ending",
                of_file.name(),
                format.name()
            ));
        }
        (Some(format @ (ExplainFormat::Pdf | ExplainFormat::Png)), None)
            if arguments.out.is_none() && io::stdout().is_terminal() =>
        {
            return Err(format!(
                "--format {}: a terminal cannot show it; name a file with --out",
                format.name()
            ));
        }
        (Some(format), _) => return Ok(format),
        (None, _) => {}
    }
    let Some(file) = &arguments.out else {
        return Ok(ExplainFormat::Text);
    };
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    ExplainFormat::of_ending(&ending).ok_or_else(|| {
        format!(
            "--out {}: the ending says no format; choose one with --format",
            file.display()
        )
    })
}

fn written(
    tree: &ExplainedTree,
    format: ExplainFormat,
    width: f64,
) -> Result<Vec<u8>, CommandError> {
    let drawing = || Drawing::new(tree, width);
    let converted = |format: FigureFormat| {
        convert(&explain::svg(&drawing()), format, "use `--format svg`")
            .map_err(|error| CommandError::new(exit_code::UNEXPECTED, error))
    };
    let text = match format {
        ExplainFormat::Text => printable_lines(&explain::trace(tree)),
        ExplainFormat::Json => {
            let text = json_text(&explain::json(tree)).map_err(io::Error::from)?;
            text + "\n"
        }
        ExplainFormat::Svg => explain::svg(&drawing()),
        ExplainFormat::Pdf => return converted(FigureFormat::Pdf),
        ExplainFormat::Png => return converted(FigureFormat::Png),
        ExplainFormat::Tikz => explain::tikz(&drawing()),
        ExplainFormat::Dot => explain::dot(tree, &drawing()),
    };
    Ok(text.into_bytes())
}

pub(super) fn write_file(file: &Path, content: &[u8]) -> Result<(), CommandError> {
    let written = create_folder_of(file).and_then(|()| fs::write(file, content));
    written.map_err(|error| {
        let message = anyhow!("cannot write `{}`: {error}", file.display());
        CommandError::new(exit_code::UNEXPECTED, message)
    })
}
