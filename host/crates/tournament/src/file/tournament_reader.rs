//! Reads the top-level keys of the file.

use std::{
    num::{NonZeroU32, NonZeroU64, NonZeroUsize},
    path::Path,
};

use plugin_api::{FourShare, Side, Tiles};

use super::{
    ReadTournament,
    agent_reader::{name, read_agents},
    budget_reader::read_budgets,
    consistency::check_together,
    diagnostic::{Diagnostic, DiagnosticSubject},
    key_path::KeyPath,
    mapping_reader::MappingReader,
    memory_size::memory,
    node::Node,
    seed_reader::read_seeds,
    source::TournamentSource,
    value::{LocatedValue, none_or, number_in, one_of, positive, positive_or},
};
use text::byte_size::parse_byte_size;

use crate::{
    Isolation, RankBy, SaltChoice, SaltChoiceError, Sandbox, StopRule, Tournament, is_plain_name,
};

pub(super) const KEYS: [&str; 20] = [
    "name",
    "board",
    "tiles",
    "four",
    "seeds",
    "salt",
    "private_seeds",
    "goal",
    "max_moves",
    "rank_by",
    "budget",
    "isolation",
    "sandbox",
    "memory",
    "thoughts",
    "disqualify_after",
    "control",
    "stop",
    "workers",
    "agents",
];

pub(super) const STOP_KEYS: [&str; 3] = ["decided", "max_seeds", "equal_within"];

pub(super) const TILES: [(&str, Tiles); 2] = [
    ("random", Tiles::Random),
    ("deterministic", Tiles::Deterministic),
];

pub(super) const RANKINGS: [(&str, RankBy); 2] =
    [("score", RankBy::Score), ("reach", RankBy::Reach)];

pub(super) const ISOLATIONS: [(&str, Isolation); 2] =
    [("process", Isolation::Process), ("none", Isolation::None)];

pub(super) const SANDBOXES: [(&str, Sandbox); 3] = [
    ("on", Sandbox::On),
    ("required", Sandbox::Required),
    ("off", Sandbox::Off),
];

pub(super) const DEFAULT_DISQUALIFY_AFTER: u32 = 3;

