//! A plugin's description of itself.
//!
//! It crosses the boundary as JSON, and authors build it by calls instead of fields, so
//! that both can grow without breaking a plugin.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Side;

/// An agent's description, written by its author as a constant.
///
/// ```
/// use plugin_api::{Info, Limits};
///
/// const INFO: Info = Info::new("corner", env!("CARGO_PKG_VERSION"))
///     .author("A. Student")
///     .description("keeps the highest tile in a corner")
///     .boards(3, 5)
///     .honours(&[Limits::Time]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Info {
    name: &'static str,
    version: &'static str,
    author: &'static str,
    description: &'static str,
    smallest_board: u8,
    largest_board: u8,
    honours: &'static [Limits],
    extensions: &'static [&'static str],
    files: &'static [&'static str],
}

/// A kind of budget that an agent can stay within.
///
/// ```
/// # use plugin_api::{Info, Limits};
/// const INFO: Info = Info::new("x", "1.0.0").honours(&[Limits::Time, Limits::Nodes]);
/// # assert!(format!("{INFO:?}").contains("Nodes"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limits {
    /// Time per move.
    Time,
    /// Nodes per move: slides of a board in the search.
    Nodes,
}

impl Info {
    /// A plugin with this name and version that supports every board.
    #[must_use]
    pub const fn new(name: &'static str, version: &'static str) -> Self {
        Self {
            name,
            version,
            author: "",
            description: "",
            smallest_board: 2,
            largest_board: 8,
            honours: &[],
            extensions: &[],
            files: &[],
        }
    }

    /// Who wrote it.
    #[must_use]
    pub const fn author(mut self, author: &'static str) -> Self {
        self.author = author;
        self
    }

    /// One line about how it plays.
    #[must_use]
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = description;
        self
    }

    /// The sides that it supports, from the smallest to the largest. Other boards are
    /// rejected before the first game.
    ///
    /// # Panics
    /// At compile time, if the sides are not within 2 to 8, smaller one first.
    #[must_use]
    pub const fn boards(mut self, smallest: u8, largest: u8) -> Self {
        assert!(2 <= smallest && smallest <= largest && largest <= 8);
        self.smallest_board = smallest;
        self.largest_board = largest;
        self
    }

    /// The kinds of budget that it stays within. An agent that supports none plays by
    /// its own parameters, and a tournament with a budget reports this.
    #[must_use]
    pub const fn honours(mut self, limits: &'static [Limits]) -> Self {
        self.honours = limits;
        self
    }

    /// The names of the [extensions](crate::Extension) it answers.
    ///
    /// ```
    /// # use plugin_api::{Info, solve};
    /// const INFO: Info = Info::new("solver", "1.0.0").extensions(&[solve::NAME]);
    /// # assert!(format!("{INFO:?}").contains("solve/1"));
    /// ```
    #[must_use]
    pub const fn extensions(mut self, names: &'static [&'static str]) -> Self {
        self.extensions = names;
        self
    }

    /// The names of files that it reads, which lie in the plugin's folder: weights or tables.
    /// The host shows them to every agent, says where they are
    /// ([`GameSetup::folder`](crate::GameSetup::folder)), and treats them as a part of the
    /// plugin. They are not there while the plugin describes itself.
    ///
    /// ```
    /// # use plugin_api::Info;
    /// const INFO: Info = Info::new("learner", "1.0.0").files(&["learner.weights"]);
    /// # assert!(format!("{INFO:?}").contains("learner.weights"));
    /// ```
    #[must_use]
    pub const fn files(mut self, names: &'static [&'static str]) -> Self {
        self.files = names;
        self
    }

    pub(crate) fn to_json(self, params: Value) -> String {
        let info = PluginInfo {
            api: env!("CARGO_PKG_VERSION").to_owned(),
            name: self.name.to_owned(),
            version: self.version.to_owned(),
            author: self.author.to_owned(),
            description: self.description.to_owned(),
            boards: BoardRange {
                min: self.smallest_board,
                max: self.largest_board,
            },
            honours: self.honours.to_vec(),
            extensions: self
                .extensions
                .iter()
                .map(|&name| name.to_owned())
                .collect(),
            files: self.files.iter().map(|&name| name.to_owned()).collect(),
            unoptimised: cfg!(unoptimised),
            params,
        };
        serde_json::to_string(&info).expect("plain data turns into JSON")
    }
}

