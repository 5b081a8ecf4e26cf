//! What every page has: head, style, script, header and sections.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::script::{script, script_hash};
use text::printable::is_harmful;

/// The palette, boards and figures, which the page of `host serve` shares, then the rest.
const STYLE: &str = concat!(
    include_str!("shared/base.css"),
    include_str!("shared/tiles.css"),
    include_str!("shared/figures.css"),
    include_str!("style.css")
);

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
