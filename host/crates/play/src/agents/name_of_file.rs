//! The name of an agent that is called after its file.
//!
//! Files have any name, agents only plain ones. The name depends on the name of the file
//! alone, not on the other files, unless two would be the same: so a late submission does
//! not change the names, and with them the records, of earlier ones.

use sha2::{Digest, Sha256};

use text::hex::hex;
use tournament::is_plain_name;

use crate::agents::plugin_finder::plugin_name;
use std::path::Path;

/// Room for what may follow: `-twin`, or the digits of a hash.
const LONGEST: usize = 80;

/// The name of the agent in a file or folder: without its ending and the `lib` of a library.
#[must_use]
pub(super) fn short_name(file_name: &str) -> String {
    let path = Path::new(file_name);
    let stem = plugin_name(path).unwrap_or_else(|| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        stem.unwrap_or(file_name).to_owned()
    });
    plain(&stem, file_name)
}

/// The name with its ending, for files that differ in nothing else.
#[must_use]
pub(super) fn long_name(file_name: &str) -> String {
    plain(file_name, file_name)
}

/// A name that no other file has: it ends with a hash of the path.
#[must_use]
pub(super) fn unmistakable_name(file_name: &str, path: &str) -> String {
    format!("{}-{}", long_name(file_name), hash_digits(path))
}

/// A plain name like `text`. If characters are lost, a hash of the file's name follows, so
/// that different files keep different names.
fn plain(text: &str, file_name: &str) -> String {
    let mut name = String::new();
    let mut is_complete = true;
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '.' => name.push(c),
            c if c.is_whitespace() && !c.is_control() => name.push('-'),
            // Accents that follow their letter.
            '\u{300}'..='\u{36f}' => (),
            c => match latin(c) {
                Some(letters) => name.push_str(letters),
                None => is_complete = false,
            },
        }
    }
    let short = name.trim_start_matches(['.', '-']);
    is_complete &= !short.is_empty() && short.len() <= LONGEST;
    let short: String = short.chars().take(LONGEST).collect();
    let name = match (is_complete, short.as_str()) {
        (true, short) => short.to_owned(),
        (false, "") => format!("agent-{}", hash_digits(file_name)),
        (false, short) => format!("{short}-{}", hash_digits(file_name)),
    };
    debug_assert!(is_plain_name(&name), "{name:?}");
    name
}

fn hash_digits(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..3])
}

/// Letters of European names as people write them without accents.
fn latin(c: char) -> Option<&'static str> {
    Some(match c {
        'ä' | 'æ' => "ae",
        'ö' | 'œ' => "oe",
        'ü' => "ue",
        'Ä' | 'Æ' => "Ae",
        'Ö' | 'Œ' => "Oe",
        'Ü' => "Ue",
        'ß' => "ss",
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'À' | 'Á' | 'Â' | 'Ã' | 'Å' | 'Ā' | 'Ă' | 'Ą' => "A",
        'ç' | 'ć' | 'č' => "c",
        'Ç' | 'Ć' | 'Č' => "C",
        'ď' | 'đ' | 'ð' => "d",
        'Ď' | 'Đ' | 'Ð' => "D",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' => "e",
        'È' | 'É' | 'Ê' | 'Ë' | 'Ē' | 'Ę' | 'Ě' => "E",
        'ğ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' => "i",
        'Ì' | 'Í' | 'Î' | 'Ï' | 'İ' => "I",
        'ł' => "l",
        'Ł' => "L",
        'ñ' | 'ń' | 'ň' => "n",
        'Ñ' | 'Ń' | 'Ň' => "N",
        'ò' | 'ó' | 'ô' | 'õ' | 'ø' | 'ō' | 'ő' => "o",
        'Ò' | 'Ó' | 'Ô' | 'Õ' | 'Ø' | 'Ō' | 'Ő' => "O",
        'ř' => "r",
        'Ř' => "R",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'Ś' | 'Š' | 'Ş' | 'Ș' => "S",
        'ť' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ū' | 'ů' | 'ű' => "u",
        'Ù' | 'Ú' | 'Û' | 'Ū' | 'Ů' | 'Ű' => "U",
        'ý' | 'ÿ' => "y",
        'Ý' => "Y",
        'ź' | 'ž' | 'ż' => "z",
        'Ź' | 'Ž' | 'Ż' => "Z",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_recognize_their_names() {
        for (file_name, expected) in [
            ("libanna.so", "anna"),
            ("anna.so", "anna"),
            ("anna.v2.py", "anna.v2"),
            ("Jörg Müller.py", "Joerg-Mueller"),
            ("Jo\u{308}rg.py", "Jorg"),
            ("Łukasz Świąt.jar", "Lukasz-Swiat"),
            ("-rf.so", "rf"),
            ("anna", "anna"),
        ] {
            assert_eq!(short_name(file_name), expected, "{file_name}");
        }
        assert_eq!(long_name("anna.py"), "anna.py");
    }

    #[test]
    fn names_that_cannot_be_spelled_stay_different() {
        let names: Vec<String> = [
            "李雷.py",
            "韩梅梅.py",
            "🎉.py",
            "anna🎉.py",
            "anna\n.py",
            "...",
            "",
        ]
        .map(short_name)
        .into();
        for name in &names {
            assert!(is_plain_name(name), "{name}");
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1);
        }
        assert!(names[3].starts_with("anna-"), "{}", names[3]);
        let long = short_name(&format!("{}.py", "x".repeat(300)));
        assert!(is_plain_name(&long) && long.len() < 95, "{long}");
    }
}