/// A plugin's description as the host reads it.
///
/// ```
/// # use plugin_api::{Limits, PluginInfo};
/// let info = PluginInfo::from_json(r#"{"name": "corner", "honours": ["time"]}"#).unwrap();
/// assert_eq!((info.name.as_str(), info.honours), ("corner", vec![Limits::Time]));
/// assert!(PluginInfo::from_json("{}").is_err(), "a name is needed");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginInfo {
    /// The version of the contract that it was built against.
    #[serde(default)]
    pub api: String,
    /// The plugin's name, the default name of its agents.
    pub name: String,
    /// The plugin's own version.
    #[serde(default)]
    pub version: String,
    /// Who wrote it.
    #[serde(default)]
    pub author: String,
    /// One line about how it plays.
    #[serde(default)]
    pub description: String,
    /// The sides that it supports.
    #[serde(default)]
    pub boards: BoardRange,
    /// The kinds of budget that it stays within.
    #[serde(default)]
    pub honours: Vec<Limits>,
    /// The extensions it answers.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// The names of the files in its folder that it reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Whether it was built without optimisation. Not the author but the build says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unoptimised: bool,
    /// The JSON Schema of its parameters; `null` if it has none.
    #[serde(default)]
    pub params: Value,
}

impl PluginInfo {
    /// Parses the JSON string of a plugin.
    ///
    /// # Errors
    /// If it is not a JSON object of this form.
    pub fn from_json(text: &str) -> Result<Self, serde_path_to_error::Error<serde_json::Error>> {
        serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))
    }
}

/// The sides of the boards that a plugin supports, both included.
///
/// ```
/// # use plugin_api::{BoardRange, Side};
/// let range = BoardRange { min: 3, max: 5 };
/// assert!(range.contains(Side::FOUR) && !range.contains(Side::MAX));
/// assert_eq!(range.to_string(), "3×3 to 5×5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardRange {
    /// The smallest side.
    pub min: u8,
    /// The largest side.
    pub max: u8,
}

impl BoardRange {
    /// Whether a board of this side is supported.
    #[must_use]
    pub fn contains(self, side: Side) -> bool {
        (usize::from(self.min)..=usize::from(self.max)).contains(&side.length())
    }
}

impl Default for BoardRange {
    fn default() -> Self {
        Self { min: 2, max: 8 }
    }
}

impl fmt::Display for BoardRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.min == self.max {
            write!(f, "{0}×{0}", self.min)
        } else {
            write!(f, "{0}×{0} to {1}×{1}", self.min, self.max)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_reads_what_the_author_wrote() {
        let info = Info::new("corner", "0.2.0")
            .author("A")
            .boards(3, 5)
            .honours(&[Limits::Nodes]);
        let read = PluginInfo::from_json(&info.to_json(Value::Null)).unwrap();
        assert_eq!(
            (read.name.as_str(), read.version.as_str()),
            ("corner", "0.2.0")
        );
        assert_eq!(read.boards, BoardRange { min: 3, max: 5 });
        assert_eq!(read.honours, [Limits::Nodes]);
        assert_eq!(read.api, env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn only_the_name_is_required_and_unknown_keys_are_ignored() {
        let read = PluginInfo::from_json(r#"{"name":"x","later":1}"#).unwrap();
        assert_eq!(read.boards, BoardRange::default());
    }

    #[test]
    fn parameters_keep_the_order_in_which_their_author_wrote_them() {
        let keys = |schema: &Value| -> Vec<String> {
            let properties = schema["properties"].as_object().unwrap();
            properties.keys().cloned().collect()
        };
        // As a C plugin writes it.
        let text = r#"{"name":"x","params":{"properties":{"width":{},"depth":{},"alpha":{}}}}"#;
        let read = PluginInfo::from_json(text).unwrap();
        assert_eq!(keys(&read.params), ["width", "depth", "alpha"]);
        let written = Info::new("x", "1").to_json(read.params);
        let read = PluginInfo::from_json(&written).unwrap();
        assert_eq!(keys(&read.params), ["width", "depth", "alpha"]);
    }
}
