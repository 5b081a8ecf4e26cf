//! Notes: what an agent says about its answer in words of its own.
//!
//! A turn carries the addresses of two functions that take notes, or none if the host wants no
//! notes. So an agent pays for its notes only where they are kept or shown.
#![expect(
    unsafe_code,
    reason = "names and texts cross the boundary as strings of C"
)]

use std::{
    cell::{Cell, RefCell},
    ffi::{CStr, CString, c_char},
};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Turn;

/// The notes of one answer: numbers by name, and a text.
///
/// Numbers that are not finite, empty names, and what exceeds a limit are left out.
///
/// ```
/// # use plugin_api::Notes;
/// let text = r#"{"numbers": {"play-outs": 120, "": 1, "hits": null}, "text": "few empty cells"}"#;
/// let notes = Notes::from_json(text);
/// assert_eq!(notes.numbers(), [("play-outs".to_owned(), 120.0)]);
/// assert_eq!(notes.text(), Some("few empty cells"));
/// assert_eq!(Notes::from_json(&notes.to_json()), notes);
/// assert!(Notes::from_json("[1, 2").is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    numbers: Vec<(String, f64)>,
    text: Option<String>,
    /// How many were left out, in the order of [`Notes::left_out`].
    left_out: [u32; 4],
}

impl Notes {
    /// The largest number of numbers.
    pub const MOST_NUMBERS: usize = 8;
    /// The longest name of a number, in characters.
    pub const LONGEST_NAME: usize = 24;
    /// The longest text, in characters.
    pub const LONGEST_TEXT: usize = 160;

    /// Whether there is nothing, and nothing was left out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The numbers in the order in which their names came first.
    #[must_use]
    pub fn numbers(&self) -> &[(String, f64)] {
        &self.numbers
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// What was left out, each with how often.
    ///
    /// ```
    /// # use plugin_api::Notes;
    /// let mut notes = Notes::default();
    /// notes.add_number("hits", f64::NAN);
    /// let left_out: Vec<_> = notes.left_out().collect();
    /// assert_eq!(left_out, [("a number that is not finite".to_owned(), 1)]);
    /// ```
    pub fn left_out(&self) -> impl Iterator<Item = (String, u32)> {
        let reasons = [
            "a number that is not finite".to_owned(),
            format!(
                "a name that is empty or longer than {} characters",
                Self::LONGEST_NAME
            ),
            format!("a number beyond {} of a move", Self::MOST_NUMBERS),
            format!("a text longer than {} characters", Self::LONGEST_TEXT),
        ];
        let counted = reasons.into_iter().zip(self.left_out);
        counted.filter(|(_, count)| *count > 0)
    }

    /// Adds a number, or replaces the one of this name.
    pub fn add_number(&mut self, name: &str, value: f64) {
        let known = self.numbers.iter_mut().find(|(known, _)| known == name);
        if !value.is_finite() {
            self.leave_out(0);
        } else if let Some((_, old)) = known {
            *old = value;
        } else if name.is_empty() || is_longer(name, Self::LONGEST_NAME) {
            self.leave_out(1);
        } else if self.numbers.len() == Self::MOST_NUMBERS {
            self.leave_out(2);
        } else {
            self.numbers.push((name.to_owned(), value));
        }
    }

    /// Sets the text; an empty one says nothing.
    pub fn set_text(&mut self, text: &str) {
        if is_longer(text, Self::LONGEST_TEXT) {
            self.leave_out(3);
        } else if !text.is_empty() {
            self.text = Some(text.to_owned());
        }
    }

    fn leave_out(&mut self, reason: usize) {
        self.left_out[reason] = self.left_out[reason].saturating_add(1);
    }

    /// What the object contains under `numbers` and `text`; anything else is left out.
    #[must_use]
    pub fn from_json(text: &str) -> Self {
        let mut notes = Self::default();
        let object: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
        if let Some(left_out) = object.get("left_out") {
            notes.left_out = Deserialize::deserialize(left_out).unwrap_or_default();
        }
        let numbers = object.get("numbers").and_then(Value::as_object);
        for (name, value) in numbers.into_iter().flatten() {
            match value {
                // This is how JavaScript writes a number that is not finite.
                Value::Null => notes.add_number(name, f64::NAN),
                Value::Number(value) => notes.add_number(name, value.as_f64().unwrap_or(f64::NAN)),
                _ => {}
            }
        }
        if let Some(Value::String(text)) = object.get("text") {
            notes.set_text(text);
        }
        notes
    }

    /// As an object for [`Notes::from_json`].
    #[must_use]
    pub fn to_json(&self) -> String {
        let numbers = self.numbers.iter();
        let numbers: Map<String, Value> = numbers
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect();
        json!({"numbers": numbers, "text": self.text, "left_out": self.left_out}).to_string()
    }
}

fn is_longer(text: &str, longest: usize) -> bool {
    text.chars().nth(longest).is_some()
}

/// The methods with which an agent takes notes, on the thread of
/// [`Agent::choose`](crate::Agent::choose). [`Notes`] has the limits.
impl Turn {
    /// Notes a number, for example how many of its positions the agent knew. Replaces the
    /// number of this name.
    ///
    /// ```
    /// # use plugin_api::{Turn, collect_notes};
    /// let turn = Turn::unlimited();
    /// let ((), notes) = collect_notes(|| turn.note_number("play-outs", 120.0));
    /// assert_eq!(notes.numbers()[0].1, 120.0);
    /// ```
    pub fn note_number(&self, name: &str, value: f64) {
        if let Some((take, _)) = RECEIVED.get()
            && let Ok(name) = CString::new(name)
        {
            // SAFETY: the host's function reads the string and keeps nothing.
            unsafe { take(name.as_ptr(), value) }
        }
    }

