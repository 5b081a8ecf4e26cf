//! The lines that the host and a program say to each other; `docs/text-protocol.md`.

use std::fmt::Write as _;

use plugin_api::{Allowance, Answer, Board, Direction, Notes, Turn};
use serde::Deserialize;

use text::plugin_words::PluginWords;

/// The host's first line, with the version of the protocol.
pub(super) const HELLO: &str = "arena 1\n";
/// The host's last line.
pub(super) const END: &str = "end\n";
/// Tells an extension to answer with what it has found.
pub(super) const STOP: &str = "stop\n";
/// The longest line of a program, without its end; of an extension, lines may be as long as the
/// texts of a library.
pub(super) const LONGEST_LINE: usize = 1 << 16;
/// How much of a line the host shows to people.
const SHOWN: usize = 120;

/// A line without its end, or the beginning of one that is too long.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ProgramLine {
    Whole(Vec<u8>),
    TooLong(Vec<u8>),
}

/// Takes the next line, if all of it has come.
pub(super) fn take_line(received: &mut Vec<u8>, longest: usize) -> Option<ProgramLine> {
    match received.iter().position(|&byte| byte == b'\n') {
        Some(end) if end <= longest => {
            let rest = received.split_off(end + 1);
            let mut line = std::mem::replace(received, rest);
            line.pop();
            Some(ProgramLine::Whole(line))
        }
        None if received.len() <= longest => None,
        _ => Some(ProgramLine::TooLong(std::mem::take(received))),
    }
}

/// What has come although the host asked for nothing, up to the end of its line.
pub(super) fn unasked(received: &[u8]) -> Option<&[u8]> {
    let first = received.split(|&byte| byte == b'\n').next();
    first.filter(|_| !received.is_empty())
}

/// What a program says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    /// Its description, as JSON.
    Agent(String),
    Ready,
    Move(Answer, Notes),
    /// A message of an extension, as JSON.
    Message(String),
    /// The answer of an extension, as JSON.
    Answer(String),
    Error(PluginWords),
}

/// What a program may say about a move.
#[derive(Default, Deserialize)]
#[serde(default, expecting = "an object such as {\"depth\": 3}")]
struct Thoughts {
    values: Values,
    depth: Option<f64>,
    nodes: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default, expecting = "an object such as {\"up\": 1.5}")]
struct Values {
    up: Option<f64>,
    right: Option<f64>,
    down: Option<f64>,
    left: Option<f64>,
}

/// The line that begins a game; both texts are JSON on one line.
pub(super) fn new_line(params: &str, setup: &str) -> String {
    format!("new {{\"params\":{params},\"setup\":{setup}}}\n")
}

/// The line that calls an extension; the request is JSON on one line.
pub(super) fn extension_line(name: &str, request: &str) -> String {
    let name = serde_json::Value::from(name);
    format!("extension {{\"name\":{name},\"request\":{request}}}\n")
}

/// Whether a program's description lists an extension.
pub(super) fn offers(info: &str, extension: &str) -> bool {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Offer {
        extensions: Vec<String>,
    }
    let offer: Offer = serde_json::from_str(info).unwrap_or_default();
    offer.extensions.iter().any(|name| name == extension)
}

/// The line that asks for a move.
pub(super) fn turn_line(board: &Board, turn: &Turn) -> String {
    let mut line = format!(
        "turn {{\"move\":{},\"score\":{},\"board\":[",
        turn.move_number, turn.score
    );
    // Writing to a string cannot fail.
    for (number, row) in board.tiles().iter().enumerate() {
        line.push_str(if number == 0 { "[" } else { ",[" });
        for (column, tile) in row.iter().enumerate() {
            let _ = write!(line, "{}{tile}", if column == 0 { "" } else { "," });
        }
        line.push(']');
    }
    line.push_str("],\"legal\":[");
    for (number, direction) in board.legal_moves().enumerate() {
        let comma = if number == 0 { "" } else { "," };
        let _ = write!(line, "{comma}\"{}\"", name(direction));
    }
    line.push(']');
    match turn.allowance {
        Allowance::Unlimited => {}
        Allowance::Nodes(nodes) => {
            let _ = write!(line, ",\"nodes\":{nodes}");
        }
        Allowance::Time { income, bank, .. } => {
            let (time, bank) = (income.as_micros(), bank.as_micros());
            let _ = write!(line, ",\"time_us\":{time},\"bank_us\":{bank}");
        }
    }
    line.push_str("}\n");
    line
}

fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "up",
        Direction::Right => "right",
        Direction::Down => "down",
        Direction::Left => "left",
    }
}

/// What is wrong with a line; completes a sentence that quotes the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineError {
    /// Nothing that a program may say.
    Foreign(&'static str),
    /// A move that cannot be read.
    Move(String),
}

/// Reads a line without its end.
pub(super) fn parse(line: &[u8]) -> Result<Said, LineError> {
    let text = std::str::from_utf8(line).map_err(|_| LineError::Foreign("is not UTF-8"))?;
    let text = text.strip_suffix('\r').unwrap_or(text);
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match word {
        "agent" => Ok(Said::Agent(rest.to_owned())),
        "ready" if rest.trim().is_empty() => Ok(Said::Ready),
        "move" => parse_move(rest.trim()).map_err(LineError::Move),
        "message" => Ok(Said::Message(rest.to_owned())),
        "answer" => Ok(Said::Answer(rest.to_owned())),
        "error" => Ok(Said::Error(PluginWords::new(rest))),
        _ => Err(LineError::Foreign("is not a line of the protocol")),
    }
}

fn parse_move(text: &str) -> Result<Said, String> {
    let (word, json) = text.split_once(' ').unwrap_or((text, ""));
    let direction = Direction::ALL
        .into_iter()
        .find(|&direction| name(direction) == word)
        .ok_or("names no direction; the directions are `up`, `right`, `down` and `left`")?;
    let json = json.trim();
    let thoughts: Thoughts = match json {
        "" => Thoughts::default(),
        _ => serde_json::from_str(json).map_err(|error| {
            // The error names values, which are the program's.
            let error = PluginWords::from(error.to_string());
            format!("has thoughts that cannot be read: {error}")
        })?,
    };
    let Values {
        up,
        right,
        down,
        left,
    } = thoughts.values;
    let answer = Answer {
        direction: direction as u8,
        values: [up, right, down, left].map(|value| value.unwrap_or(f64::NAN)),
        depth: u32::try_from(whole(thoughts.depth, "depth")?).unwrap_or(u32::MAX),
        nodes: whole(thoughts.nodes, "nodes")?,
    };
    Ok(Said::Move(answer, Notes::from_json(json)))
}

/// Languages without integers write `1e6`.
fn whole(number: Option<f64>, key: &str) -> Result<u64, String> {
    match number {
        None => Ok(0),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the number is not negative, and a float saturates"
        )]
        Some(number) if number >= 0.0 => Ok(number as u64),
        Some(number) => Err(format!("has `{key}` {number}, which is less than 0")),
    }
}

/// What to write instead of a description that cannot be read.
#[must_use]
pub fn description_advice(description: &str) -> String {
    let line = format!("agent {description}");
    format!(
        "it wrote {}; write for example `agent {{\"name\": \"anna\"}}`",
        shown(line.as_bytes())
    )
}

