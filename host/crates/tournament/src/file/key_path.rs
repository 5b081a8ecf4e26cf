//! The path of a value in the file: `agents[2].params.depth`.

use std::fmt;

/// The path from the top of the file to a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPath {
    steps: Vec<PathStep>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
    Key(String),
    /// The position in a list, from 0.
    Index(usize),
}

impl KeyPath {
    /// The whole file.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The path of a key in the mapping at this path.
    #[must_use]
    pub fn key(&self, key: impl Into<String>) -> Self {
        self.step(PathStep::Key(key.into()))
    }

    /// The path of an item in the list at this path.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.step(PathStep::Index(index))
    }

    /// The path one step further down.
    #[must_use]
    pub fn step(&self, step: PathStep) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self { steps }
    }

    #[must_use]
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    /// The mapping or list that contains the value; the root has none.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let (_, steps) = self.steps.split_last()?;
        Some(Self {
            steps: steps.to_vec(),
        })
    }

    /// Whether this is the path of `other` or of something inside it.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.steps.starts_with(&other.steps)
    }
}

/// In the notation of serde's messages: `agents[2].params.depth`.
impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            match step {
                PathStep::Key(key) if index == 0 => write!(f, "{key}")?,
                PathStep::Key(key) => write!(f, ".{key}")?,
                PathStep::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_printed_as_in_code() {
        let agent = KeyPath::root().key("agents").index(2);
        let depth = agent.key("params").key("depth");
        assert_eq!(depth.to_string(), "agents[2].params.depth");
        assert!(depth.is_within(&agent) && !agent.is_within(&depth));
        assert_eq!(agent.key("params").parent(), Some(agent));
        assert_eq!(KeyPath::root().parent(), None);
    }
}