    /// Notes a text, in place of an earlier one.
    ///
    /// ```
    /// # use plugin_api::{Turn, collect_notes};
    /// let turn = Turn::unlimited();
    /// let ((), notes) = collect_notes(|| turn.note_text("the corner is safe"));
    /// assert_eq!(notes.text(), Some("the corner is safe"));
    /// ```
    pub fn note_text(&self, text: &str) {
        if let Some((_, take)) = RECEIVED.get()
            && let Ok(text) = CString::new(text)
        {
            // SAFETY: as above.
            unsafe { take(text.as_ptr()) }
        }
    }

    /// Whether the host wants notes, for agents to which they mean work.
    ///
    /// ```
    /// # use plugin_api::Turn;
    /// assert!(!Turn::unlimited().takes_notes());
    /// ```
    #[must_use]
    pub fn takes_notes(&self) -> bool {
        RECEIVED.get().is_some()
    }
}

/// Takes a number; the name is a string of C.
pub(crate) type NoteNumber = unsafe extern "C" fn(name: *const c_char, value: f64);
/// Takes a text; it is a string of C.
pub(crate) type NoteText = unsafe extern "C" fn(text: *const c_char);

thread_local! {
    /// In a host: the notes of the turn that this thread plays, if it wants any.
    static TAKEN: RefCell<Option<Notes>> = const { RefCell::new(None) };
    /// In a plugin: the functions that came with the turn.
    static RECEIVED: Cell<Option<(NoteNumber, NoteText)>> = const { Cell::new(None) };
}

/// Plays a turn and takes the notes of its agent, for hosts and for tests of agents.
pub fn collect_notes<T>(play: impl FnOnce() -> T) -> (T, Notes) {
    TAKEN.set(Some(Notes::default()));
    // An agent within this program, such as in a test, receives no turn across the boundary.
    RECEIVED.set(Some((take_number, take_text)));
    let played = play();
    RECEIVED.set(None);
    (played, TAKEN.take().unwrap_or_default())
}

/// What a turn carries across the boundary.
pub(crate) fn provided() -> [u64; 2] {
    if TAKEN.with_borrow(Option::is_none) {
        return [0; 2];
    }
    let (number, text): (NoteNumber, NoteText) = (take_number, take_text);
    [number as usize as u64, text as usize as u64]
}

/// Keeps what came with a turn for the agent that plays it.
pub(crate) fn receive(functions: Option<(NoteNumber, NoteText)>) {
    RECEIVED.set(functions);
}

/// # Safety
/// `name` is null or ends with a zero byte.
unsafe extern "C" fn take_number(name: *const c_char, value: f64) {
    // SAFETY: guaranteed by the caller.
    if let Some(name) = unsafe { text_at(name) } {
        take(|notes| notes.add_number(name, value));
    }
}

/// # Safety
/// `text` is null or ends with a zero byte.
unsafe extern "C" fn take_text(text: *const c_char) {
    // SAFETY: guaranteed by the caller.
    if let Some(text) = unsafe { text_at(text) } {
        take(|notes| notes.set_text(text));
    }
}

/// Without a turn on this thread, there are no notes to add to.
fn take(add: impl FnOnce(&mut Notes)) {
    TAKEN.with_borrow_mut(|taken| taken.as_mut().map(add));
}

/// # Safety
/// `text` is null or ends with a zero byte, and remains valid for the lifetime of the result.
unsafe fn text_at<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{NOTES, WireTurn};

