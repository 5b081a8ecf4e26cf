//! The languages that new agents can be written in, and the files of each.

/// The language of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    #[default]
    Rust,
    C,
    Cpp,
    Go,
    Java,
    Js,
    Python,
}

/// The name of a file and its text, both with placeholders.
type Template = (&'static str, &'static str);

macro_rules! templates {
    ($folder:literal: $($name:literal from $file:literal),* $(,)?) => {
        &[$((
            $name,
            include_str!(concat!("../../templates/", $folder, "/", $file, ".template")),
        )),*]
    };
}

impl Language {
    #[cfg(test)]
    pub(super) const ALL: [Self; 7] = [
        Self::Rust,
        Self::C,
        Self::Cpp,
        Self::Go,
        Self::Java,
        Self::Js,
        Self::Python,
    ];

    /// The language as people write it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::C => "C",
            Self::Cpp => "C++",
            Self::Go => "Go",
            Self::Java => "Java",
            Self::Js => "JavaScript",
            Self::Python => "Python",
        }
    }

    pub(super) fn templates(self) -> &'static [Template] {
        match self {
            Self::Rust => templates![
                "rust":
                "Cargo.toml" from "Cargo.toml",
                "src/lib.rs" from "lib.rs",
                "tournament.yaml" from "tournament.yaml",
                "README.md" from "README.md",
                ".gitignore" from "gitignore",
            ],
            Self::C => templates![
                "c":
                "{{name}}.c" from "agent.c",
                "Makefile" from "Makefile",
                "tournament.yaml" from "tournament.yaml",
                "README.md" from "README.md",
                ".gitignore" from "gitignore",
            ],
            Self::Cpp => templates![
                "cpp":
                "{{name}}.cpp" from "agent.cpp",
                "rules.hpp" from "rules.hpp",
                "arena.hpp" from "arena.hpp",
                "test.cpp" from "test.cpp",
                "Makefile" from "Makefile",
                "tournament.yaml" from "tournament.yaml",
                "README.md" from "README.md",
                ".gitignore" from "gitignore",
            ],
            Self::Go => templates![
                "go":
                "agent.go" from "agent.go",
                "rules.go" from "rules.go",
                "arena.go" from "arena.go",
                "agent_test.go" from "agent_test.go",
                "go.mod" from "go.mod",
                "tournament.yaml" from "tournament.yaml",
                "README.md" from "README.md",
                ".gitignore" from "gitignore",
            ],
            Self::Java => templates![
                "java":
                "Agent.java" from "Agent.java",
                "Rules.java" from "Rules.java",
                "Arena.java" from "Arena.java",
                "AgentTest.java" from "AgentTest.java",
                "build" from "build",
                "tournament.yaml" from "tournament.yaml",
                "README.md" from "README.md",
                ".gitignore" from "gitignore",
            ],
            Self::Js => templates![
                "js":
                "{{name}}.js" from "agent.js",
                "{{name}}.test.js" from "agent.test.js",
                "tournament.yaml" from "tournament.yaml",
                "README.md" from "README.md",
                ".gitignore" from "gitignore",
            ],
            Self::Python => templates![
                "python":
                "{{name}}.py" from "agent.py",
                "test_{{name}}.py" from "test_agent.py",
                "tournament.yaml" from "tournament.yaml",
                "README.md" from "README.md",
                ".gitignore" from "gitignore",
            ],
        }
    }

    /// What to type in the new folder to play against the baselines.
    #[must_use]
    pub fn first_steps(self, host: &str) -> Vec<String> {
        let build = match self {
            Self::C | Self::Cpp => return vec!["make play".to_owned()],
            Self::Rust => Some("cargo build --release"),
            Self::Go => Some("go build"),
            Self::Java => Some("sh build"),
            Self::Js | Self::Python => None,
        };
        let play = format!("{host} run tournament.yaml");
        build.map(str::to_owned).into_iter().chain([play]).collect()
    }

    /// Names that an agent cannot have, because the language or its files use them.
    pub(super) fn reserved_words(self) -> &'static [&'static str] {
        match self {
            Self::Rust => &[
                "abstract",
                "as",
                "async",
                "await",
                "become",
                "box",
                "break",
                "const",
                "continue",
                "core",
                "crate",
                "do",
                "dyn",
                "else",
                "enum",
                "extern",
                "false",
                "final",
                "fn",
                "for",
                "gen",
                "if",
                "impl",
                "in",
                "let",
                "loop",
                "macro",
                "match",
                "mod",
                "move",
                "mut",
                "plugin_api",
                "pub",
                "ref",
                "return",
                "self",
                "static",
                "std",
                "struct",
                "super",
                "test",
                "trait",
                "true",
                "type",
                "use",
                "while",
            ],
            // Keywords, and the modules that the agent and its test import.
            Self::Python => &[
                "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
                "del", "elif", "else", "except", "finally", "for", "from", "global", "if",
                "import", "in", "is", "json", "lambda", "nonlocal", "not", "or", "pass", "raise",
                "return", "sys", "time", "try", "unittest", "while", "with", "yield",
            ],
            Self::C | Self::Cpp => &["agent2048", "test"],
            Self::Go => &["agent", "arena", "rules", "main", "test"],
            Self::Java => &["build", "classes"],
            Self::Js => &[],
        }
    }
}
