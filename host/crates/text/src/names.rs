//! The known name nearest to a misspelt one.

/// The candidate nearest to `word`, if it is near enough to suggest: at most about one typo in
/// three letters. Case is ignored.
///
/// ```
/// # use text::names::nearest_name;
/// let known = ["expectimax", "minimax", "mcts"];
/// assert_eq!(nearest_name("expectmax", known), Some("expectimax"));
/// assert_eq!(nearest_name("alphazero", known), None);
/// ```
pub fn nearest_name<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // A misspelt name is short; the distance takes time and memory quadratic in its length.
    const MOST_LETTERS: usize = 100;
    let n_letters = word.chars().count();
    if n_letters > MOST_LETTERS {
        return None;
    }
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|name| {
            let distance = strsim::damerau_levenshtein(&word, &name.to_lowercase());
            (distance, name)
        })
        // If no letter is left, it is a different word.
        .filter(|(distance, _)| *distance <= n_letters.div_ceil(3) && *distance < n_letters)
        .min()
        .map(|(_, name)| name)
}

/// The text that follows `unknown …`: the nearest name as a question, or else all names.
#[must_use]
pub fn suggestion(word: &str, what: &str, names: &[&str]) -> String {
    match nearest_name(word, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("known {what}: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_matched_and_a_different_word_is_not() {
        let keys = ["agents", "board", "budget", "goal", "seeds"];
        for (word, name) in [
            ("agnets", Some("agents")),
            ("agent", Some("agents")),
            ("Board", Some("board")),
            ("budgets", Some("budget")),
            ("gaol", Some("goal")),
            ("seed", Some("seeds")),
            ("", None),
            ("colour", None),
            ("x", None),
        ] {
            assert_eq!(nearest_name(word, keys), name, "{word}");
        }
    }
}
