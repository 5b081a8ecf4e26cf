//! What a plugin can do besides playing: a conversation with a name.
//!
//! The host sends one request, the plugin sends messages while it works, the host
//! may tell it to stop after any of them, and the plugin ends with an answer. All
//! of it is JSON text, so that a new capability needs a new name and nothing else
//! of the contract.

use std::ops::ControlFlow;

use crate::Refusal;

/// A capability besides playing, for example [`solve`](crate::solve).
pub trait Extension {
    /// Answers a request. `send` passes a message to the host; when it returns
    /// [`ControlFlow::Break`] the host has had enough, and the extension soon
    /// ends with what is known. Long work sends a message several times a second,
    /// so that people see progress and can stop it.
    ///
    /// # Errors
    /// A sentence that says why there is no answer.
    fn call(
        &mut self,
        request: &str,
        send: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<String, Refusal>;
}