    #[test]
    fn what_exceeds_a_limit_is_left_out() {
        let mut notes = Notes::default();
        for (name, value) in [("a", 1.0), ("a", 2.0), ("a", f64::NAN), ("", 3.0)] {
            notes.add_number(name, value);
        }
        notes.add_number(&"é".repeat(Notes::LONGEST_NAME), 4.0);
        notes.add_number(&"é".repeat(Notes::LONGEST_NAME + 1), 5.0);
        let numbers: Vec<f64> = notes.numbers().iter().map(|(_, value)| *value).collect();
        assert_eq!(numbers, [2.0, 4.0]);
        for number in 0..20 {
            notes.add_number(&number.to_string(), 0.0);
        }
        assert_eq!(notes.numbers().len(), Notes::MOST_NUMBERS);
        notes.add_number("a", 7.0);
        let first = &notes.numbers()[0];
        assert_eq!(*first, ("a".to_owned(), 7.0), "a known name has its place");
        notes.set_text(&"x".repeat(Notes::LONGEST_TEXT));
        notes.set_text(&"x".repeat(Notes::LONGEST_TEXT + 1));
        notes.set_text("");
        assert_eq!(notes.text().unwrap().len(), Notes::LONGEST_TEXT);
        // Of the numbers, a NaN; no name, and a long one; 14 of 20; of the texts, the second.
        let left_out: Vec<u32> = notes.left_out().map(|(_, count)| count).collect();
        assert_eq!(left_out, [1, 2, 14, 1]);
    }

    #[test]
    fn what_is_malformed_is_left_out() {
        for text in [
            "",
            "7",
            "{\"numbers\":[1],\"text\":7}",
            "{\"numbers\":{\"a\":\"1\"}}",
        ] {
            assert!(Notes::from_json(text).is_empty(), "{text}");
        }
        let both = Notes::from_json("{\"numbers\":7,\"text\":\"still there\"}");
        assert_eq!(both.text(), Some("still there"));
    }

    #[test]
    fn a_turn_carries_the_functions_only_where_notes_are_wanted() {
        let turn = Turn::unlimited();
        let words = || NOTES.map(|word| WireTurn::from(&turn).reserved[word]);
        assert_eq!(words(), [0, 0]);
        turn.note_number("a", 1.0);
        let (carried, notes) = collect_notes(words);
        assert!(carried.iter().all(|word| *word != 0) && notes.is_empty());
        assert_eq!(words(), [0, 0]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_harm(text: String, numbers: Vec<(String, f64)>) {
            let _ = Notes::from_json(&text);
            let mut notes = Notes::default();
            for (name, value) in &numbers { notes.add_number(name, *value); }
            notes.set_text(&text);
            proptest::prop_assert_eq!(Notes::from_json(&notes.to_json()), notes);
        }
    }
}