/// The tournament; if there are errors, an incomplete one.
pub(super) fn read(
    root: &Node,
    source: &TournamentSource,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ReadTournament> {
    let value = LocatedValue {
        node: root,
        path: KeyPath::root(),
        source: &source.text,
    };
    if *root == Node::Null {
        let message = "the file is empty; it needs at least `agents`";
        diagnostics.push(Diagnostic::new(DiagnosticSubject::File, message));
        return None;
    }
    let expected = "a mapping with keys such as `agents`";
    let mut reader = MappingReader::new(&value, expected, &KEYS, diagnostics)?;

    let default_name = name_of_file(&source.path);
    if reader.get("name").is_none() && default_name.is_none() {
        reader.missing("name", "the name of the file cannot be used as a name");
    }
    let budgets = reader.get("budget");
    let agents = reader.get("agents");
    if agents.is_none() {
        reader.missing(
            "agents",
            "list the agents, for example `- plugin: expectimax`",
        );
    }
    let goal = reader.read("goal", None, none_or(goal));
    let rank_by = reader.read("rank_by", RankBy::default_for(goal), one_of(&RANKINGS));
    let (agents, folders) = agents.map_or_else(Default::default, |agents| {
        read_agents(&agents, reader.diagnostics())
    });
    let (places, agents) = agents.into_iter().unzip();
    let tournament = Tournament {
        name: reader.read("name", default_name.unwrap_or_default(), name),
        side: reader.read("board", Side::FOUR, side),
        tiles: reader.read("tiles", Tiles::default(), one_of(&TILES)),
        four: reader.read("four", FourShare::DEFAULT, four),
        seeds: read_seeds(&mut reader),
        salt: reader.read("salt", SaltChoice::default(), salt),
        private_seeds: reader
            .read("private_seeds", None, none_or(positive))
            .map_or(0, NonZeroU64::get),
        goal,
        max_moves: reader.read("max_moves", None, none_or(positive)),
        rank_by: Some(rank_by).filter(|rank_by| *rank_by != RankBy::default_for(goal)),
        budgets: read_budgets(budgets.as_ref(), reader.diagnostics()),
        isolation: reader.read("isolation", Isolation::default(), one_of(&ISOLATIONS)),
        sandbox: reader.read("sandbox", Sandbox::default(), one_of(&SANDBOXES)),
        memory: reader.read("memory", Tournament::DEFAULT_MEMORY, memory),
        thoughts: reader.read("thoughts", None, none_or(byte_limit)),
        disqualify_after: reader.read(
            "disqualify_after",
            NonZeroU32::new(DEFAULT_DISQUALIFY_AFTER),
            consecutive_faults,
        ),
        control: reader.read("control", None, none_or(name)),
        stop: read_stop(&mut reader),
        workers: reader.read("workers", None, workers),
        agents,
        folders,
    };
    check_together(&tournament, &mut reader);
    Some(ReadTournament { tournament, places })
}

/// The name of a tournament without `name`: that of its file, if it is a valid name.
fn name_of_file(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    is_plain_name(stem).then(|| stem.to_owned())
}

fn side(value: &LocatedValue) -> Result<Side, String> {
    let text = value.text()?;
    text.parse()
        .ok()
        .and_then(Side::new)
        .ok_or_else(|| format!("a board has a side of 2 to 8, not `{text}`"))
}

fn four(value: &LocatedValue) -> Result<FourShare, String> {
    number_in("from 0 to 1", FourShare::new)(value)
}

fn goal(value: &LocatedValue) -> Result<u64, String> {
    let text = value.text()?;
    text.parse()
        .ok()
        .filter(|goal| Tournament::is_goal(*goal))
        .ok_or_else(|| {
            format!(
                "`{text}` is not a valid goal; write `none` or a power of two of at least {}",
                Tournament::SMALLEST_GOAL
            )
        })
}

fn salt(value: &LocatedValue) -> Result<SaltChoice, String> {
    if value.is_none() {
        return Ok(SaltChoice::None);
    }
    let text = value.text_as_written()?;
    text.parse()
        .map_err(|error: SaltChoiceError| error.to_string())
}

fn byte_limit(value: &LocatedValue) -> Result<NonZeroU64, String> {
    let text = value.text()?;
    let bytes = parse_byte_size(&text).map_err(|error| error.to_string())?;
    NonZeroU64::new(bytes).ok_or_else(|| "0 bytes are no room; write `none`".to_owned())
}

fn consecutive_faults(value: &LocatedValue) -> Result<Option<NonZeroU32>, String> {
    if value.is_none() {
        return Ok(None);
    }
    positive_or("never", value)
}

fn workers(value: &LocatedValue) -> Result<Option<NonZeroUsize>, String> {
    positive_or("auto", value)
}

/// A share above 0 and below 1, as a number or with a percent sign.
fn share(value: &LocatedValue) -> Result<f64, String> {
    let text = value.text()?;
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => text.parse(),
    };
    let number = number.ok().filter(|share| StopRule::is_share(*share));
    number.ok_or_else(|| {
        format!("`{text}` is not a share above 0% and below 100%; write for example `5%`")
    })
}

fn max_seeds(value: &LocatedValue) -> Result<u64, String> {
    const FEWEST: u64 = StopRule::FEWEST_SEEDS;
    let max_seeds = positive(value).map(NonZeroU64::get)?;
    if max_seeds < FEWEST {
        return Err(format!(
            "`max_seeds` is {max_seeds}, but nothing is decided before {FEWEST} seeds; \
             raise `max_seeds`, or remove `stop`"
        ));
    }
    Ok(max_seeds)
}

fn read_stop(reader: &mut MappingReader) -> Option<StopRule> {
    let value = reader.get("stop").filter(|value| !value.is_none())?;
    let expected = "`none` or a rule such as `{ decided: 0.95, max_seeds: 2000 }`";
    let mut reader = MappingReader::new(&value, expected, &STOP_KEYS, reader.diagnostics())?;
    let range = "between 0 and 1";
    let decided = reader.read_required(
        "decided",
        "write for example `decided: 0.95`",
        number_in(range, |confidence| {
            StopRule::is_share(confidence).then_some(confidence)
        }),
    );
    let max_seeds = reader.read_required(
        "max_seeds",
        "write for example `max_seeds: 2000`",
        max_seeds,
    );
    let equal_within = reader.read("equal_within", None, none_or(share));
    Some(StopRule {
        decided: decided?,
        max_seeds: max_seeds?,
        equal_within,
    })
}
