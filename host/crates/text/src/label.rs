//! The first word of a message in colour: errors, faults and notes are told apart at a glance.

const RED: &str = "\u{1b}[1;31m";
const YELLOW: &str = "\u{1b}[33m";
const DIM: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// A message whose label, such as `error:`, is coloured; other text stays as it is. Colours only
/// repeat what the label says.
#[must_use]
pub fn coloured(message: &str) -> String {
    let colour = match message.split_once(": ") {
        Some(("error", _)) => RED,
        Some(("fault" | "warning", _)) => YELLOW,
        Some(("note" | "hint", _)) => DIM,
        _ => return message.to_owned(),
    };
    message
        .replacen(": ", &format!(":{PLAIN} "), 1)
        .replacen("", colour, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_label_is_coloured() {
        assert_eq!(
            coloured("fault: a: b\n"),
            "\u{1b}[33mfault:\u{1b}[0m a: b\n"
        );
        assert_eq!(coloured("played: 3"), "played: 3");
    }
}
