//! The values of options. The messages replace those of Rust's parsers.

use std::{path::PathBuf, str::FromStr};

use explain::drawing::WIDTHS;
use plugin_api::Side;
use tournament::Tournament;

/// A folder that exists. A mistyped one would otherwise be ignored.
pub(super) fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_dir() {
        Ok(path)
    } else {
        Err("there is no such folder".to_owned())
    }
}

pub(super) fn millimetres(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix("mm").unwrap_or(text);
    let width = number.parse().ok().filter(|width| WIDTHS.contains(width));
    let (least, most) = (WIDTHS.start(), WIDTHS.end());
    width.ok_or_else(|| format!("expected a number of millimetres from {least} to {most}"))
}

pub(super) fn whole_number(text: &str) -> Result<u64, String> {
    parsed(text, "a whole number")
}

/// For the number types that exclude zero.
pub(super) fn at_least_one<N: FromStr>(text: &str) -> Result<N, String> {
    parsed(text, "a whole number of at least 1")
}

pub(super) fn port(text: &str) -> Result<u16, String> {
    parsed(text, "a port number from 0 to 65535")
}

pub(super) fn side(text: &str) -> Result<Side, String> {
    text.parse()
        .ok()
        .and_then(Side::new)
        .ok_or_else(|| "expected the side of a board, from 2 to 8".to_owned())
}

/// The tile that ends a game.
pub(super) fn goal(text: &str) -> Result<u64, String> {
    let goal = whole_number(text)?;
    if Tournament::is_goal(goal) {
        Ok(goal)
    } else {
        Err("not a tile; use a power of two: 4, 8, 16, …".to_owned())
    }
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("expected a number above 0".to_owned()),
    }
}

fn parsed<N: FromStr>(text: &str, expected: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("expected {expected}"))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn a_wrong_number_is_rejected_with_what_was_expected() {
        assert_eq!(whole_number("7"), Ok(7));
        assert_eq!(whole_number("x"), Err("expected a whole number".to_owned()));
        let workers = at_least_one::<NonZeroU32>("0");
        assert_eq!(
            workers,
            Err("expected a whole number of at least 1".to_owned())
        );
        assert_eq!(
            port("65536"),
            Err("expected a port number from 0 to 65535".to_owned())
        );
        assert_eq!(
            side("9"),
            Err("expected the side of a board, from 2 to 8".to_owned())
        );
        assert_eq!(side("4"), Ok(Side::FOUR));
        assert_eq!(positive("nan"), Err("expected a number above 0".to_owned()));
    }
}
