//! `agents` of the tournament file: agents one by one, and folders of agents.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use crate::{
    diagnostic::Diagnostic,
    keys::{Mapping, ValueType, byte_size, report_duplicate_keys},
    node::{LocatedValue, Node},
    position::{KeyPath, Target, locate},
};

/// The report compares every pair of agents, so the number is limited.
pub const MAX_AGENTS: usize = 1000;

/// The ends of file names that say which interpreter a program needs.
pub const PROGRAM_EXTENSIONS: [&str; 6] = ["py", "js", "mjs", "cjs", "jar", "class"];

/// A row of the ranking: a plugin with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentEntry {
    /// Name or path of the plugin, as written in the file; for a command, the word that
    /// names its main file.
    pub plugin: String,
    /// The words of a command, as written in the file; none for a plugin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub program: Vec<String>,
    /// The agent's name in tables and records.
    pub name: String,
    pub params: serde_json::Map<String, serde_json::Value>,
    /// Paths that the sandbox lets the agent read, as written in the file.
    pub allow_read: Vec<PathBuf>,
    /// For an agent from a folder: its file, relative to that folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<String>,
    /// How much memory its workers may allocate, in bytes, if that differs from the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

/// The name under which the control of a tournament plays the second time (A/A test).
#[must_use]
pub fn twin_name(agent: &str) -> String {
    format!("{agent}-twin")
}

/// A folder whose plugins all take part, each under its own name, such as the submissions of a
/// class.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentFolder {
    /// The folder as written in the file, without the pattern.
    pub folder: PathBuf,
    /// Which of its files take part, such as `*.so`; all of them if there is none.
    pub pattern: Option<String>,
    /// The parameters of every agent in it.
    pub params: Map<String, serde_json::Value>,
    /// Paths that the sandbox lets every agent in it read, as written in the file.
    pub allow_read: Vec<PathBuf>,
    /// How much memory the workers of every agent in it may allocate, in bytes, if that
    /// differs from the others.
    pub memory: Option<u64>,
}

/// An entry of the list `agents`.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    Agent(AgentEntry),
    Folder(AgentFolder),
}

impl Entry {
    /// The agent, if this is one.
    #[must_use]
    pub fn agent(&self) -> Option<&AgentEntry> {
        match self {
            Self::Agent(agent) => Some(agent),
            Self::Folder(_) => None,
        }
    }

    /// Declares and reads the keys of an entry. Returns `None` if an error leaves no agent or
    /// folder to enter.
    pub(crate) fn read(entry: &mut Mapping) -> Option<Self> {
        let plugin = entry.optional(
            "plugin",
            plugin(),
            "",
            "a shared library, or a script, archive, executable or folder that plays by the \
             [text protocol](text-protocol.md); required, unless there is a `program` or a `folder`",
        );
        let program = entry.optional(
            "program",
            command(),
            "",
            "a command that plays by the text protocol, such as `[python3, -O, anna.py]`; it can \
             read the files and folders that it names",
        );
        let name = entry.optional(
            "name",
            name().described_as("a name, unique in the tournament"),
            "the plugin's name, without folder, `lib`, `.so`, `.py` and the like",
            "the agent's name in tables and records",
        );
        let params = entry.key(
            "params",
            params(),
            "{}",
            "parameters; the command `list NAME` shows those of a plugin; a [list](#lists-of-values) enters an \
             agent for each value",
        );
        let allow_read = entry.key(
            "allow_read",
            paths(),
            "[]",
            "files and folders that the agent may read, in addition to those that the plugin names",
        );
        let memory = entry.optional(
            "memory",
            memory().described_as("a size such as `512MiB`"),
            "that of the tournament",
            "memory limit of this agent's workers",
        );
        let folder = entry.optional(
            "folder",
            folder(),
            "",
            "instead of `plugin` and `name`: every plugin in this folder is an agent",
        );
        entry.schema_rule(
            "oneOf",
            json!([
                {"required": ["plugin"]},
                {"required": ["program"]},
                {"required": ["folder"], "not": {"required": ["name"]}},
            ]),
        );
        if entry.has("folder") {
            report_keys_of_agents(entry);
            let (folder, pattern) = folder?;
            return Some(Self::Folder(AgentFolder {
                folder,
                pattern,
                params,
                allow_read,
                memory,
            }));
        }
        let plugin = main_file(entry, plugin, program.as_deref())?;
        let name = match name {
            None if entry.has("name") => return None,
            None => AgentEntry::default_name(&plugin).to_owned(),
            Some(name) => name,
        };
        if !is_plain_name(&name) {
            let key = if program.is_some() {
                "program"
            } else {
                "plugin"
            };
            let advice = match name.split_once(' ') {
                Some((plugin, _)) if key == "plugin" && is_plain_name(plugin) => format!(
                    "for the plugin `{plugin}` with parameters, write `plugin: {plugin}` and \
                     `params`; otherwise set `name`"
                ),
                _ => "set `name`".to_owned(),
            };
            let message = format!("`{name}` cannot be used as the name of an agent; {advice}");
            entry.error(key, message);
            return None;
        }
        Some(Self::Agent(AgentEntry {
            plugin,
            program: program.unwrap_or_default(),
            name,
            params,
            allow_read,
            memory,
            submission: None,
        }))
    }
}

