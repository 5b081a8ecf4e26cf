//! Lists in a sentence: `mcts, minimax and snake`, and of many words the first.

use super::number_text::count;

/// `mcts`, `mcts and snake`, `mcts, minimax and snake`.
#[must_use]
pub fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The same with at most so many words: `mcts, minimax and 7 more`.
#[must_use]
pub fn first_listed(words: impl IntoIterator<Item = impl ToString>, most: usize) -> String {
    let mut words = words.into_iter();
    let mut first: Vec<String> = first_of(&mut words, most);
    first.extend(more(words.count() as u64));
    listed(&first)
}

/// At most so many of `n_words` words, then `and 7 more`, for lists with a line for each word. Words
/// after the first `most` need not be known.
#[must_use]
pub fn first_items(
    words: impl IntoIterator<Item = impl ToString>,
    n_words: usize,
    most: usize,
) -> Vec<String> {
    let mut first = first_of(words, most);
    let n_more = n_words.saturating_sub(first.len());
    first.extend(more(n_more as u64).map(|more| format!("and {more}")));
    first
}

fn first_of(words: impl IntoIterator<Item = impl ToString>, most: usize) -> Vec<String> {
    let first = words.into_iter().take(most);
    first.map(|word| word.to_string()).collect()
}

fn more(n_more: u64) -> Option<String> {
    (n_more > 0).then(|| format!("{} more", count(n_more)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_two_words_are_joined_by_and() {
        let names = ["mcts", "minimax", "snake"].map(str::to_owned);
        assert_eq!(listed(&names[..0]), "");
        assert_eq!(listed(&names[..1]), "mcts");
        assert_eq!(listed(&names[..2]), "mcts and minimax");
        assert_eq!(listed(&names), "mcts, minimax and snake");
    }

    #[test]
    fn of_many_words_the_first_are_listed_and_the_others_counted() {
        assert_eq!(first_listed(1..=3, 3), "1, 2 and 3");
        assert_eq!(first_listed(1..=4, 3), "1, 2, 3 and 1 more");
        assert_eq!(first_listed(1..=2000, 1), "1 and 1,999 more");
        assert_eq!(first_items(1..=2, 2, 2), ["1", "2"]);
        assert_eq!(first_items(1..=2, 9, 2), ["1", "2", "and 7 more"]);
    }
}
