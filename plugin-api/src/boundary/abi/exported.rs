//! The plugin's side of the boundary: turns an [`Agent`] into a module and catches
//! panics.

use std::{
    any::Any,
    fmt::Display,
    mem::ManuallyDrop,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::NonNull,
};

use abi_stable::{
    prefix_type::PrefixTypeTrait,
    sabi_trait::TD_Opaque,
    std_types::{RErr, ROk, RResult, RStr, RString},
};

use super::{
    AgentObject, PANICKED, PluginModule, PluginModuleRef, REFUSED, UNKNOWN_EXTENSION, WireAgent,
    WireAgent_TO, WireFailure, WireSink,
};
use crate::{
    Agent, GameSetup, StartStopFlag, Turn,
    contract::{
        notes::{self, NoteNumber, NoteText},
        parameters, stop_flag,
    },
    wire::{NOTES, STOP_FLAG, WireBoard, WireChoice, WireTurn},
};

/// The module that a plugin of this agent exports.
///
/// ```
/// # use plugin_api::{Agent, Board, Choice, GameSetup, Info, NoParameters, Refusal, Turn};
/// # struct Mine;
/// # impl Agent for Mine {
/// #     const INFO: Info = Info::new("mine", "1.0.0");
/// #     type Params = NoParameters;
/// #     fn new(_params: NoParameters, _setup: &GameSetup) -> Result<Self, Refusal> { Ok(Mine) }
/// #     fn choose(&mut self, board: &Board, _turn: &Turn) -> Choice { board.legal_moves().next().unwrap().into() }
/// # }
/// let module = plugin_api::abi::exported::root_module::<Mine>();
/// assert!(module.info()().unwrap().contains("mine"));
/// ```
#[must_use]
pub fn root_module<A: Agent>() -> PluginModuleRef {
    PluginModule {
        info: info::<A>,
        create: create::<A>,
        call_extension: call_extension::<A>,
    }
    .leak_into_prefix()
}

extern "C" fn info<A: Agent>() -> RResult<RString, WireFailure> {
    guard("while describing itself", || {
        Ok(A::INFO.to_json(parameters::schema_of::<A::Params>()).into())
    })
}

extern "C" fn create<A: Agent>(
    params: RStr<'_>,
    setup: RStr<'_>,
) -> RResult<AgentObject, WireFailure> {
    guard("in `new`", || {
        let params = parameters::from_json::<A::Params>(params.as_str()).map_err(refused)?;
        let setup = GameSetup::from_json(setup.as_str())
            .map_err(|error| refused(format_args!("the game's setup is invalid: {error}")))?;
        let agent = A::new(params, &setup).map_err(refused)?;
        Ok(WireAgent_TO::from_value(
            Exported(ManuallyDrop::new(agent)),
            TD_Opaque,
        ))
    })
}

extern "C" fn call_extension<A: Agent>(
    name: RStr<'_>,
    request: RStr<'_>,
    sink: WireSink,
) -> RResult<RString, WireFailure> {
    guard("in an extension", || {
        let mut extension = A::extension(name.as_str()).ok_or_else(|| WireFailure {
            kind: UNKNOWN_EXTENSION,
            message: name.into(),
        })?;
        let mut send = |message: &str| match (sink.send)(sink.context, message.into()) {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        Ok(extension
            .call(request.as_str(), &mut send)
            .map_err(refused)?
            .into())
    })
}

/// An agent that is dropped inside a guard because its `Drop` may panic too.
struct Exported<A: Agent>(ManuallyDrop<A>);

impl<A: Agent> WireAgent for Exported<A> {
    fn choose(&mut self, board: &WireBoard, turn: &WireTurn) -> RResult<WireChoice, WireFailure> {
        guard("in `choose`", || {
            let board = board
                .to_board()
                .ok_or_else(|| refused("the host sent no board"))?;
            stop_flag::receive(start_of_stop_flag(turn));
            notes::receive(takers_of_notes(turn));
            Ok(WireChoice::from(&self.0.choose(&board, &Turn::from(turn))))
        })
    }
}

/// The function that starts the stop flag of a turn; hosts before 1.1 have none.
fn start_of_stop_flag(turn: &WireTurn) -> Option<StartStopFlag> {
    let start = function_at(turn.reserved[STOP_FLAG])?;
    // SAFETY: the word is zero, or the address of such a function, which lives as long as
    // the host.
    Some(unsafe { std::mem::transmute::<NonNull<()>, StartStopFlag>(start) })
}

/// The functions that take notes on a turn, if the host wants any; hosts before 1.2 do not.
fn takers_of_notes(turn: &WireTurn) -> Option<(NoteNumber, NoteText)> {
    let [number, text] = NOTES.map(|word| function_at(turn.reserved[word]));
    // SAFETY: as above.
    Some(unsafe {
        (
            std::mem::transmute::<NonNull<()>, NoteNumber>(number?),
            std::mem::transmute::<NonNull<()>, NoteText>(text?),
        )
    })
}

fn function_at(word: u64) -> Option<NonNull<()>> {
    let address = usize::try_from(word).ok()?;
    NonNull::new(std::ptr::with_exposed_provenance_mut::<()>(address))
}

impl<A: Agent> Drop for Exported<A> {
    fn drop(&mut self) {
        // SAFETY: the agent is dropped here and not touched again.
        let drop_agent = || unsafe { ManuallyDrop::drop(&mut self.0) };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(drop_agent)) {
            std::mem::forget(payload);
        }
    }
}

fn refused(error: impl Display) -> WireFailure {
    WireFailure {
        kind: REFUSED,
        message: format!("{error}").into(),
    }
}

/// Runs the author's code and turns a panic into a failure.
fn guard<T>(place: &str, body: impl FnOnce() -> Result<T, WireFailure>) -> RResult<T, WireFailure> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => ROk(value),
        Ok(Err(failure)) => RErr(failure),
        Err(payload) => {
            let message = format!("panicked {place}: {}", panic_message(payload.as_ref()));
            // Dropping the payload could panic again, outside any guard.
            std::mem::forget(payload);
            RErr(WireFailure {
                kind: PANICKED,
                message: message.into(),
            })
        }
    }
}

fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("(no message)")
}
