//! The control of a tournament (A/A test): one agent that plays twice, with two sets of
//! random seeds.

/// The name under which the control plays the second time.
#[must_use]
pub fn twin_name(agent: &str) -> String {
    format!("{agent}-twin")
}
