//! Names in a sentence: `mcts, minimax and snake`.

/// `mcts`, `mcts and snake`, `mcts, minimax and snake`.
#[must_use]
pub fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_two_names_are_joined_by_and() {
        let names = ["mcts", "minimax", "snake"].map(str::to_owned);
        assert_eq!(list(&names[..0]), "");
        assert_eq!(list(&names[..1]), "mcts");
        assert_eq!(list(&names[..2]), "mcts and minimax");
        assert_eq!(list(&names), "mcts, minimax and snake");
    }
}
