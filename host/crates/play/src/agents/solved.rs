//! What a plugin says through `solve/1`, decoded with limits, because a plugin is not trusted.

use plugin_api::{
    Direction,
    solve::{Solution, SolveAnswer, SolveMessage},
};
use text::plugin_words::PluginWords;

/// No solution of a board that can be searched has more moves, and no number of solutions more
/// digits: an answer beyond them would only fill the screen.
const MOST_MOVES: usize = 100_000;
const MOST_DIGITS: usize = 10_000;

/// A message; nothing if its moves are none, or if a later version of the extension sends it.
#[must_use]
pub fn message(text: &str) -> Option<SolveMessage> {
    let mut message = serde_json::from_str(text).ok()?;
    match &mut message {
        SolveMessage::Progress(progress) => {
            progress.solutions.take_if(|number| !is_number(number));
        }
        SolveMessage::Solution(solution) if !is_playable(solution) => return None,
        SolveMessage::Solution(_) => {}
    }
    Some(message)
}

/// The answer, without those parts of it that say nothing.
///
/// # Errors
/// When it is malformed; the sentence is complete.
pub fn answer(text: &str) -> Result<SolveAnswer, String> {
    let mut answer: SolveAnswer = serde_json::from_str(text).map_err(|error| {
        // The error names values, which are the plugin's.
        let error = PluginWords::from(error.to_string());
        format!("the answer of the plugin is malformed: {error}")
    })?;
    // A number of any size arrives as text, and other text is no answer.
    answer.solutions.take_if(|number| !is_number(number));
    answer.tree.take_if(|tree| {
        let numbers = [&tree.generated, &tree.expanded, &tree.killed];
        let mut numbers = numbers.into_iter().chain(&tree.unpruned);
        !numbers.all(|number| is_number(number))
    });
    answer.shortest.take_if(|solution| !is_playable(solution));
    Ok(answer)
}

fn is_playable(solution: &Solution) -> bool {
    let mut letters = solution.moves.chars();
    solution.moves.len() <= MOST_MOVES
        && letters.all(|letter| Direction::from_letter(letter).is_some())
}

fn is_number(text: &str) -> bool {
    (1..=MOST_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}
