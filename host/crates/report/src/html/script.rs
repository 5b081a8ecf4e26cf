//! The script of the page, and the hash by which its content security policy allows it.

use sha2::{Digest, Sha256};

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

/// The modules as one, because a page without network requests cannot import files. Comments
/// would be nearly a third of it and are left out.
pub(super) fn script() -> String {
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
pub(super) fn script_hash(script: &str) -> String {
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