impl AgentEntry {
    /// Whether a parameter has a list of values, each of which may be an agent.
    #[must_use]
    pub fn has_list(&self) -> bool {
        self.params.values().any(serde_json::Value::is_array)
    }

    /// The name of an agent without a `name` of its own: that of its plugin, without
    /// the folder, the prefix and the suffix of a dynamic library or a program.
    ///
    /// ```
    /// # use tournament::AgentEntry;
    /// assert_eq!(AgentEntry::default_name("expectimax"), "expectimax");
    /// assert_eq!(AgentEntry::default_name("./submissions/libanna.so"), "anna");
    /// assert_eq!(AgentEntry::default_name("./submissions/anna.py"), "anna");
    /// ```
    #[must_use]
    pub fn default_name(plugin: &str) -> &str {
        let file_name = Path::new(plugin)
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or(plugin);
        match file_name.rsplit_once('.') {
            Some((stem, "so")) => stem.strip_prefix("lib").unwrap_or(stem),
            Some((stem, extension)) if PROGRAM_EXTENSIONS.contains(&extension) => stem,
            _ => file_name,
        }
    }

    /// The word of a command that names what it executes: the first that looks like a file,
    /// otherwise the interpreter.
    #[must_use]
    pub fn main_word(command: &[String]) -> Option<&str> {
        let looks_like_a_file =
            |word: &&String| !word.starts_with('-') && word.contains(['.', '/']);
        let first = command.first()?;
        let main = command.iter().skip(1).find(looks_like_a_file);
        Some(main.unwrap_or(first))
    }
}

impl AgentFolder {
    /// The folder and the pattern in a text such as `submissions` or `submissions/*.so`. A
    /// pattern can only be the last part.
    ///
    /// # Errors
    /// If there is a pattern elsewhere.
    pub fn split(text: &str) -> Result<(PathBuf, Option<String>), &'static str> {
        let is_pattern = |part: &str| part.contains(['*', '?']);
        let text = text.trim_end_matches('/');
        let (folder, last) = text.rsplit_once('/').unwrap_or((".", text));
        match (is_pattern(folder), is_pattern(last)) {
            (true, _) => Err("only the last part of the path can be a pattern"),
            (false, true) => Ok((or_root(folder), Some(last.to_owned()))),
            (false, false) => Ok((or_root(text), None)),
        }
    }

    /// Whether a file of this name takes part.
    #[must_use]
    pub fn includes(&self, file_name: &str) -> bool {
        let matches = |pattern: &String| matches(pattern, file_name);
        self.pattern.as_ref().is_none_or(matches)
    }
}

