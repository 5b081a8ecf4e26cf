//! Which value of the file is meant: `agents[2].params.depth`.

use std::fmt;

/// The way from the top of the file to a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPath {
    steps: Vec<Step>,
}

/// One step down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Key(String),
    /// The place in a list, from 0.
    Index(usize),
}

impl KeyPath {
    /// The whole file.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The value of a key of the mapping at this path.
    #[must_use]
    pub fn key(&self, key: impl Into<String>) -> Self {
        self.step(Step::Key(key.into()))
    }

    /// An item of the list at this path.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.step(Step::Index(index))
    }

    /// One step further.
    #[must_use]
    pub fn step(&self, step: Step) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self { steps }
    }

    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The mapping or list that holds the value; the root has none.
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

/// As in messages of serde: `agents[2].params.depth`.
impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            match step {
                Step::Key(key) if index == 0 => write!(f, "{key}")?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_as_in_code() {
        let agent = KeyPath::root().key("agents").index(2);
        let depth = agent.key("params").key("depth");
        assert_eq!(depth.to_string(), "agents[2].params.depth");
        assert!(depth.is_within(&agent) && !agent.is_within(&depth));
        assert_eq!(agent.key("params").parent(), Some(agent));
        assert_eq!(KeyPath::root().parent(), None);
    }
}