/// A line as the host shows it to people.
pub(super) fn shown(line: &[u8]) -> PluginWords {
    PluginWords::cut(&String::from_utf8_lossy(line), SHOWN)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use plugin_api::Clock;

    use super::*;

    #[test]
    fn lines_come_in_pieces_and_several_at_once() {
        let mut received = b"rea".to_vec();
        assert_eq!(take_line(&mut received, LONGEST_LINE), None);
        received.extend(b"dy\nmove up\nx");
        let whole = |line: &str| Some(ProgramLine::Whole(line.as_bytes().to_vec()));
        assert_eq!(take_line(&mut received, LONGEST_LINE), whole("ready"));
        assert_eq!(unasked(&received), Some(b"move up".as_slice()));
        assert_eq!(take_line(&mut received, LONGEST_LINE), whole("move up"));
        assert_eq!(unasked(&received), Some(b"x".as_slice()));
    }

    #[test]
    fn a_line_has_a_limit() {
        let mut received = vec![b'x'; LONGEST_LINE];
        assert_eq!(take_line(&mut received, LONGEST_LINE), None);
        received.push(b'\n');
        assert!(matches!(
            take_line(&mut received, LONGEST_LINE),
            Some(ProgramLine::Whole(_))
        ));
        for end in ["", "\n"] {
            received.extend(vec![b'x'; LONGEST_LINE + 1]);
            received.extend(end.as_bytes());
            let line = take_line(&mut received, LONGEST_LINE);
            assert!(matches!(line, Some(ProgramLine::TooLong(_))));
            assert_eq!(unasked(&received), None);
        }
    }

    fn turn(allowance: Allowance) -> Turn {
        Turn {
            move_number: 3,
            score: 16,
            allowance,
        }
    }

    #[test]
    fn a_turn_is_one_line_with_its_keys_in_the_documented_order() {
        let board: Board = "2 0 / 4 0".parse().unwrap();
        let start = r#"turn {"move":3,"score":16,"board":[[2,0],[4,0]],"legal":["right"]"#;
        let time = Allowance::Time {
            clock: Clock::Cpu,
            start_ns: 7,
            income: Duration::from_millis(10),
            bank: Duration::from_nanos(99_214_999),
        };
        for (allowance, end) in [
            (Allowance::Unlimited, "}\n"),
            (Allowance::Nodes(500), ",\"nodes\":500}\n"),
            (time, ",\"time_us\":10000,\"bank_us\":99214}\n"),
        ] {
            assert_eq!(turn_line(&board, &turn(allowance)), format!("{start}{end}"));
        }
    }

    #[test]
    fn answers_are_read_and_unknown_keys_ignored() {
        let answer = |line: &str| match parse(line.as_bytes()) {
            Ok(Said::Move(answer, _)) => answer,
            other => panic!("{line}: {other:?}"),
        };
        let plain = answer("move left\r");
        assert_eq!((plain.direction, plain.depth, plain.nodes), (3, 0, 0));
        assert!(plain.values.iter().all(|value| value.is_nan()));
        let full = answer(
            r#"move up {"values":{"up":1.5,"left":-2,"down":null},"depth":4.0,"nodes":1e6,"mood":"good"}"#,
        );
        assert_eq!((full.direction, full.depth, full.nodes), (0, 4, 1_000_000));
        assert_eq!((full.values[0], full.values[3]), (1.5, -2.0));
        assert!(full.values[1].is_nan() && full.values[2].is_nan());
        assert_eq!(parse(b"ready"), Ok(Said::Ready));
        assert_eq!(parse(b"error no"), Ok(Said::Error(PluginWords::new("no"))));
        for wrong in [
            "",
            "hello",
            "move",
            "move LEFT",
            "move 3",
            "move left x",
            "move left {\"depth\":-1}",
            "ready now",
            "moveleft",
            " move left",
        ] {
            assert!(parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
        assert!(parse(b"move \xff").is_err());
    }

    #[test]
    fn notes_are_read_and_never_a_fault() {
        let notes = |line: &str| match parse(line.as_bytes()) {
            Ok(Said::Move(_, notes)) => notes,
            other => panic!("{line}: {other:?}"),
        };
        let both = notes(r#"move up {"depth":2,"numbers":{"holes":3},"text":"few holes"}"#);
        assert_eq!(both.numbers(), [("holes".to_owned(), 3.0)]);
        assert_eq!(both.text(), Some("few holes"));
        // Programs for earlier hosts may use the keys for anything.
        for odd in [
            "move up",
            r#"move up {"numbers":[1],"text":{"en":"few holes"}}"#,
            r#"move up {"numbers":{"holes":"3"}}"#,
        ] {
            assert!(notes(odd).is_empty(), "{odd}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_line_is_read_without_harm(line: Vec<u8>, word in 0..5_usize, text: String) {
            let _ = parse(&line);
            let _ = shown(&line);
            let word = ["agent", "ready", "move left", "move", "error"][word];
            let _ = parse(format!("{word} {text}").as_bytes());
            let _ = parse(format!("move up {{\"values\":{text}}}").as_bytes());
        }
    }
}
