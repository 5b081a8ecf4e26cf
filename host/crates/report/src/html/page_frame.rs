//! What every page has: head, style, script, header and sections. The content security policy allows
//! the script by its hash.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use sha2::{Digest, Sha256};
use text::printable::is_harmful;

/// The palette, boards and figures, which the page of `host serve` shares, then the rest.
const STYLE: &str = concat!(
    include_str!("shared/base.css"),
    include_str!("shared/tiles.css"),
    include_str!("shared/figures.css"),
    include_str!("style.css")
);

/// The modules of the script; each imports only modules before it.
const MODULES: [&str; 8] = [
    include_str!("shared/board.js"),
    include_str!("shared/number.js"),
    include_str!("shared/playback.js"),
    include_str!("recorded_game.js"),
    include_str!("replay.js"),
    include_str!("shared/seed_chart.js"),
    include_str!("seed_pairs.js"),
    include_str!("save.js"),
];

/// A part of a page with its own heading and address.
pub(super) struct Section {
    id: String,
    title: String,
    content: Markup,
}

impl Section {
    pub(super) fn new(id: &str, title: &str, content: Markup) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            content,
        }
    }
}

/// A page of its own.
pub(super) struct PageFrame {
    pub(super) title: String,
    /// The line above the title.
    pub(super) kicker: &'static str,
    /// What is below the title.
    pub(super) introduction: Markup,
    pub(super) sections: Vec<Section>,
    pub(super) footer: Markup,
}

/// HTML does not allow control characters, and the other harmful ones cannot be seen.
pub(super) fn without_harmful(html: &str) -> String {
    html.replace(|c: char| is_harmful(c) && c != '\n', "\u{fffd}")
}

impl PageFrame {
    /// The text of the file.
    pub(super) fn to_html(&self) -> String {
        without_harmful(&(self.document().into_string() + "\n"))
    }

    fn document(&self) -> Markup {
        let script = script();
        let policy = format!(
            "default-src 'none'; style-src 'unsafe-inline'; script-src '{}'; base-uri 'none'; \
             form-action 'none'",
            script_hash(&script)
        );
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    title { (self.title) " – Arena 2048" }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        p.kicker { (self.kicker) }
                        h1 { (self.title) }
                        (self.introduction)
                        nav aria-label="Sections" {
                            @for section in &self.sections {
                                a href={ "#" (section.id) } { (section.title) }
                            }
                        }
                    }
                    main {
                        @for section in &self.sections {
                            section id=(section.id) { h2 { (section.title) } (section.content) }
                        }
                    }
                    footer { (self.footer) }
                    script type="module" { (PreEscaped(script)) }
                }
            }
        }
    }
}

/// The modules as one, because a page without network requests cannot import files. Comments
/// would be nearly a third of it and are left out.
fn script() -> String {
    let lines = MODULES.iter().flat_map(|module| module.lines());
    lines
        .filter(|line| !line.starts_with("import ") && !is_comment(line))
        .map(|line| line.strip_prefix("export ").unwrap_or(line))
        .fold("\n".to_owned(), |script, line| script + line + "\n")
}

/// Whether the whole line is part of a comment.
fn is_comment(line: &str) -> bool {
    let text = line.trim_start();
    ["//", "/*", "* ", "*/"]
        .iter()
        .any(|start| text.starts_with(start))
}

/// As content security policies write it: `sha256-` and base 64.
fn script_hash(script: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(script)))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |place: usize| u32::from(chunk.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let six_bits = (bits >> (18 - 6 * place)) & 63;
            text.push(if place <= chunk.len() {
                char::from(LETTERS[six_bits as usize])
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_become_one_script() {
        let script = script();
        let is_module_line =
            |line: &&str| line.starts_with("import ") || line.starts_with("export ");
        assert_eq!(script.lines().find(is_module_line), None);
        assert!(script.contains("\nclass Board {"));
    }

    #[test]
    fn base64_is_that_of_rfc_4648() {
        let texts =
            ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(
            texts,
            [
                "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"
            ]
        );
    }

    /// The hash of this script in the recommendation "Content Security Policy Level 2", 7.15.
    #[test]
    fn a_script_has_the_hash_of_the_recommendation() {
        let script = "alert('Hello, world.');";
        assert_eq!(
            script_hash(script),
            "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng="
        );
    }
}
