//! Extensions: what a plugin can do besides playing.
//!
//! The host sends one request, and the plugin sends messages while it works. The host
//! may stop it after any message, and the plugin finishes with an answer. Everything is
//! JSON, so that a new capability needs only a new name and no change of the contract.

use std::ops::ControlFlow;

use crate::Refusal;

/// A capability besides playing, for example [`solve`](crate::solve).
///
/// ```
/// use std::ops::ControlFlow;
/// use plugin_api::{Extension, Refusal};
///
/// /// Counts as far as it is asked to.
/// struct Count;
///
/// impl Extension for Count {
///     fn call(
///         &mut self,
///         request: &str,
///         send: &mut dyn FnMut(&str) -> ControlFlow<()>,
///     ) -> Result<String, Refusal> {
///         let goal: u32 = request.parse()?;
///         let n_counted = (1..=goal).take_while(|number| send(&number.to_string()).is_continue());
///         Ok(n_counted.count().to_string())
///     }
/// }
///
/// let mut heard = Vec::new();
/// let mut listen = |message: &str| { heard.push(message.to_owned()); ControlFlow::Continue(()) };
/// assert_eq!(Count.call("3", &mut listen).unwrap(), "3");
/// assert_eq!(heard, ["1", "2", "3"]);
/// ```
pub trait Extension {
    /// Answers a request. `send` passes a message to the host. When it returns
    /// [`ControlFlow::Break`], the extension should soon return what it has found so
    /// far. Long work should send a message several times per second, so that people
    /// see progress and can stop it.
    ///
    /// # Errors
    /// A message that says why there is no answer.
    fn call(
        &mut self,
        request: &str,
        send: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<String, Refusal>;
}