fn or_root(folder: &str) -> PathBuf {
    if folder.is_empty() { "/" } else { folder }.into()
}

/// Whether a name matches a pattern, where `*` stands for any characters and `?` for one.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut position) = (0, 0);
    // Where the last `*` stands, and how much of the name it covers so far.
    let mut star: Option<(usize, usize)> = None;
    while position < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, position));
                at += 1;
            }
            Some(&c) if c == '?' || c == name[position] => {
                at += 1;
                position += 1;
            }
            _ => match star {
                Some((star_at, covered)) => {
                    star = Some((star_at, covered + 1));
                    at = star_at + 1;
                    position = covered + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&c| c == '*')
}

/// A folder has no keys that are about one agent.
fn report_keys_of_agents(folder: &mut Mapping) {
    for key in ["plugin", "program", "name"] {
        if folder.has(key) {
            let message = format!(
                "a folder has no `{key}`: every plugin in it is an agent with the name of its file"
            );
            folder.error(key, message);
        }
    }
}

/// What an agent executes: its plugin, or the main file of its program.
fn main_file(
    agent: &mut Mapping,
    plugin: Option<String>,
    program: Option<&[String]>,
) -> Option<String> {
    match (agent.has("plugin"), agent.has("program")) {
        (true, false) => plugin,
        (false, true) => AgentEntry::main_word(program?).map(str::to_owned),
        (true, true) => {
            let message = "`plugin` and `program` exclude each other; `program` is a whole command";
            agent.error("program", message);
            None
        }
        (false, false) => {
            let advice = "name the plugin that plays, for example `plugin: expectimax`, or a \
                          folder of plugins, for example `folder: submissions`";
            agent.missing("plugin", advice);
            None
        }
    }
}

/// The list of entries, each with its place.
pub(crate) fn entries() -> ValueType<Vec<(KeyPath, Entry)>> {
    let values = format!("a list of 1 to {MAX_AGENTS} agents");
    let agent = json!({"anyOf": [{"$ref": "#/$defs/agent"}, {"type": "string"}]});
    let schema = json!({"type": "array", "minItems": 1, "items": agent});
    ValueType::nested(values, schema, read_entries)
}

