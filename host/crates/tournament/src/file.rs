//! The tournament file: from YAML to a valid [`Tournament`], or to all of its errors at
//! once; and its JSON Schema, for editors that complete and check YAML.
//!
//! serde stops at the first error and does not know the positions of others. Therefore
//! the text is first parsed into a tree (`node`). Every key is then read separately
//! (`keys`), and its error is kept with the path of the key. Only if there are errors is the
//! text parsed again to find their lines (`position`). Errors found later, such as an unknown
//! plugin, are reported through the same [`Diagnostics`].
//!
//! The functions `read` of [`Tournament`], [`Budget`], [`StopRule`] and [`Entry`] declare the
//! keys: each names a key, what it accepts, its default and its meaning. Run on an empty mapping,
//! the same functions give the JSON Schema and the tables of `docs/tournament-file.md`, which a
//! test compares.

#[cfg(test)]
mod tests;

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::{
    AgentEntry, Budget, Entry, StopRule, Tournament,
    agents::is_plain_name,
    check::Contradiction,
    keys::{KeyDefault, KeyDescription, Mapping, MappingDescription},
    node::{self, LocatedValue, Node},
};

pub use crate::{
    diagnostic::{Diagnostic, Diagnostics, SourceError, TournamentSource},
    position::{KeyPath, PathStep},
};

/// Reads a tournament without the agents of its folders.
///
/// # Errors
/// All errors of the file.
///
/// ```
/// # use tournament::file::{parse, TournamentSource};
/// let source = TournamentSource::new("two.yaml", "agents:\n- plugin: mcts\n- plugin: snake\n");
/// let tournament = parse(&source).unwrap();
/// assert_eq!(tournament.name, "two");
/// assert_eq!(tournament.agents[1].plugin, "snake");
/// ```
pub fn parse(source: &TournamentSource) -> Result<Tournament, Diagnostics> {
    match read(source) {
        Ok(read) => Ok(read.tournament),
        Err(diagnostics) => Err(Diagnostics::new(source, diagnostics)),
    }
}

/// Reads a tournament for callers that do not show errors as lines of a file.
///
/// # Errors
/// All errors, each with the key it is about.
pub fn read(source: &TournamentSource) -> Result<ReadTournament, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    match read_what_is_there(source, &mut diagnostics) {
        Some(read) if diagnostics.is_empty() => Ok(read),
        _ => Err(diagnostics),
    }
}

/// A tournament and the entries of its list `agents`.
#[derive(Clone, Debug)]
pub struct ReadTournament {
    pub tournament: Tournament,
    /// Agents and folders in the order of the file, each with its place.
    pub entries: Vec<(KeyPath, Entry)>,
}

impl ReadTournament {
    /// Whether there may be agents that the file does not name: those of folders and of lists.
    #[must_use]
    pub fn has_unnamed_agents(&self) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|(_, entry)| entry.agent().is_none_or(AgentEntry::has_list))
    }
}

/// Reads a tournament as far as it can be read: keys with errors have their default, and
/// entries with errors are left out. So the plugins of a file with errors can be checked too.
/// Returns `None` if the file is not a mapping.
pub fn read_what_is_there(
    source: &TournamentSource,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ReadTournament> {
    let root = node::parse(&source.text)
        .map_err(|diagnostic| diagnostics.push(diagnostic))
        .ok()?;
    if root == Node::Null {
        let message = "the file is empty; it needs at least `agents`";
        diagnostics.push(Diagnostic::of_file(message));
        return None;
    }
    let root = LocatedValue::root(&root, &source.text);
    let expected = "a mapping with keys such as `agents`";
    Mapping::read(&root, None, expected, diagnostics, |file| {
        let (tournament, entries) = Tournament::read(file, name_of_file(&source.path));
        let read = ReadTournament {
            tournament,
            entries,
        };
        for Contradiction {
            key,
            relies_on,
            message,
        } in read.tournament.contradictions()
        {
            // The names of agents in folders are not known yet.
            let is_known =
                |key: &&str| file.is_sound(key) && !(*key == "agents" && read.has_unnamed_agents());
            if relies_on.iter().all(is_known) {
                file.error(key, message);
            }
        }
        read
    })
}

/// The name of a tournament without `name`: that of its file, if it is a valid name.
fn name_of_file(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    is_plain_name(stem).then(|| stem.to_owned())
}

/// The mappings of a tournament file, each under the name of the key that has it as its value;
/// the file itself has none.
fn mappings() -> [(&'static str, MappingDescription); 4] {
    [
        (
            "",
            MappingDescription::of(|file| Tournament::read(file, None)),
        ),
        ("budget", MappingDescription::of(Budget::read)),
        ("stop", MappingDescription::of(StopRule::read)),
        ("agent", MappingDescription::of(Entry::read)),
    ]
}

/// The schema, as `host schema` prints it.
#[must_use]
pub fn json_schema() -> Value {
    let [(_, file), definitions @ ..] = mappings();
    let mut schema = schema_of(file);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "Arena 2048 tournament file".into();
    let definitions = definitions.map(|(name, mapping)| (name.to_owned(), schema_of(mapping)));
    schema["$defs"] = definitions.into_iter().collect::<Map<_, _>>().into();
    schema
}

fn schema_of(mapping: MappingDescription) -> Value {
    let is_required = |key: &&KeyDescription| matches!(key.default, KeyDefault::Required);
    let required: Vec<_> = (mapping.keys.iter().filter(is_required))
        .map(|key| key.name)
        .collect();
    let properties: Map<_, _> = (mapping.keys.iter())
        .map(|key| (key.name.to_owned(), property(key)))
        .collect();
    let mut schema = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    for (keyword, rule) in mapping.rules {
        schema[keyword] = rule;
    }
    schema
}

fn property(key: &KeyDescription) -> Value {
    let mut schema = key.schema.clone();
    let (meaning, values) = (capitalised(key.meaning), &key.values);
    let mut description = format!("{meaning}. Values: {values}.");
    match &key.default {
        KeyDefault::Written(text) => {
            schema["default"] = serde_yaml::from_str(text).expect("a default is YAML");
        }
        KeyDefault::Dependent(words) if !words.is_empty() => {
            description = format!("{description} Default: {words}.");
        }
        KeyDefault::Dependent(_) | KeyDefault::Required => {}
    }
    schema["description"] = without_links(&description).into();
    schema
}

fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

/// The text of Markdown with the words of its links, but not their targets.
fn without_links(markdown: &str) -> String {
    let mut parts = markdown.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // The link's words begin at the last bracket before its target.
        if let Some(start) = text.rfind('[') {
            text.remove(start);
        }
        text.push_str(part.split_once(')').map_or(part, |(_, rest)| rest));
    }
    text
}