fn read_entries(
    value: &LocatedValue,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<(KeyPath, Entry)>> {
    let advice = "a list of agents such as `- plugin: expectimax`";
    let wrong = match value.items().map(|items| items.len()) {
        Some(1..=MAX_AGENTS) => None,
        Some(0) => Some(format!("no agents; write {advice}")),
        Some(n_agents) => Some(format!("{n_agents} agents; the limit is {MAX_AGENTS}")),
        None => Some(value.instead_of(advice)),
    };
    if let Some(message) = wrong {
        diagnostics.push(value.error(message));
        return None;
    }
    let mut entries: Vec<(KeyPath, Entry)> = Vec::new();
    for item in value.items()? {
        let (short, expected) = (Some("plugin"), "an agent such as `plugin: expectimax`");
        let entry = Mapping::read(&item, short, expected, diagnostics, Entry::read).flatten();
        let Some(entry) = entry else {
            continue;
        };
        if let Entry::Agent(agent) = &entry {
            let has_same_name = |other: &AgentEntry| other.name == agent.name;
            let same = (entries.iter()).find(|(_, other)| other.agent().is_some_and(has_same_name));
            if let Some((first, _)) = same {
                let source = value.source;
                diagnostics.push(name_given_twice(source, first, &item.path, &agent.name));
            }
        }
        entries.push((item.path, entry));
    }
    Some(entries)
}

fn name_given_twice(source: &str, first: &KeyPath, second: &KeyPath, name: &str) -> Diagnostic {
    let at = |agent: &KeyPath, message: String| {
        let is_given = |path: &KeyPath| locate(source, path, Target::Value).is_some();
        let [name, program] = [agent.key("name"), agent.key("program")];
        let named_by = [name, program].into_iter().find(is_given);
        Diagnostic::at_value(&named_by.unwrap_or(agent.key("plugin")), message)
    };
    let line = |agent| {
        let position = at(agent, String::new()).position(source);
        position.map_or(0, |position| position.line)
    };
    let message = format!(
        "two agents are named `{name}`, in lines {} and {}; give one of them a different `name`",
        line(first),
        line(second)
    );
    at(second, message)
}

fn plugin() -> ValueType<String> {
    let schema = json!({"type": ["string", "number"]});
    ValueType::new("a name or a path", schema, plugin_path)
}

fn plugin_path(value: &LocatedValue) -> Result<String, String> {
    let text = value.text_as_written()?;
    if text.trim().is_empty() || text.contains('\0') {
        return Err("expected the name or the path of a plugin".into());
    }
    Ok(text)
}

/// A folder and the pattern of its files.
fn folder() -> ValueType<(PathBuf, Option<String>)> {
    let values = "a path, such as `submissions` or `submissions/*.so`";
    ValueType::new(values, json!({"type": "string", "minLength": 1}), |value| {
        AgentFolder::split(&plugin_path(value)?).map_err(str::to_owned)
    })
}

/// The words of a command.
fn command() -> ValueType<Vec<String>> {
    let schema = json!({
        "type": "array", "minItems": 1, "items": {"type": ["string", "number"]},
    });
    ValueType::new("a list of words", schema, |value| {
        let expected = "a list of words such as `[python3, anna.py]`";
        let items = value.items().ok_or_else(|| value.instead_of(expected))?;
        let words: Vec<String> = items
            .map(|item| item.text_as_written())
            .collect::<Result<_, _>>()?;
        let has_zero = words.iter().any(|word| word.contains('\0'));
        match words.first() {
            Some(first) if !first.is_empty() && !has_zero => Ok(words),
            _ => Err(format!("expected {expected}")),
        }
    })
}

fn params() -> ValueType<Map<String, serde_json::Value>> {
    let schema = json!({"type": ["object", "null"]});
    ValueType::nested("a mapping", schema, |value, diagnostics| {
        let entries = match value.node {
            Node::Null => return Some(Map::new()),
            Node::Mapping(entries) => entries,
            _ => {
                let message = value.instead_of("a mapping such as `{ depth: 4 }`");
                diagnostics.push(value.error(message));
                return None;
            }
        };
        report_duplicate_keys_within(value, diagnostics);
        let mut params = Map::new();
        for (key, node) in entries {
            match node.to_json() {
                Ok(json) => {
                    params.insert(key.clone(), json);
                }
                Err(message) => diagnostics.push(value.at_key(key, node).error(message)),
            }
        }
        Some(params)
    })
}

/// Parameters may contain mappings, in which duplicate keys are errors as well.
fn report_duplicate_keys_within(value: &LocatedValue, diagnostics: &mut Vec<Diagnostic>) {
    if let Node::Mapping(entries) = value.node {
        report_duplicate_keys(value, entries, diagnostics);
        for (key, node) in entries {
            report_duplicate_keys_within(&value.at_key(key, node), diagnostics);
        }
    }
    for item in value.items().into_iter().flatten() {
        report_duplicate_keys_within(&item, diagnostics);
    }
}

fn paths() -> ValueType<Vec<PathBuf>> {
    let schema = json!({"type": ["array", "null"], "items": {"type": "string", "minLength": 1}});
    ValueType::nested("a list of paths", schema, |value, diagnostics| {
        if *value.node == Node::Null {
            return Some(Vec::new());
        }
        let Some(items) = value.items() else {
            diagnostics.push(value.error(value.instead_of("a list of paths")));
            return None;
        };
        let mut paths = Vec::new();
        for item in items {
            match item.node {
                Node::Text(text) if !text.is_empty() && !text.contains('\0') => {
                    paths.push(text.into());
                }
                _ => diagnostics.push(item.error(item.instead_of("a path"))),
            }
        }
        Some(paths)
    })
}

/// The longest name of a tournament or an agent.
pub const LONGEST_NAME: usize = 100;

/// What a name consists of, in words; see [`is_plain_name`].
pub const NAME_RULE: &str = "up to 100 letters (a to z, A to Z), digits, `-`, `_` and `.`, \
                             not starting with `-` or `.`";

/// Whether a string may name a tournament or an agent. Names become folders, file
/// names, columns and arguments, so they contain nothing that needs quoting.
#[must_use]
pub fn is_plain_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && !name.starts_with(['.', '-'])
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// The name of a tournament or an agent.
pub(crate) fn name() -> ValueType<String> {
    let pattern = format!("^[A-Za-z0-9_][A-Za-z0-9_.-]{{0,{}}}$", LONGEST_NAME - 1);
    let schema = json!({"type": ["string", "number"], "pattern": pattern});
    ValueType::new("a name", schema, |value| {
        let name = value.text_as_written()?;
        check_name(&name).map(|()| name)
    })
}

pub(crate) fn check_name(name: &str) -> Result<(), String> {
    if is_plain_name(name) {
        return Ok(());
    }
    Err(format!("`{name}` is not a valid name; use {NAME_RULE}"))
}

/// The worker itself and its libraries need half of this.
pub const SMALLEST_MEMORY: u64 = 64 << 20;

/// The memory limit of a worker, in bytes.
pub(crate) fn memory() -> ValueType<u64> {
    let memory = byte_size(SMALLEST_MEMORY, check_memory);
    let values = format!("{}, at least {}MiB", memory.values, SMALLEST_MEMORY >> 20);
    memory.described_as(values)
}

pub(crate) fn check_memory(bytes: u64) -> Result<(), String> {
    if bytes < SMALLEST_MEMORY {
        return Err(format!(
            "{bytes} bytes are not enough; a worker needs at least {}MiB; write for example `4GiB`",
            SMALLEST_MEMORY >> 20
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_of_a_path_may_be_a_pattern() {
        let split = |text| AgentFolder::split(text);
        let parts = |folder: &str, pattern: Option<&str>| {
            Ok((PathBuf::from(folder), pattern.map(str::to_owned)))
        };
        assert_eq!(split("submissions"), parts("submissions", None));
        assert_eq!(split("./a/b/"), parts("./a/b", None));
        assert_eq!(split("a/*.so"), parts("a", Some("*.so")));
        assert_eq!(split("*.so"), parts(".", Some("*.so")));
        assert_eq!(split("/*.so"), parts("/", Some("*.so")));
        assert_eq!(split("/"), parts("/", None));
        assert!(split("a/*/b").is_err());
    }

    #[test]
    fn a_star_is_any_text_and_a_question_mark_one_character() {
        for (pattern, name, expected) in [
            ("*.so", "libanna.so", true),
            ("*.so", "libanna.so.c", false),
            ("*a*b", "xaxbxb", true),
            ("a?.py", "aä.py", true),
            ("a?.py", "a.py", false),
            ("*", "", true),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
        // Many stars cost no more than the product of both lengths.
        assert!(!matches(&"*a".repeat(1000), &"a".repeat(999)));
    }

    #[test]
    fn names_never_need_quoting() {
        for name in ["default", "minimax-d4", "2026_spring", "v1.2"] {
            assert!(is_plain_name(name), "{name}");
        }
        for name in ["", ".", "..", ".hidden", "-x", "a b", "a/b", "é", "a\n"] {
            assert!(!is_plain_name(name), "{name:?}");
        }
        assert!(!is_plain_name(&"a".repeat(LONGEST_NAME + 1)));
        assert!(NAME_RULE.contains(&LONGEST_NAME.to_string()));
    }
}
